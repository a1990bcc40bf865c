//! Extracts text from other programs' files, in a separate process.
//!
//! Invariant: a file takes at most [`TIME`] and [`MEMORY`], whatever its content; a reader that
//! panics, runs out of memory or hangs loses only that file.

use super::{
    platform,
    process::{End, Process},
};
use crate::extract::{self, Extracted, Hints, Unreadable};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Read},
    path::Path,
    time::Duration,
};

const TIME: Duration = Duration::from_secs(10);
/// Limit on the address space, in bytes.
const MEMORY: u64 = 300 * 1024 * 1024;
/// Maximum size of an answer in bytes: a text, in JSON.
const MAX_ANSWER: u64 = 64 * 1024 * 1024;
/// The arguments that start the process.
const VERB: [&str; 2] = ["knowledge", "extract"];

/// Why no text was extracted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExtractError {
    /// In the reader's words.
    #[error("{0}")]
    Unreadable(String),
    /// Not a document; in the reader's words.
    #[error("{0}")]
    Nothing(String),
    #[error("{}", Unreadable::Empty)]
    Empty,
    #[error("reading it took longer than {} seconds", TIME.as_secs())]
    Slow,
    #[error("reading it needs more than {} MiB of memory", MEMORY / 1024 / 1024)]
    Large,
    #[error("it could not be parsed: it is damaged, or uses something that co does not support")]
    GaveUp,
    #[error("cannot start its reader: {0}")]
    NotStarted(String),
}

#[derive(Serialize, Deserialize)]
enum ExtractReply {
    Read(Extracted),
    Unreadable(String),
    Nothing(String),
    Empty,
}

impl ExtractReply {
    fn extract(bytes: &[u8], hints: &Hints) -> ExtractReply {
        match extract::extract(bytes, hints) {
            Ok(extracted) => ExtractReply::Read(extracted),
            Err(Unreadable::Empty) => ExtractReply::Empty,
            Err(nothing @ (Unreadable::Unknown(_) | Unreadable::Other { .. })) => {
                ExtractReply::Nothing(nothing.to_string())
            }
            Err(unreadable) => ExtractReply::Unreadable(unreadable.to_string()),
        }
    }

    fn result(self) -> Result<Extracted, ExtractError> {
        match self {
            ExtractReply::Read(extracted) => Ok(extracted),
            ExtractReply::Unreadable(why) => Err(ExtractError::Unreadable(why)),
            ExtractReply::Nothing(why) => Err(ExtractError::Nothing(why)),
            ExtractReply::Empty => Err(ExtractError::Empty),
        }
    }
}

/// The text of a file, extracted by another process of this program, unless the file is plain text.
pub fn extract(program: &Path, bytes: &[u8], hints: &Hints) -> Result<Extracted, ExtractError> {
    if extract::is_plain(bytes, hints) {
        return ExtractReply::extract(bytes, hints).result();
    }
    let failed = |error: io::Error| ExtractError::NotStarted(error.to_string());
    let hints = serde_json::to_string(hints).unwrap_or_default();
    let mut reader = Process::new(program);
    // Threads reserve address space without using it.
    reader.args(VERB).env("RAYON_NUM_THREADS", "1").env("MALLOC_ARENA_MAX", "1");
    reader.input([format!("{hints}\n").as_bytes(), bytes].concat());
    reader.deadline(TIME).output_limit(MAX_ANSWER);
    // Linux enforces the process's own limit.
    if !cfg!(target_os = "linux") {
        reader.memory_limit(MEMORY);
    }
    let finished = reader.run().map_err(failed)?;
    match (finished.end, serde_json::from_slice(&finished.stdout)) {
        (End::Exited(_), Ok(answer)) => ExtractReply::result(answer),
        (end, _) => Err(why(end, &String::from_utf8_lossy(&finished.stderr))),
    }
}

fn why(end: End, complaints: &str) -> ExtractError {
    const KILLED: i32 = 9;
    const TOO_LONG: i32 = 24;
    match end {
        End::Late | End::Silent | End::Aborted => ExtractError::Slow,
        End::TooMuchMemory => ExtractError::Large,
        End::Enough | End::TooMuchOutput => ExtractError::GaveUp,
        End::Exited(status) => match status.and_then(platform::signal) {
            Some(KILLED) => ExtractError::Large,
            Some(TOO_LONG) => ExtractError::Slow,
            _ if complaints.contains("memory allocation") => ExtractError::Large,
            _ => ExtractError::GaveUp,
        },
    }
}

/// The other process: limits itself, reads, answers. The hints are in the first line of its input.
pub fn answer() {
    platform::limit_self(MEMORY, TIME.as_secs());
    let mut input = Vec::new();
    if io::stdin().lock().read_to_end(&mut input).is_err() {
        return;
    }
    let end = memchr::memchr(b'\n', &input).unwrap_or(0);
    let hints = serde_json::from_slice(&input[..end]).unwrap_or_default();
    let answer = ExtractReply::extract(input.get(end + 1..).unwrap_or_default(), &hints);
    let _ = serde_json::to_writer(io::stdout().lock(), &answer);
}
