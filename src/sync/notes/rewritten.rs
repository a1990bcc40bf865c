//! Whether notes that are gone by the dozen were deleted on purpose: by an agent that rewrote its
//! notes at once, or by co itself; or were lost.
//!
//! Invariant: when in doubt they were lost, and come back. Must not know: how they are exchanged.

use crate::agents::notes;
use crate::identity::{
    RelPath, Snapshot, Stamp,
    note::{INDEX, Note},
};
use crate::index::store::Store;
use crate::machine::oplog::{OpVerb, Operation};
use crate::merge::ChangeSet;
use crate::workspace::{Workspace, merged_in};
use std::collections::BTreeSet;

/// Fewer notes than this may be deleted between two exchanges, whatever their share.
const FEW: usize = 5;
/// How many operations to look through for the one that deleted a note.
const MAX_OPERATIONS: usize = 200;

/// Whether so many of these notes are concerned that it was not done one by one.
pub(super) fn are_many(count: usize, of: usize) -> bool {
    count >= FEW && count * 2 > of
}

/// Whether notes of an agent's folder were lost, and not rewritten by it.
pub(super) fn lost_by_agent(seen: &Snapshot, there: &Snapshot) -> bool {
    are_lost(seen, there, |gone| is_rewritten(seen, there, gone))
}

/// Whether notes of the identity were lost, and not deleted by co: by a merge, an undo, or an
/// exchange with another folder.
pub(super) fn lost_in_identity(
    ws: &Workspace,
    store: &Store,
    seen: &Snapshot,
    there: &Snapshot,
) -> bool {
    are_lost(seen, there, |gone| is_deleted_by_co(ws, store, gone.clone()))
}

fn are_lost(
    seen: &Snapshot,
    there: &Snapshot,
    is_meant: impl Fn(&BTreeSet<&RelPath>) -> bool,
) -> bool {
    if there.is_empty() && !seen.is_empty() {
        return true;
    }
    let notes = || seen.paths().filter(|path| path.name() != INDEX);
    let gone: BTreeSet<&RelPath> = notes().filter(|path| there.get(path).is_none()).collect();
    are_many(gone.len(), notes().count()) && !is_meant(&gone)
}

/// An agent that rewrites its notes leaves some of them, writes at least one later than all it had,
/// and takes what it deleted out of its index. A folder that was lost, or is from a backup, differs
/// in one of these.
fn is_rewritten(seen: &Snapshot, there: &Snapshot, gone: &BTreeSet<&RelPath>) -> bool {
    let modified = |side: &Snapshot, path: &RelPath| -> Option<Stamp> {
        Note::lenient(side.get(path)?).modified
    };
    let notes = || there.paths().filter(|path| path.name() != INDEX);
    let before = seen.paths().filter_map(|path| modified(seen, path)).max();
    let is_later =
        |path: &RelPath| there.get(path) != seen.get(path) && modified(there, path) > before;
    let index = there.iter().find(|(path, _)| path.name() == INDEX);
    let Some((_, index)) = index else { return false };
    let index = String::from_utf8_lossy(index);
    let names = |path: &RelPath| notes::names(&index, path.name());
    notes().any(|path| seen.get(path).is_some())
        && notes().any(is_later)
        && notes().any(names)
        && !gone.iter().any(|path| names(path))
}

/// The newest of co's operations that changed each of these notes deleted it.
fn is_deleted_by_co(ws: &Workspace, store: &Store, mut gone: BTreeSet<&RelPath>) -> bool {
    let log = store.log();
    let operations = log.operations().unwrap_or_default();
    let is_own = |operation: &&Operation| {
        matches!(operation.verb, OpVerb::Merge | OpVerb::Undo | OpVerb::Redo | OpVerb::Notes)
    };
    for operation in operations.iter().rev().take(MAX_OPERATIONS).filter(is_own) {
        let change = match operation.verb {
            OpVerb::Merge => merged_in::changes(ws, operation).unwrap_or_default(),
            _ => ChangeSet::of(log.change(operation).ok().flatten().unwrap_or_default()),
        };
        for file in change.files {
            if gone.remove(&file.path) && file.after.is_some() {
                return false;
            }
        }
        if gone.is_empty() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Blob;

    /// Notes with the day they were written on, and the lines of the index.
    fn folder(notes: &[(&str, &str)], index: Option<&[&str]>) -> Snapshot {
        let path = |name: &str| RelPath::known(&format!("agents/claude-code/p/{name}"));
        let note = |(name, day): &(&str, &str)| {
            let text = format!("---\nmodified: 2026-11-{day}T08:00:00Z\n---\n\n{name}\n");
            (path(&format!("{name}.md")), Blob::from(text))
        };
        let lines = index.map(|names| {
            let lines = names.iter().map(|name| format!("- [{name}]({name}.md)\n"));
            (path(INDEX), Blob::from(lines.collect::<String>()))
        });
        notes.iter().map(note).chain(lines).collect()
    }

    #[test]
    fn what_an_agent_rewrote_was_not_lost() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let all: Vec<(&str, &str)> = names.iter().map(|name| (*name, "10")).collect();
        let seen = folder(&all, Some(&names));
        let rewritten = [("a", "10"), ("b", "12"), ("all", "12")];
        for (there, lost) in [
            (folder(&rewritten, Some(&["a", "b", "all"])), false),
            // The index still has what is gone.
            (folder(&rewritten, Some(&names)), true),
            (folder(&rewritten, None), true),
            // Nothing of it is left, or nothing is new: another folder, a backup.
            (folder(&[("all", "12")], Some(&["all"])), true),
            (folder(&[("a", "10"), ("b", "10")], Some(&["a", "b"])), true),
            (folder(&[("a", "10"), ("b", "09")], Some(&["a", "b"])), true),
            (folder(&[], None), true),
            // Few.
            (folder(&all[3..], Some(&names)), false),
        ] {
            assert_eq!(lost_by_agent(&seen, &there), lost, "{there:?}");
        }
    }
}
