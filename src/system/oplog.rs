//! The operation log in `local/`: what each command changed, so that it can be undone.
//!
//! Invariant: the log refers to bytes by their hash; they are in one file per operation, which is
//! read only when that operation is. The log is bounded: the oldest bytes are deleted first. A log
//! that is damaged or gone costs the undo of what it held, nothing else.

use super::{error::SystemError, files};
use crate::identity::{Blob, ContentHash, FileChange, RelPath, Stamp};
use crate::secrets;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Limit for the bytes of all operations; those of the last one are kept in any case.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
const MOST_OPERATIONS: usize = 2_000;
/// The limits are checked once in so many operations.
const EVERY: u64 = 32;
/// After an operation with more bytes than this the limits are checked at once.
const LARGE: u64 = 1024 * 1024;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Operation {
    pub op: u64,
    pub at: String,
    /// The command, as `save`; `by hand` and `merge` for what a sync found and did.
    pub verb: String,
    /// One line for people, without secrets.
    pub what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// How many files a sync brought from other laptops; undo leaves them alone.
    #[serde(default)]
    pub brought: usize,
    /// `None` for an operation on the identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<PathBuf>,
    /// The agent's program that did it, and the session in which it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// HEAD before and after a sync.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<(Option<String>, String)>,
    pub files: Vec<LoggedFile>,
}

/// `before` and `after` are hashes of the file's bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoggedFile {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Operation {
    /// Whether it is a merge that changed nothing here: nothing to show, or to take back.
    pub fn is_silent(&self) -> bool {
        self.verb == "merge" && self.brought == 0 && self.files.is_empty()
    }

    /// The number is assigned when the operation is written.
    pub fn new(verb: &str, what: impl Into<String>, at: Stamp) -> Operation {
        Operation {
            op: 0,
            at: at.to_string(),
            verb: verb.to_owned(),
            what: secrets::redact(&what.into()).into_owned(),
            undoes: None,
            brought: 0,
            project: None,
            client: None,
            session: None,
            commits: None,
            files: Vec::new(),
        }
    }
}

pub fn name_of(blob: &Blob) -> String {
    ContentHash::of_bytes(blob).hex()
}

#[derive(Clone, Debug)]
pub struct Log {
    folder: PathBuf,
}

impl Log {
    pub fn at(state: &Path) -> Log {
        Log { folder: state.join("log") }
    }

    fn list(&self) -> PathBuf {
        self.folder.join("operations.jsonl")
    }

    fn bytes(&self, op: u64) -> PathBuf {
        self.folder.join(format!("{op:08}"))
    }

    pub fn files(&self) -> Vec<PathBuf> {
        files::names(&self.folder).into_iter().map(|name| self.folder.join(name)).collect()
    }

    /// As [`Log::append`], but synced to disk: for operations that delete or overwrite.
    pub fn append_durably(
        &self,
        operation: Operation,
        change: &[FileChange],
    ) -> Result<u64, SystemError> {
        let op = self.append(operation, change)?;
        let bytes = self.bytes(op);
        if files::exists(&bytes) {
            files::bring_to_disk(&bytes)?;
        }
        files::bring_to_disk(&self.list())?;
        Ok(op)
    }

    /// Returns the operation's number. Does not sync: what was added exists without the log, too.
    pub fn append(
        &self,
        mut operation: Operation,
        change: &[FileChange],
    ) -> Result<u64, SystemError> {
        operation.op = self.last()? + 1;
        let mut store: BTreeMap<String, &Blob> = BTreeMap::new();
        let keep = |blob: &Option<Blob>| -> Option<String> { blob.as_ref().map(name_of) };
        operation.files = change
            .iter()
            .map(|file| LoggedFile {
                path: file.path.to_string(),
                before: keep(&file.before),
                after: keep(&file.after),
            })
            .collect();
        for (file, logged) in change.iter().zip(&operation.files) {
            let sides = [(&file.before, &logged.before), (&file.after, &logged.after)];
            for (blob, name) in sides {
                if let (Some(blob), Some(name)) = (blob, name) {
                    store.insert(name.clone(), blob);
                }
            }
        }
        if !store.is_empty() {
            files::write_private(&self.bytes(operation.op), &packed(&store))?;
        }
        self.write_line(&operation)?;
        files::write_private(&self.counter(), operation.op.to_string().as_bytes())?;
        let bytes: usize = store.values().map(|blob| blob.len()).sum();
        if operation.op.is_multiple_of(EVERY) || bytes as u64 > LARGE {
            self.trim(operation.op)?;
        }
        Ok(operation.op)
    }

