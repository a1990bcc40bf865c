//! Undoes a change, whatever happened since, with the same merge engine.
//!
//! Invariant: unpublished changes are undone byte for byte; published ones come back as the same
//! facts, fields and entries once tidied against the current state.

use super::{
    Policy,
    change::{ChangeSet, FieldChange, FileChange},
    field_changes, merge,
    newer::UndoStates,
    tidy::{self, Clock},
    versions,
};
use crate::identity::{
    Blob, ContentHash, Kind, Ledger, Memory, RelPath, Role, Snapshot, Stamp, kind::LEDGER,
    value::Value,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

/// The change without these facts, which stay as they are.
pub fn without(change: &ChangeSet, facts: &[Memory]) -> ChangeSet {
    let hashes: BTreeSet<ContentHash> = facts.iter().map(|memory| memory.hash).collect();
    let stays = |file: &FileChange| {
        let after = file.after.as_ref().filter(|_| file.path.is_memory());
        let memory = after.and_then(|blob| Memory::read(&file.path, blob).ok());
        memory.is_some_and(|memory| hashes.contains(&memory.hash))
    };
    ChangeSet::of(change.files.iter().filter(|file| !stays(file)).cloned().collect())
}

/// The change, in which an edit whose text a merge has since set apart is an edit of the memory
/// that has this text now: the memory with the old origin has what another laptop wrote. `since` is
/// what this laptop wrote after the change.
pub fn followed(change: &ChangeSet, since: &[FileChange], current: &Snapshot) -> ChangeSet {
    let read = |path: &RelPath, blob: &Option<Blob>| Memory::read(path, blob.as_ref()?).ok();
    let here = current.memories();
    let now = |origin: Stamp| here.iter().find(|memory| memory.created == origin);
    let sides = |file: &FileChange| [read(&file.path, &file.before), read(&file.path, &file.after)];
    let own: BTreeSet<Stamp> =
        change.files.iter().flat_map(sides).flatten().map(|memory| memory.created).collect();
    let later: Vec<Memory> =
        since.iter().filter_map(|file| read(&file.path, &file.after)).collect();
    let apart = |left: &Memory| {
        if now(left.created).is_some_and(|now| now.hash == left.hash) {
            return None;
        }
        let edited = later.iter().filter(|memory| memory.created == left.created);
        let mut texts = iter::once(left).chain(edited);
        let found = texts.find_map(|text| now(versions::of_its_own(text).created));
        found.filter(|found| !own.contains(&found.created))
    };
    let follow = |file: &FileChange| -> Option<FileChange> {
        let [Some(found), Some(left)] = sides(file) else { return None };
        if found.created != left.created || found.hash == left.hash {
            return None;
        }
        let apart = apart(&left)?;
        let id = apart.id?;
        let written = || Value::Text(apart.created_text());
        let there = |memory: &Memory| {
            memory.edited(|document| document.set("created", written())).renumbered(id).blob
        };
        let (before, after) = (Some(there(&found)), Some(there(&left)));
        Some(FileChange { path: apart.path.clone(), before, after })
    };
    let files = change.files.iter().map(|file| follow(file).unwrap_or_else(|| file.clone()));
    ChangeSet::of(files.collect())
}

/// The identity without the facts that the operation added: their removal was asked for, so the
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

/// The files of an operation that others may have seen: one of their memories or ledger lines is in
/// the remote's last known commit with an equal or later stamp (its fields may have changed since).
pub fn published(done: &ChangeSet, there: &Snapshot) -> BTreeSet<RelPath> {
    let ledger = there.ledger();
    let memories = there.memories();
    let seen = |file: &&FileChange| match (&file.after, file.path.kind()) {
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
        (after, _) => match (there.get(&file.path), after) {
            (Some(there), Some(after)) => there == after || labels_differ(there, after),
            _ => false,
        },
    };
    let mut paths: BTreeSet<RelPath> =
        done.files.iter().filter(seen).map(|file| file.path.clone()).collect();
    // A fact whose forget was published comes back as learned again.
    let lines = done.files.iter().filter(|file| file.path.is_ledger()).filter(seen);
    let forgotten: BTreeSet<ContentHash> =
        lines.flat_map(new_lines).map(|(_, hash, _)| hash).collect();
    for file in done.files.iter().filter(|file| file.path.is_memory()) {
        let before = file.before.as_ref().and_then(|blob| Memory::read(&file.path, blob).ok());
        if before.is_some_and(|memory| forgotten.contains(&memory.hash)) {
            paths.insert(file.path.clone());
        }
    }
    paths
}

/// Whether two versions of a file differ only in what sync itself writes.
pub fn says_the_same(one: Option<&Blob>, other: Option<&Blob>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other || labels_differ(one, other),
        (one, other) => one == other,
    }
}

