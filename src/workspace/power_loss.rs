//! Restores files that co wrote shortly before a crash or power cut and that were lost.
//!
//! Invariant: only once after the laptop restarted, and only what co wrote in the last minutes
//! before. At any other time a missing file was removed by a person, and a file whose fact or text
//! exists elsewhere is not missing. Restoring is an operation, and is reported.

use super::{Error, Workspace, merged_in};
use crate::git::TIDIED;
use crate::identity::{Blob, Document, Ledger, Memory, RelPath, Snapshot, Stamp, ledger::Match};
use crate::index::store::Store;
use crate::machine::{
    boot, files, folder,
    oplog::{Log, OpVerb, Operation},
};
use crate::merge::{ChangeSet, change::FileChange};
use std::collections::{BTreeMap, BTreeSet};

/// Writes older than this are assumed to have reached the disk, in microseconds: ten minutes.
const KEPT_AFTER: i64 = 10 * 60 * 1_000_000;
/// How many paths to list.
const NAMED: usize = 3;

/// Restores missing files; returns a message about them. A failure is retried by the next command.
pub fn restore_lost(ws: &Workspace) -> Option<String> {
    let store = ws.identity_place();
    if !boot::is_restarted(ws, &store.state) {
        return None;
    }
    // The volume may not be mounted yet: try again with the next command.
    if !files::is_dir(&store.memories_dir()) {
        return None;
    }
    let restored = restored_files(ws, store).ok()?;
    boot::mark(ws, &store.state);
    restored_message(&restored)
}

fn restored_message(restored: &[RelPath]) -> Option<String> {
    let named: Vec<&str> = restored.iter().take(NAMED).map(RelPath::as_str).collect();
    let more = match restored.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let files = if restored.len() == 1 { "file" } else { "files" };
    (!restored.is_empty()).then(|| {
        format!(
            "{} {files} written by co were missing after the restart and have been brought back: \
             {}{more}",
            restored.len(),
            named.join(", ")
        )
    })
}

fn restored_files(ws: &Workspace, store: &Store) -> Result<Vec<RelPath>, Error> {
    let write = ws.write(store)?;
    folder::remove_leftovers(&store.root);
    let written = last_written(ws, &store.log())?;
    let is_gone = |path: &RelPath| !files::exists(&store.root.join(path.as_str()));
    if !written.iter().any(|(path, _)| is_gone(path)) {
        return Ok(Vec::new());
    }
    let here = folder::read(&store.root).snapshot;
    let removed = Removed::read(ws)?;
    let missing: Vec<FileChange> = written
        .iter()
        .filter(|(path, blob)| is_gone(path) && !stands_elsewhere(&here, path, blob))
        .filter(|(path, blob)| !removed.has(path, blob))
        .map(|(path, blob)| FileChange {
            path: path.clone(),
            before: None,
            after: Some(blob.clone()),
        })
        .collect();
    let paths: Vec<RelPath> = missing.iter().map(|file| file.path.clone()).collect();
    if !paths.is_empty() {
        let names: Vec<&str> = paths.iter().map(RelPath::as_str).collect();
        let transaction = write.operation(OpVerb::BringBack, names.join(" · ")).repairing();
        transaction.apply(&ChangeSet::of(missing))?;
    }
    Ok(paths)
}

/// The files as the last operations left them.
fn last_written(ws: &Workspace, log: &Log) -> Result<Snapshot, Error> {
    let operations = log.operations()?;
    let at = |operation: &Operation| {
        Stamp::parse(&operation.at).map_or(i64::MIN, |read| read.stamp.micros())
    };
    let Some(last) = operations.last().map(at) else { return Ok(Snapshot::default()) };
    let mut left: BTreeMap<RelPath, Option<Blob>> = BTreeMap::new();
    for operation in operations.iter().filter(|operation| at(operation) >= last - KEPT_AFTER) {
        if operation.project.is_some() {
            continue;
        }
        let files = match operation.verb {
            OpVerb::Merge => merged_in::changes(ws, operation)?.files,
            _ => log.change(operation)?.unwrap_or_default(),
        };
        left.extend(files.into_iter().map(|file| (file.path, file.after)));
    }
    Ok(left.into_iter().filter_map(|(path, blob)| Some((path, blob?))).collect())
}

/// Files that are missing because somebody removed them, according to the repository.
#[derive(Default)]
struct Removed {
    /// The last commit that co tidied, and HEAD.
    tidied: Snapshot,
    head: Snapshot,
    ledger: Ledger,
    /// Paths with staged changes, such as a removal.
    staged: BTreeSet<RelPath>,
}

impl Removed {
    fn read(ws: &Workspace) -> Result<Removed, Error> {
        let Some(repo) = ws.repo()? else {
            return Ok(Removed::default());
        };
        let Some(head) = repo.head()? else {
            return Ok(Removed::default());
        };
        let snapshot = |commit| repo.snapshot(commit);
        let there = snapshot(Some(head))?;
        Ok(Removed {
            tidied: snapshot(repo.ref_id(TIDIED))?,
            ledger: there.ledger(),
            head: there,
            staged: repo.staged_paths(head)?,
        })
    }

    fn has(&self, path: &RelPath, blob: &Blob) -> bool {
        if self.head.get(path).is_some() {
            return self.staged.contains(path);
        }
        let memory = path.is_memory().then(|| Memory::read(path, blob));
        let by_ledger = match memory {
            Some(Ok(memory)) => self.ledger.takes(&memory, Match::TextOrOrigin),
            _ => Document::read(blob).ok().and_then(|text| self.ledger.of_document(text.hash())),
        };
        self.tidied.get(path).is_some() || by_ledger.is_some()
    }
}

/// Whether a person renamed the file, or moved the fact to another file.
fn stands_elsewhere(here: &Snapshot, path: &RelPath, blob: &Blob) -> bool {
    if here.iter().any(|(_, other)| other == blob) {
        return true;
    }
    let Some(Ok(memory)) = path.is_memory().then(|| Memory::read(path, blob)) else { return false };
    let is_fact = |other: &Memory| other.created == memory.created || other.hash == memory.hash;
    here.memories().iter().any(is_fact)
}
