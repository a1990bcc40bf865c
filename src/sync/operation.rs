//! What a sync writes to the operation log: changes made outside co, right after its local commit,
//! and what other laptops brought.

use super::{
    committed::Local,
    context::{Before, SyncContext},
    logged::Logged,
    merged::Merged,
    message::summary,
};
use crate::identity::{Blob, FileChange, Memory, RelPath, Snapshot, scope::HOSTS};
use crate::machine::{
    SystemError, boot,
    oplog::{self, Flush, Log, LoggedFile, OpVerb, Operation, Stage},
};
use crate::merge::ChangeSet;
use std::collections::BTreeMap;

pub(super) fn log_by_hand(cx: &SyncContext<'_>, before: &Before, local: &Local) -> Logged {
    let files = by_hand(cx, local);
    // The first sync only picks up what `init` made, or what existed before co.
    if files.is_empty() || before.first {
        return Logged::Nothing;
    }
    let mut operation = Operation::new(OpVerb::ByHand, summary(&files), cx.ws.now());
    let head = cx.repo.head().ok().flatten();
    operation.commits = head.map(|head| (before.head.map(|id| id.to_string()), head.to_string()));
    operation.taken_up = Some(local.last_op);
    match log_done(cx, operation, &files) {
        Ok(_) => Logged::Undoable,
        Err(_) => Logged::Failed,
    }
}

/// Logs a merge right after it, with this laptop's changes that it dropped: the push that follows
/// may be refused.
pub(super) fn log_merge(cx: &SyncContext<'_>, last_op: u64, merged: &Merged) -> Logged {
    let (old, new) = merged.commits;
    // A clone is not a merge.
    let Some(old) = old else { return Logged::Nothing };
    let change = ChangeSet::between(&merged.ours, &merged.tree).files;
    let mut operation = Operation::new(OpVerb::Merge, summary(&change), cx.ws.now());
    operation.commits = Some((Some(old.to_string()), new.to_string()));
    operation.brought = change.len();
    operation.taken_up = Some(last_op);
    if operation.is_silent() {
        // Only for an undo that has to know what others had as well.
        let _ = log_done(cx, operation, &[]);
        return Logged::Nothing;
    }
    match log_done(cx, operation, &merged.lost) {
        Err(_) => Logged::Failed,
        Ok(_) if merged.lost.is_empty() => Logged::OnlyOthers,
        Ok(_) => Logged::Undoable,
    }
}

/// The changes are already in a commit, so the operation is begun and committed at once.
fn log_done(
    cx: &SyncContext<'_>,
    operation: Operation,
    change: &[FileChange],
) -> Result<u64, SystemError> {
    let flush = if change.is_empty() { Flush::Later } else { Flush::Now };
    boot::mark_first(cx.ws, &cx.store.state);
    cx.store.log().begin(operation, change, flush)?.commit()
}

/// Changes made outside co: those made by a co command have their own operation.
fn by_hand(cx: &SyncContext<'_>, local: &Local) -> Vec<FileChange> {
    if local.files.is_empty() {
        return Vec::new();
    }
    let log = cx.store.log();
    let committed = log.reached(Stage::Committed).unwrap_or(0);
    let operations = log.operations_after(committed).unwrap_or_default();
    let mut touched: BTreeMap<String, Vec<(&Operation, &LoggedFile)>> = BTreeMap::new();
    for operation in &operations {
        let Some(folder) = folder_in_identity(operation) else { continue };
        for file in &operation.files {
            let path = format!("{folder}{}", file.path);
            touched.entry(path).or_default().push((operation, file));
        }
    }
    let is_ledger = |file: &FileChange| file.path.is_ledger();
    let mut by_hand = Vec::new();
    for file in &local.files {
        let (path, found) = found_at(&local.found, file);
        let ours = touched.get(path.as_str()).map_or(&[][..], Vec::as_slice);
        // A file that only tidy changed after a command is not an outside change.
        if ours.last().is_some_and(|(_, last)| last.after == found) && !is_ledger(file) {
            continue;
        }
        let last = ours.last().and_then(|(last, logged)| left_by(&log, last, &logged.path));
        let before = last.unwrap_or_else(|| file.before.clone());
        by_hand.push(FileChange { before, ..file.clone() });
    }
    // If no file was deleted by hand, the ledger's new lines are from a command.
    if !by_hand.iter().any(|file| file.after.is_none() && !is_ledger(file)) {
        by_hand.retain(|file| !is_ledger(file));
    }
    by_hand
}

/// The folder of the identity, with a trailing `/` or empty, in which an operation was: what is
/// about this laptop has one of its own. `None` if it was in a project.
fn folder_in_identity(operation: &Operation) -> Option<String> {
    let Some(folder) = &operation.project else { return Some(String::new()) };
    // The identity may have been elsewhere then, or is found by another way.
    if !folder.parent()?.ends_with(HOSTS) || folder.ends_with(".co-cli") {
        return None;
    }
    Some(format!("{HOSTS}/{}/", folder.file_name()?.to_str()?))
}

/// Where a file was before it was tidied, and the log's hash of its bytes there. A fact that was
/// renumbered because another laptop took its number had another path.
fn found_at(found: &Snapshot, file: &FileChange) -> (RelPath, Option<String>) {
    let fact = |blob: &Blob| Memory::read(&file.path, blob).ok().map(|memory| memory.created);
    let is_new = found.get(&file.path).is_none() && file.path.is_memory();
    let origin = file.after.as_ref().filter(|_| is_new).and_then(fact);
    let same = |memory: &Memory| Some(memory.created) == origin;
    match origin.and_then(|_| found.memories().into_iter().find(same)) {
        Some(memory) => (memory.path.clone(), Some(oplog::name_of(&memory.blob))),
        None => (file.path.clone(), found.get(&file.path).map(oplog::name_of)),
    }
}

/// An operation's version of a file; `None` if its bytes are no longer kept.
fn left_by(log: &Log, operation: &Operation, path: &str) -> Option<Option<Blob>> {
    let change = log.change(operation).ok().flatten()?;
    change.into_iter().find(|file| file.path.as_str() == path).map(|file| file.after)
}