/// Whether only what sync itself writes differs: checksum and stamp.
fn labels_differ(one: &Blob, other: &Blob) -> bool {
    fn lines_of(blob: &Blob) -> Option<Vec<&str>> {
        let is_label = |line: &&str| line.starts_with("checksum:") || line.starts_with("updated:");
        let lines = std::str::from_utf8(blob).ok()?.lines();
        Some(lines.filter(|line| !is_label(line)).collect())
    }
    lines_of(one).is_some_and(|one| Some(one) == lines_of(other))
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

/// The identity with an operation undone.
pub struct TakenBack {
    pub snapshot: Snapshot,
    /// Files whose newer text an undo would overwrite.
    pub over_newer: Vec<RelPath>,
    /// Files created by the operation that stay because they were changed since.
    pub changed_since: Vec<RelPath>,
}

pub fn taken_back(change: &ChangeSet, current: &Snapshot) -> TakenBack {
    let side = |pick: fn(&FileChange) -> &Option<Blob>| -> Snapshot {
        let files = change.files.iter().filter(|file| !is_by_lines(&file.path));
        files.filter_map(|file| Some((file.path.clone(), pick(file).clone()?))).collect()
    };
    let (after, before) = (side(|file| &file.after), side(|file| &file.before));
    let here = touched(current, change, &after, &before);
    let mut result = current.clone();
    for path in here.paths() {
        result.remove(path);
    }
    let (after, before) = without_labels_since(&here, after, before);
    // Nothing happened since: byte for byte, including copies of one fact.
    let mut back = if here == after {
        before.clone()
    } else {
        merge(Some(&after), &here, &before, Policy::RestoreForgotten).snapshot
    };
    // A document that nothing comes back to is left alone, stamps included.
    for (path, now) in here.iter().filter(|(path, _)| !path.is_memory()) {
        let is_new = after.get(path).is_some_and(|left| left != now);
        if is_new && back.get(path).is_some_and(|back| labels_differ(back, now)) {
            back.put(path.clone(), now.clone());
        }
    }
    result.put_all(&back);
    restore_ledger(change, current, &mut result);
    restore_answers(change, &mut result);
    let sides = UndoStates { here: &here, after: &after, before: &before, back: &back };
    let over_newer = sides.over_newer();
    let stays = |file: &&FileChange| {
        let (now, back) = (here.get(&file.path), back.get(&file.path));
        let is_changed = now.is_some() && now != after.get(&file.path) && !file.path.is_memory();
        let is_brought = file.before.is_none() && back.is_some();
        !is_by_lines(&file.path) && (is_brought || (is_changed && now == back))
    };
    let changed_since = change.files.iter().filter(stays).map(|file| file.path.clone()).collect();
    TakenBack { snapshot: result, over_newer, changed_since }
}

/// Files in which only the operation's own lines are undone, whatever else was added since.
fn is_by_lines(path: &RelPath) -> bool {
    path.role() == Role::Record
}

/// Removes the answers that the operation added and restores those that it removed.
fn restore_answers(change: &ChangeSet, result: &mut Snapshot) {
    let Some(file) = change.files.iter().find(|file| file.path.kind() == Kind::Reviewed) else {
        return;
    };
    let text = |blob: Option<&Blob>| {
        blob.map(|blob| String::from_utf8_lossy(blob).into_owned()).unwrap_or_default()
    };
    let (before, after) = (text(file.before.as_ref()), text(file.after.as_ref()));
    let now = text(result.get(&file.path));
    let has = |text: &str, line: &str| text.lines().any(|known| known == line);
    let kept = now.lines().filter(|line| has(&before, line) || !has(&after, line));
    let back = before.lines().filter(|line| !has(&after, line) && !has(&now, line));
    let lines: Vec<&str> = kept.chain(back).collect();
    // With no answers left, the file did not exist before.
    if file.before.is_none() && !lines.iter().any(|line| line.starts_with("- ")) {
        result.remove(&file.path);
        return;
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    result.put(file.path.clone(), text.into_bytes());
}

/// Like [`taken_back`], but stamps whatever others may have seen, so that the undo reaches them.
/// The rest never existed for anyone else: it gets no stamp and leaves no ledger line.
pub fn taken_back_for_all(
    change: &ChangeSet,
    current: &Snapshot,
    seen: &BTreeSet<RelPath>,
    clock: Clock<'_>,
) -> TakenBack {
    let back = taken_back(change, current);
    if seen.is_empty() {
        return back;
    }
    let mut reference = current.clone();
    // Answers go line by line; a file of them that is gone was not removed by hand.
    let is_for_others = |path: &RelPath| seen.contains(path) && path.kind() != Kind::Reviewed;
    for file in change.files.iter().filter(|file| !is_for_others(&file.path)) {
        reference.set(&file.path, back.snapshot.get(&file.path));
    }
    let tidied = tidy::tidy(&back.snapshot, &reference, clock).snapshot;
    // Anything else that is untidy here is left to the next sync.
    let mut snapshot = back.snapshot.clone();
    let ledger = RelPath::known(LEDGER);
    let touched = ChangeSet::between(current, &back.snapshot).files;
    for path in touched.iter().map(|file| &file.path).chain([&ledger]) {
        snapshot.set(path, tidied.get(path));
    }
    TakenBack { snapshot, ..back }
}

/// A fact that only got another number or a later stamp since the operation is not an edited one,
/// nor is a document that only got what sync itself writes: both are treated as if the operation
/// had left them that way.
fn without_labels_since(
    here: &Snapshot,
    mut after: Snapshot,
    mut before: Snapshot,
) -> (Snapshot, Snapshot) {
    let by_origin = |side: &Snapshot| -> BTreeMap<Stamp, Memory> {
        side.memories().into_iter().map(|memory| (memory.created, memory)).collect()
    };
    let (left, found) = (by_origin(&after), by_origin(&before));
    for (path, now) in here.iter().filter(|(path, _)| !path.is_memory()) {
        if after.get(path).is_some_and(|left| left != now && labels_differ(left, now)) {
            after.put(path.clone(), now.clone());
        }
    }
    for now in here.memories() {
        let Some(left) = left.get(&now.created).filter(|left| **left != now) else { continue };
        if is_same_fact(left, &now) {
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

fn is_same_fact(one: &Memory, other: &Memory) -> bool {
    one.hash == other.hash && field_changes::changed(one, other).iter().all(FieldChange::is_number)
}

/// The current files that the operation touched: by path, and memories by origin wherever they are.
fn touched(
    current: &Snapshot,
    change: &ChangeSet,
    after: &Snapshot,
    before: &Snapshot,
) -> Snapshot {
    let origins: BTreeSet<_> =
        after.memories().iter().chain(&before.memories()).map(|memory| memory.created).collect();
    let by_path =
        |path: &RelPath| change.files.iter().any(|file| file.path == *path) && !is_by_lines(path);
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

/// The ledger is restored byte for byte if nothing else was forgotten since; otherwise only this
/// operation's lines are deleted. Tidy restores published lines, because the remote has them.
fn restore_ledger(change: &ChangeSet, current: &Snapshot, result: &mut Snapshot) {
    let Some(file) = change.files.iter().find(|file| file.path.is_ledger()) else {
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
    let read =
        |blob: &Option<Blob>| blob.as_ref().map(|blob| Ledger::read(blob)).unwrap_or_default();
    let ledger = current.ledger().without(&read(&file.before), &read(&file.after));
    match ledger.write() {
        Some(text) => result.put(path, text.into_bytes()),
        None => {
            result.remove(&path);
        }
    }
}
