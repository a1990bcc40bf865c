//! What a sync leaves in the operation log: what it took up by hand, right after its local commit,
//! and how much other laptops brought.

use super::{
    Before, Place,
    local::{self, Local},
    published::Exchanged,
};
use crate::identity::FileChange;
use crate::merge::ChangeSet;
use crate::system::oplog::{self, Operation};
use std::collections::BTreeMap;

/// Logs what was taken up by hand. `None` when nothing was, or the log cannot be written.
pub(super) fn log_by_hand(place: &Place<'_>, before: &Before, local: &Local) -> Option<Operation> {
    let files = by_hand(place, local);
    if files.is_empty() {
        return None;
    }
    let mut operation = Operation::new("sync", local::summary(&files), place.context.now());
    operation.commits = commits(place, before);
    operation.op = place.store.log().append(operation.clone(), &files).ok()?;
    let operations = place.store.log().operations().ok()?;
    operations.into_iter().find(|logged| logged.op == operation.op)
}

/// Logs what came from other laptops, and that something was published: with what was taken up by
/// hand where there was something, else on its own. Whether `undo` takes something back after it.
pub(super) fn log_merge(
    place: &Place<'_>,
    before: &Before,
    by_hand: Option<Operation>,
    exchanged: &Exchanged,
) -> bool {
    let brought =
        |merged: &super::merged::Merged| ChangeSet::between(&merged.ours, &merged.tree).files.len();
    let brought: usize = exchanged.merged.iter().map(brought).sum();
    let log = place.store.log();
    if let Some(operation) = by_hand {
        let commits = commits(place, before);
        let _ = log.amend(&Operation { brought, commits, ..operation });
        return true;
    }
    let moved = place.repo.head().is_ok_and(|head| head != before.head);
    if brought == 0 && !moved {
        return false;
    }
    let what = if brought > 0 {
        format!("brought {brought} file(s) from other laptops")
    } else {
        "published".to_owned()
    };
    let mut operation = Operation::new("sync", what, place.context.now());
    (operation.brought, operation.commits) = (brought, commits(place, before));
    let _ = log.append(operation, &[]);
    brought == 0
}

fn commits(place: &Place<'_>, before: &Before) -> Option<(Option<String>, String)> {
    let head = place.repo.head().ok().flatten()?;
    Some((before.head.map(|id| id.to_string()), head.to_string()))
}

/// What was taken up by hand: what a command of co did has an operation of its own.
fn by_hand(place: &Place<'_>, local: &Local) -> Vec<FileChange> {
    if local.files.is_empty() {
        return Vec::new();
    }
    let log = place.store.log();
    let operations = log.operations().unwrap_or_default();
    let mut last: BTreeMap<&str, (&Operation, Option<&String>)> = BTreeMap::new();
    for operation in &operations {
        for file in &operation.files {
            last.insert(file.path.as_str(), (operation, file.after.as_ref()));
        }
    }
    let mut by_hand = Vec::new();
    for file in &local.files {
        let found = local.found.get(&file.path).map(oplog::name_of);
        let before = match last.get(file.path.as_str()) {
            // What tidy stamped on top of a command's file is no hand's work either.
            Some((_, after)) if *after == found.as_ref() => continue,
            Some((operation, _)) => {
                let known = log.change(operation).ok().flatten().unwrap_or_default();
                let same = known.into_iter().find(|known| known.path == file.path);
                same.map_or_else(|| file.before.clone(), |known| known.after)
            }
            None => file.before.clone(),
        };
        by_hand.push(FileChange { before, ..file.clone() });
    }
    by_hand
}
