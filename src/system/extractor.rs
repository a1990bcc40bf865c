//! Reading files of other programs, in a process of its own.
//!
//! Invariant: a file takes at most [`TIME`] and [`MEMORY`], whatever is in it; a reader that panics,
//! runs out of memory or hangs costs that file and nothing else.

use super::program;
use crate::extract::{self, Extracted, Hints, Unreadable};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Read, Write},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

const TIME: Duration = Duration::from_secs(10);
/// Bytes of address space.
const MEMORY: u64 = 300 * 1024 * 1024;
/// Bytes of an answer: a text, in JSON.
const MOST_ANSWER: u64 = 64 * 1024 * 1024;
/// How the process is asked for.
pub const VERB: [&str; 2] = ["knowledge", "extract"];

/// Why no text was read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExtractError {
    /// In the words of the reader.
    #[error("{0}")]
    Unreadable(String),
    /// It is no document; in the words of the reader.
    #[error("{0}")]
    Nothing(String),
    #[error("{}", Unreadable::Empty)]
    Empty,
    #[error("reading it took longer than {} seconds", TIME.as_secs())]
    Slow,
    #[error("reading it takes more than {} MiB of memory", MEMORY / 1024 / 1024)]
    Large,
    #[error("its reader gave up: it is damaged, or holds what the reader does not know")]
    GaveUp,
    #[error("its reader cannot be started: {0}")]
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
    fn of(bytes: &[u8], hints: &Hints) -> ExtractReply {
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

/// The text of a file, read by another process of this program, unless the file is its own text.
pub fn extract(program: &Path, bytes: Vec<u8>, hints: &Hints) -> Result<Extracted, ExtractError> {
    if extract::is_plain(&bytes, hints) {
        return ExtractReply::of(&bytes, hints).result();
    }
    let failed = |error: io::Error| ExtractError::NotStarted(error.to_string());
    let child = Command::new(program)
        .args(VERB)
        // Threads reserve address space that nobody uses.
        .env("RAYON_NUM_THREADS", "1")
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut reader = Reader(child);
    let child = &mut reader.0;
    let hints = serde_json::to_string(hints).unwrap_or_default();
    let writer = child.stdin.take().map(|mut input| {
        thread::spawn(move || {
            // A reader that ended early has said why.
            let _ = input.write_all(format!("{hints}\n").as_bytes());
            let _ = input.write_all(&bytes);
        })
    });
    let output = child.stdout.take().map(|stream| thread::spawn(move || all_of(stream)));
    let complaints = child.stderr.take().map(|stream| thread::spawn(move || all_of(stream)));
    // Linux keeps a process to its limit by itself.
    let memory = |pid| if cfg!(target_os = "linux") { None } else { program::memory(pid) };
    let status = ended(child, memory).map_err(failed)?;
    let joined = |thread: Option<thread::JoinHandle<Vec<u8>>>| {
        thread.and_then(|thread| thread.join().ok()).unwrap_or_default()
    };
    drop(writer.map(thread::JoinHandle::join));
    let (output, complaints) = (joined(output), joined(complaints));
    let Some(status) = status else { return Err(ExtractError::Slow) };
    match serde_json::from_slice(&output) {
        Ok(answer) => ExtractReply::result(answer),
        Err(_) => Err(why(status, &String::from_utf8_lossy(&complaints))),
    }
}

/// Kills and reaps the child on drop.
struct Reader(Child);

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn all_of(stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.take(MOST_ANSWER).read_to_end(&mut bytes);
    bytes
}

/// How often a system is asked that has no limit of memory.
const OFTEN: Duration = Duration::from_millis(50);

/// None when it took too long.
fn ended(child: &mut Child, memory: impl Fn(u32) -> Option<u64>) -> io::Result<Option<ExitStatus>> {
    let until = Instant::now() + TIME;
    let mut next = Instant::now() + OFTEN;
    while Instant::now() < until {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > next {
            next = Instant::now() + OFTEN;
            if memory(child.id()).is_some_and(|bytes| bytes > MEMORY) {
                child.kill()?;
                return child.wait().map(Some);
            }
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn why(status: ExitStatus, complaints: &str) -> ExtractError {
    const KILLED: i32 = 9;
    const TOO_LONG: i32 = 24;
    match status.signal() {
        Some(KILLED) => ExtractError::Large,
        Some(TOO_LONG) => ExtractError::Slow,
        _ if complaints.contains("memory allocation") => ExtractError::Large,
        _ => ExtractError::GaveUp,
    }
}

/// What the other process does: limits itself, reads, answers. The hints stand in the first line.
pub fn answer() {
    let limit = |resource, most: u64| {
        // Where a system has no such limit, the other one has to do.
        let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    };
    limit(Resource::As, MEMORY);
    limit(Resource::Cpu, TIME.as_secs());
    limit(Resource::Core, 0);
    let mut input = Vec::new();
    if io::stdin().lock().read_to_end(&mut input).is_err() {
        return;
    }
    let end = memchr::memchr(b'\n', &input).unwrap_or(0);
    let hints = serde_json::from_slice(&input[..end]).unwrap_or_default();
    let answer = ExtractReply::of(input.get(end + 1..).unwrap_or_default(), &hints);
    let _ = serde_json::to_writer(io::stdout().lock(), &answer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_takes_too_much_memory_is_ended_where_no_limit_of_the_system_does_it() {
        let hungry = r"x=$(head -c 2000000000 /dev/zero | tr '\0' a)";
        let started = Command::new("sh").args(["-c", hungry]).stdout(Stdio::null()).spawn();
        let mut child = started.expect("sh");
        if program::memory(std::process::id()).is_none() {
            return without_ps(&mut child);
        }
        let status = ended(&mut child, program::memory).expect("waited").expect("ended");
        assert_eq!(why(status, ""), ExtractError::Large);
    }

    fn without_ps(child: &mut Child) {
        eprintln!("skipped: ps is missing");
        let _ = child.kill().and_then(|()| child.wait());
    }
}