    /// Takes out an operation that changed nothing after all; its number is not given again.
    pub fn retract(&self, op: u64) -> Result<(), SystemError> {
        let mut kept = self.operations()?;
        kept.retain(|operation| operation.op != op);
        self.rewrite(&kept)?;
        files::remove(&self.bytes(op))
    }

    fn rewrite(&self, operations: &[Operation]) -> Result<(), SystemError> {
        let line = |op: &Operation| {
            serde_json::to_string(op).expect("because an operation is plain data") + "\n"
        };
        let text: String = operations.iter().map(line).collect();
        files::write_private(&self.list(), text.as_bytes())
    }

    fn write_line(&self, operation: &Operation) -> Result<(), SystemError> {
        let line = serde_json::to_string(operation).expect("because an operation is plain data");
        files::append(&self.list(), format!("{line}\n").as_bytes())
    }

    fn counter(&self) -> PathBuf {
        self.folder.join("last")
    }

    /// The counter saves reading the log; without it the log is read once.
    fn last(&self) -> Result<u64, SystemError> {
        let counter = files::read_text(&self.counter())?;
        match counter.and_then(|text| text.trim().parse().ok()) {
            Some(last) => Ok(last),
            None => Ok(self.operations()?.last().map_or(0, |last| last.op)),
        }
    }

    /// Oldest first; lines that cannot be read are skipped.
    pub fn operations(&self) -> Result<Vec<Operation>, SystemError> {
        let bytes = files::read(&self.list())?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let read = text.lines().filter_map(|line| serde_json::from_str::<Operation>(line).ok());
        let by_number: BTreeMap<u64, Operation> = read.map(|op| (op.op, op)).collect();
        Ok(by_number.into_values().collect())
    }

    /// `None` when the bytes are no longer kept.
    pub fn change(&self, operation: &Operation) -> Result<Option<Vec<FileChange>>, SystemError> {
        let bytes = files::read(&self.bytes(operation.op))?.unwrap_or_default();
        let store = unpacked(&bytes);
        let blob = |name: &Option<String>| match name {
            Some(name) => store.get(name.as_str()).map(|blob| Some(blob.clone())),
            None => Some(None),
        };
        let file = |logged: &LoggedFile| {
            Some(FileChange {
                path: RelPath::new(&logged.path)?,
                before: blob(&logged.before)?,
                after: blob(&logged.after)?,
            })
        };
        Ok(operation.files.iter().map(file).collect())
    }

    /// Deletes the oldest bytes and lines beyond the limits.
    fn trim(&self, last: u64) -> Result<(), SystemError> {
        let mut kept = 0;
        for file in self.files().into_iter().rev() {
            let number = file.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok());
            let Some(number) = number else { continue };
            kept += files::size(&file) as u64;
            if kept > MOST_BYTES && number != last {
                files::remove(&file)?;
            }
        }
        let operations = self.operations()?;
        let surplus = operations.len().saturating_sub(MOST_OPERATIONS);
        let lines = files::read(&self.list())?.unwrap_or_default();
        let lines = lines.iter().filter(|byte| **byte == b'\n').count();
        if surplus > 0 || lines > 2 * MOST_OPERATIONS {
            self.rewrite(&operations[surplus..])?;
        }
        Ok(())
    }
}

/// For each blob a line `hash length`, then its bytes.
fn packed(store: &BTreeMap<String, &Blob>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, blob) in store {
        bytes.extend(format!("{name} {}\n", blob.len()).into_bytes());
        bytes.extend_from_slice(blob);
    }
    bytes
}

fn unpacked(bytes: &[u8]) -> BTreeMap<&str, Blob> {
    let mut store = BTreeMap::new();
    let mut rest = bytes;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let head = std::str::from_utf8(&rest[..end]).ok().and_then(|head| head.split_once(' '));
        let Some((name, length)) = head else { break };
        let Some(length) = length.parse::<usize>().ok() else { break };
        let Some(body) = rest.get(end + 1..end + 1 + length) else { break };
        store.insert(name, Blob::from(body));
        rest = &rest[end + 1 + length..];
    }
    store
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let (a, b) = (Blob::from("one\ntwo 3\n"), Blob::from(vec![0, 255, b'\n']));
        let store: BTreeMap<String, &Blob> =
            [(name_of(&a), &a), (name_of(&b), &b)].into_iter().collect();
        let bytes = packed(&store);
        let again = unpacked(&bytes);
        assert_eq!(again.len(), 2);
        assert_eq!(again[name_of(&b).as_str()], b);
        assert_eq!(unpacked(&bytes[..bytes.len() - 1]).len(), 1);
    }
}
