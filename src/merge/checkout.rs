//! How a merged identity reaches the work tree: one file at a time, never over what a person changed meanwhile.
//!
//! Invariant: creates before overwrites before deletes before the ledger, so that a crash at any point looks like facts learned, never
//! like facts forgotten. Deciding is pure; the caller only reads, writes and deletes.

use super::{Policy, merge, tidy};
use crate::identity::{Blob, Kind, Memory, RelPath, Snapshot, Stamp};

/// One file of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The file.
    pub path: RelPath,
    /// What the last commit had there.
    pub old: Option<Blob>,
    /// What the new commit has there.
    pub new: Option<Blob>,
}

/// What is to be done with the file as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// It is as it should be, or a person's change that stays.
    Leave,
    /// These files are to be written, in this order.
    Write(Vec<(RelPath, Blob)>),
    /// It is to be removed.
    Delete,
}

/// The steps from one tree to another, in the order that is safe to interrupt.
pub fn plan(old: &Snapshot, new: &Snapshot) -> Vec<Step> {
    let step = |path: &RelPath| Step { path: path.clone(), old: old.get(path).cloned(), new: new.get(path).cloned() };
    let changed = new.iter().filter(|(path, blob)| old.get(path) != Some(blob)).map(|(path, _)| path);
    let gone = old.paths().filter(|path| new.get(path).is_none());
    let mut steps: Vec<Step> = changed.chain(gone).map(step).collect();
    steps.sort_by_key(|step| {
        let order = match (&step.old, &step.new) {
            _ if step.path.kind() == Kind::Ledger => 3,
            (None, _) => 0,
            (Some(_), Some(_)) => 1,
            (Some(_), None) => 2,
        };
        (order, step.path.clone())
    });
    steps
}

/// What to do for a step. `applied` says whether an interrupted run had already carried it out: then everything found is a person's.
pub fn resolve(step: &Step, applied: bool, found: Option<&Blob>, mtime: Stamp, now: Stamp) -> Action {
    let write = |blob: &Blob| Action::Write(vec![(step.path.clone(), blob.clone())]);
    if found == step.new.as_ref() {
        return Action::Leave;
    }
    if step.path.kind() == Kind::Ledger {
        return join_ledger(step, found);
    }
    if applied {
        return Action::Leave;
    }
    match (found, &step.new) {
        (_, None) if found == step.old.as_ref() => Action::Delete,
        (_, Some(new)) if found == step.old.as_ref() => write(new),
        // A person removed the old text; a new text from elsewhere is another fact and comes in, the same text stays removed.
        (None, Some(new)) => if same_fact(step) { Action::Leave } else { write(new) },
        (None, None) => Action::Leave,
        (Some(found), _) => keep_both(step, found, mtime, now),
    }
}

fn join_ledger(step: &Step, found: Option<&Blob>) -> Action {
    let read = |blob: Option<&Blob>| blob.map(|blob| crate::identity::Ledger::read(blob)).unwrap_or_default();
    let mut ledger = read(found);
    ledger.join(&read(step.new.as_ref()));
    match ledger.write() {
        Some(text) if found.is_none_or(|found| **found != *text.as_bytes()) => Action::Write(vec![(step.path.clone(), text.into_bytes().into())]),
        _ => Action::Leave,
    }
}

fn same_fact(step: &Step) -> bool {
    let hash = |blob: &Option<Blob>| blob.as_ref().and_then(|blob| Memory::read(&step.path, blob).ok()).map(|memory| memory.hash);
    step.path.kind() == Kind::Memory && hash(&step.old).is_some() && hash(&step.old) == hash(&step.new)
}

/// The file was changed between reading and writing: what was found is stamped, merged in, and left for the next commit.
fn keep_both(step: &Step, found: &Blob, mtime: Stamp, now: Stamp) -> Action {
    let one = |blob: Option<&Blob>| -> Snapshot { blob.map(|blob| (step.path.clone(), blob.clone())).into_iter().collect() };
    let memory = |blob: &Blob| (step.path.kind() == Kind::Memory).then(|| Memory::read(&step.path, blob).ok()).flatten();
    let stamped = match (memory(found), step.old.as_ref().and_then(memory)) {
        (Some(found), Some(old)) => tidy::stamp_edit(&found, &old, mtime, now).blob,
        _ => found.clone(),
    };
    let base = step.old.as_ref().map(|old| one(Some(old))).unwrap_or_default();
    let merged = merge(Some(&base), &one(step.new.as_ref()), &one(Some(&stamped)), Policy::Sync).snapshot;
    let mut files: Vec<(RelPath, Blob)> = merged.iter().filter(|(path, blob)| **path != step.path || *blob != found).map(|(p, b)| (p.clone(), b.clone())).collect();
    // What is new beside the path is written first, so that an interruption leaves both.
    files.sort_by_key(|(path, _)| *path == step.path);
    if files.is_empty() { Action::Leave } else { Action::Write(files) }
}
