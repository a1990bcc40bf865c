//! What a restart of the machine took: files that co wrote last and that a disk had not kept yet.
//!
//! Invariant: only at the first command after a restart, and only what co wrote in its last minutes
//! before it; a file that is missing at any other time was removed by a person, and one whose fact
//! or text stands elsewhere is not missing. What comes back is an operation, and is said.

use super::{Failure, others, store::Store, sync};
use crate::identity::{Blob, Memory, RelPath, Snapshot, Stamp};
use crate::merge::{ChangeSet, change::FileChange};
use crate::system::{
    Context, boot, files, folder,
    oplog::{Log, Operation, Verb},
};
use std::collections::BTreeMap;

/// A disk keeps what is older than this, in microseconds: ten minutes.
const KEPT_AFTER: i64 = 10 * 60 * 1_000_000;
/// How many paths are named.
const NAMED: usize = 3;

/// What every command does first: finishes what a co that died began, and brings back what a restart
/// took. Says what was brought back.
pub fn begin(context: &Context) -> Option<String> {
    sync::recover(context);
    bring_back(context)
}

/// Brings back what is missing; says what that was. What fails is tried again by the next command.
pub fn bring_back(context: &Context) -> Option<String> {
    let store = Store::at_identity(context);
    if !boot::is_restarted(context, &store.state) {
        return None;
    }
    let brought = brought_back(context, &store).ok()?;
    boot::mark(context, &store.state);
    said(&brought)
}

fn said(brought: &[RelPath]) -> Option<String> {
    let named: Vec<&str> = brought.iter().take(NAMED).map(RelPath::as_str).collect();
    let more = match brought.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let files = if brought.len() == 1 { "file" } else { "files" };
    (!brought.is_empty()).then(|| {
        format!(
            "{} {files} that co had written were missing after the restart and were brought back: \
             {}{more}",
            brought.len(),
            named.join(", ")
        )
    })
}

fn brought_back(context: &Context, store: &Store) -> Result<Vec<RelPath>, Failure> {
    if !files::is_dir(&store.memories_dir()) {
        return Ok(Vec::new());
    }
    let _lock = store.lock()?;
    folder::remove_leftovers(&store.root);
    let written = last_written(context, &store.log())?;
    let is_gone = |path: &RelPath| !files::exists(&store.root.join(path.as_str()));
    if !written.iter().any(|(path, _)| is_gone(path)) {
        return Ok(Vec::new());
    }
    let here = folder::read(&store.root).snapshot;
    let missing: Vec<FileChange> = written
        .iter()
        .filter(|(path, blob)| is_gone(path) && !stands_elsewhere(&here, path, blob))
        .map(|(path, blob)| FileChange {
            path: path.clone(),
            before: None,
            after: Some(blob.clone()),
        })
        .collect();
    let paths: Vec<RelPath> = missing.iter().map(|file| file.path.clone()).collect();
    if !paths.is_empty() {
        let names: Vec<&str> = paths.iter().map(RelPath::as_str).collect();
        let transaction = store.transaction(context, Verb::BringBack, names.join(" · "));
        transaction.run(&ChangeSet::of(missing))?;
    }
    Ok(paths)
}

/// The files that the last operations left, as they left them.
fn last_written(context: &Context, log: &Log) -> Result<Snapshot, Failure> {
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
            Verb::Merge => others::brought(context, operation)?.files,
            _ => log.change(operation)?.unwrap_or_default(),
        };
        left.extend(files.into_iter().map(|file| (file.path, file.after)));
    }
    Ok(left.into_iter().filter_map(|(path, blob)| Some((path, blob?))).collect())
}

/// Whether a person gave the file another name, or the fact another file.
fn stands_elsewhere(here: &Snapshot, path: &RelPath, blob: &Blob) -> bool {
    if here.iter().any(|(_, other)| other == blob) {
        return true;
    }
    let Some(Ok(memory)) = path.is_memory().then(|| Memory::read(path, blob)) else { return false };
    let is_fact = |other: &Memory| other.created == memory.created || other.hash == memory.hash;
    here.memories().iter().any(is_fact)
}
