//! The operation log in `local/`: what each command changed, with the bytes, so that it can be taken back.
//!
//! Invariant: a log that is damaged or gone costs the undo of what it told, nothing else.

use super::{error::SystemError, files};
use crate::identity::{Blob, RelPath, Stamp, secrets};
use crate::merge::change::{ChangeSet, FileChange};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Operation {
    /// Its number, counted up.
    pub op: u64,
    /// When it happened.
    pub at: String,
    /// The command: `save`, `forget`, `edit`, `sync`, `undo`, `fix`.
    pub verb: String,
    /// One line for people.
    pub what: String,
    /// Which operation this one takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// How many facts and files a sync brought from other laptops, which an undo leaves alone.
    #[serde(default)]
    pub brought: usize,
    /// The commit that HEAD was on before and after, for a sync.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<(Option<String>, String)>,
    /// The files.
    pub files: Vec<LoggedFile>,
}

/// One file of an operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoggedFile {
    /// Its path in the identity.
    pub path: String,
    /// Its bytes before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Bytes>,
    /// Its bytes after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Bytes>,
}

/// Bytes as text where they are, as numbers where they are not.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bytes {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Raw(Vec<u8>),
}

impl Bytes {
    /// Of a file.
    pub fn of(blob: &Blob) -> Bytes {
        std::str::from_utf8(blob).map_or_else(|_| Bytes::Raw(blob.to_vec()), |text| Bytes::Text(text.to_owned()))
    }

    fn blob(&self) -> Blob {
        match self {
            Bytes::Text(text) => text.as_bytes().into(),
            Bytes::Raw(bytes) => bytes.as_slice().into(),
        }
    }
}

impl Operation {
    /// A new entry; its number is given when it is written.
    pub fn new(verb: &str, what: impl Into<String>, at: Stamp, change: &ChangeSet) -> Operation {
        let logged = |file: &FileChange| LoggedFile {
            path: file.path.to_string(),
            before: file.before.as_ref().map(Bytes::of),
            after: file.after.as_ref().map(Bytes::of),
        };
        let files = change.files.iter().map(logged).collect();
        let what = secrets::redact(&what.into()).into_owned();
        Operation { op: 0, at: at.to_string(), verb: verb.to_owned(), what, undoes: None, brought: 0, commits: None, files }
    }

    /// What it changed.
    pub fn change(&self) -> ChangeSet {
        let file = |logged: &LoggedFile| {
            let blob = |bytes: &Option<Bytes>| bytes.as_ref().map(Bytes::blob);
            Some(FileChange { path: RelPath::new(&logged.path)?, before: blob(&logged.before), after: blob(&logged.after) })
        };
        ChangeSet { files: self.files.iter().filter_map(file).collect(), decisions: Vec::new() }
    }
}

/// Where the log of an identity lies.
pub fn file(folder: &Path) -> PathBuf {
    folder.join("operations.jsonl")
}

/// Appends an operation and returns its number.
///
/// # Errors
/// When the log cannot be written.
pub fn append(folder: &Path, mut operation: Operation) -> Result<u64, SystemError> {
    let file = file(folder);
    let counter = folder.join("operations.last");
    // The counter saves reading the log; without it the log is read once.
    let last = files::read_text(&counter)?.and_then(|text| text.trim().parse::<u64>().ok());
    let last = last.map_or_else(|| read(folder).map(|all| all.last().map_or(0, |last| last.op)), Ok)?;
    operation.op = last + 1;
    files::write_cache(&counter, operation.op.to_string().as_bytes())?;
    let mut line = serde_json::to_string(&operation).expect("because an operation is plain data");
    line.push('\n');
    files::append(&file, line.as_bytes())?;
    Ok(operation.op)
}

/// All operations, oldest first; lines that cannot be read are passed over.
///
/// # Errors
/// When the log is there and cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Operation>, SystemError> {
    let bytes = files::read(&file(folder))?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
