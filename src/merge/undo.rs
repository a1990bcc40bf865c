//! Undoing a change, whatever happened since, through the same merge engine.
//!
//! Invariant: what was not published comes back byte for byte; what was, comes back as the same
//! facts, fields and entries once it is tidied against the current state.

use super::{
    Policy,
    change::{ChangeSet, FieldChange, FileChange},
    fields, merge,
};
use crate::identity::{
    Blob, ContentHash, Kind, Ledger, Memory, RelPath, Snapshot, Stamp, kind::LEDGER,
};
use std::collections::{BTreeMap, BTreeSet};

pub fn without_new_files(change: &ChangeSet) -> ChangeSet {
    ChangeSet::of(change.files.iter().filter(|file| file.before.is_some()).cloned().collect())
}

/// The change without these facts: they stay as they are.
pub fn without(change: &ChangeSet, facts: &[Memory]) -> ChangeSet {
    let hashes: BTreeSet<ContentHash> = facts.iter().map(|memory| memory.hash).collect();
    let stays = |file: &FileChange| {
        let after = file.after.as_ref().filter(|_| file.path.is_memory());
        let memory = after.and_then(|blob| Memory::read(&file.path, blob).ok());
        memory.is_some_and(|memory| hashes.contains(&memory.hash))
    };
    ChangeSet::of(change.files.iter().filter(|file| !stays(file)).cloned().collect())
}

/// The identity without the facts that the operation added: removing them was asked for, so the
/// guard must not count it.
pub fn without_brought(change: &ChangeSet, current: &Snapshot) -> Snapshot {
    let read = |path: &RelPath, blob: &Option<Blob>| Memory::read(path, blob.as_ref()?).ok();
    let brought: BTreeSet<_> = change
        .files
        .iter()
        .filter_map(|file| read(&file.path, &file.after))
        .map(|memory| memory.hash)
        .collect();
    let brought_by_it = |path: &RelPath, blob: &Blob| {
        path.is_memory()
            && Memory::read(path, blob).is_ok_and(|memory| brought.contains(&memory.hash))
    };
    current
        .iter()
        .filter(|(path, blob)| !brought_by_it(path, blob))
        .map(|(path, blob)| (path.clone(), blob.clone()))
        .collect()
}

/// Whether others may have seen what the operation wrote: a memory or a ledger line of it is in the
/// remote's last known commit, with a stamp that is no older: fields of it may have changed since.
pub fn is_published(done: &ChangeSet, there: &Snapshot) -> bool {
    let ledger = there.ledger();
    let memories = there.memories();
    let seen = |file: &FileChange| match (&file.after, file.path.kind()) {
        (Some(blob), Kind::Memory) => {
            let Ok(after) = Memory::read(&file.path, blob) else { return false };
            memories.iter().any(|there| {
                there.created == after.created
                    && there.hash == after.hash
                    && there.latest() >= after.latest()
            })
        }
        (Some(blob), Kind::Ledger) => {
            new_lines(file).iter().any(|(origin, hash, _)| ledger.get(*origin, *hash).is_some())
                && !blob.is_empty()
        }
        (after, _) => there.get(&file.path) == after.as_ref() && after.is_some(),
    };
    done.files.iter().any(seen)
}

type Line = (Stamp, ContentHash, Stamp);

fn new_lines(file: &FileChange) -> Vec<Line> {
    let read =
        |blob: &Option<Blob>| blob.as_ref().map(|blob| Ledger::read(blob)).unwrap_or_default();
    let before = read(&file.before);
    read(&file.after)
        .iter()
        .filter(|(origin, hash, stamp)| before.get(*origin, *hash) != Some(*stamp))
        .collect()
}

pub fn taken_back(change: &ChangeSet, current: &Snapshot) -> Snapshot {
    let side = |pick: fn(&FileChange) -> &Option<Blob>| -> Snapshot {
        let files = change.files.iter().filter(|file| file.path.kind() != Kind::Ledger);
        files.filter_map(|file| Some((file.path.clone(), pick(file).clone()?))).collect()
    };
    let (after, before) = (side(|file| &file.after), side(|file| &file.before));
    let here = touched(current, change, &after, &before);
    let mut result = current.clone();
    for path in here.paths() {
        result.remove(path);
    }
    let (after, before) = without_labels_since(&here, after, before);
    let merged = merge(Some(&after), &here, &before, Policy::RestoreForgotten).snapshot;
    for (path, blob) in merged.iter() {
        result.put(path.clone(), blob.clone());
    }
    restore_ledger(change, current, &mut result);
    result
}

/// A fact that only got another number or a later stamp since the operation is no edited one: it
/// counts as if the operation had left it so.
fn without_labels_since(
    here: &Snapshot,
    mut after: Snapshot,
    mut before: Snapshot,
) -> (Snapshot, Snapshot) {
    let by_origin = |side: &Snapshot| -> BTreeMap<Stamp, Memory> {
        side.memories().into_iter().map(|memory| (memory.created, memory)).collect()
    };
    let (left, found) = (by_origin(&after), by_origin(&before));
    for now in here.memories() {
        let Some(left) = left.get(&now.created).filter(|left| **left != now) else { continue };
        if says_the_same(left, &now) {
            after.remove(&left.path);
            after.put(now.path.clone(), now.blob.clone());
        }
        let Some(found) = found.get(&now.created) else { continue };
        if let Some(id) = now.id.filter(|id| left.id != Some(*id)) {
            let renumbered = found.renumbered(id);
            before.remove(&found.path);
            before.put(renumbered.path, renumbered.blob);
        }
    }
    (after, before)
}

fn says_the_same(one: &Memory, other: &Memory) -> bool {
    one.hash == other.hash && fields::changed(one, other).iter().all(FieldChange::is_number)
}

/// The current files that the operation touched: by path, memories by origin wherever they are.
fn touched(
    current: &Snapshot,
    change: &ChangeSet,
    after: &Snapshot,
    before: &Snapshot,
) -> Snapshot {
    let origins: BTreeSet<_> =
        after.memories().iter().chain(&before.memories()).map(|memory| memory.created).collect();
    let by_path = |path: &RelPath| {
        change.files.iter().any(|file| file.path == *path) && path.kind() != Kind::Ledger
    };
    let by_origin = |path: &RelPath, blob| {
        path.is_memory()
            && Memory::read(path, blob).is_ok_and(|memory| origins.contains(&memory.created))
    };
    current
        .iter()
        .filter(|(path, blob)| by_path(path) || by_origin(path, blob))
        .map(|(path, blob)| (path.clone(), blob.clone()))
        .collect()
}

/// The ledger comes back byte for byte where nothing else was forgotten since; otherwise only this
/// operation's lines are deleted. Tidy restores published lines, because the remote has them.
fn restore_ledger(change: &ChangeSet, current: &Snapshot, result: &mut Snapshot) {
    let Some(file) = change.files.iter().find(|file| file.path.kind() == Kind::Ledger) else {
        return;
    };
    let path = RelPath::known(LEDGER);
    if current.get(&path) == file.after.as_ref() {
        match &file.before {
            Some(blob) => result.put(path, blob.clone()),
            None => {
                result.remove(&path);
            }
        }
        return;
    }
    let gone = new_lines(file);
    let mut ledger = Ledger::default();
    for (origin, hash, stamp) in current.ledger().iter().filter(|line| !gone.contains(line)) {
        ledger.add(origin, hash, stamp);
    }
    match ledger.write() {
        Some(text) => result.put(path, text.into_bytes()),
        None => {
            result.remove(&path);
        }
    }
}
