//! Plans how a tree gets to the work tree: the steps, their order, and what to do with the files
//! found there, never over a person's concurrent change. `workspace::transaction` and `sync` carry
//! it out.
//!
//! Invariant: creates before overwrites before deletes before the ledger, so that a crash at any
//! point looks like facts learned, never like facts forgotten; a memory that changes its path moves
//! in one step, so that it never exists twice; if files exchange facts, a copy of one is kept to
//! the very end. Must not know: the disk.

use super::{Policy, blob_source::BlobSource, memories, merge, renames, stamps::stamp_edit};
use crate::identity::{
    Blob, ContentHash, FileChange, Ledger, Memory, RelPath, Snapshot, Stamp, slug,
};
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

/// A change at its place in the order, and what it needs from other files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub change: FileChange,
    /// Set for a memory that changes its path.
    pub source: Option<BlobSource>,
    /// For a file whose fact remains in another file: that file, and its planned content.
    pub relies_on: Option<(RelPath, Blob)>,
}

/// The files of a step as found on disk.
#[derive(Clone, Default, Debug)]
pub struct FilesOnDisk {
    pub at_path: Option<Blob>,
    pub at_source: Option<Blob>,
    pub at_relied: Option<Blob>,
    /// Mtime of the file at the path, or at the source.
    pub mtime: Option<Stamp>,
    /// An interrupted run already did this step: any difference now is a person's change.
    pub applied: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Already correct, or a person's change that stays.
    Leave,
    /// Writes these files in this order.
    Write(Vec<(RelPath, Blob)>),
    /// The file at `from` gets these bytes, and is then renamed to `to`.
    Move {
        from: RelPath,
        to: RelPath,
        blob: Blob,
    },
    Delete,
}

/// The steps in an order that is safe to interrupt.
pub fn plan(old: &Snapshot, new: &Snapshot) -> Vec<Step> {
    let changes = old.changes_to(new);
    let moves = moves(&changes, old, new);
    let step = |change: FileChange| Step {
        source: moves.get(&change.path).cloned(),
        change,
        relies_on: None,
    };
    let left = |path: &RelPath| moves.values().any(|source| source.frees && source.path == *path);
    let (changed, mut gone): (Vec<FileChange>, Vec<FileChange>) =
        changes.into_iter().partition(|change| change.after.is_some());
    gone.retain(|change| !left(&change.path));
    let mut steps: Vec<Step> = changed.into_iter().chain(gone).map(step).collect();
    name_relied(&mut steps, new);
    let (beside, cleared) = kept_beside(&mut steps, old, new);
    steps.sort_by_key(|step| {
        let order = match (&step.change.before, &step.change.after) {
            _ if step.path().is_ledger() => 4,
            (None, _) => 0,
            (Some(_), Some(_)) if step.source.is_none() => 1,
            (Some(_), Some(_)) => 2,
            (Some(_), None) => 3,
        };
        (order, step.path().clone())
    });
    beside.into_iter().chain(after_what_they_rely_on(steps)).chain(cleared).collect()
}

/// If files exchange their facts, one of them must be replaced first: its old bytes are kept next
/// to it until all are written. Returns the steps to run before and after the others.
fn kept_beside(steps: &mut [Step], old: &Snapshot, new: &Snapshot) -> (Vec<Step>, Vec<Step>) {
    let at: BTreeMap<RelPath, usize> =
        steps.iter().enumerate().map(|(at, step)| (step.path().clone(), at)).collect();
    let next = |step: &Step| at.get(&step.relies_on.as_ref()?.0).copied();
    let (mut beside, mut cleared) = (Vec::new(), Vec::new());
    let mut seen = vec![usize::MAX; steps.len()];
    for first in 0..steps.len() {
        let mut here = Some(first);
        while let Some(step) = here.filter(|step| seen[*step] == usize::MAX) {
            seen[step] = first;
            here = next(&steps[step]);
        }
        // There is an exchange only if the walk returns to its own steps.
        let Some(closing) = here.filter(|step| seen[*step] == first) else { continue };
        let step = &mut steps[closing];
        let (Some(bytes), Some(relied)) = (step.change.before.clone(), step.relies_on.take())
        else {
            continue;
        };
        let mut digits = 6;
        let mut path = slug::with_suffix(step.path(), &ContentHash::of_bytes(&bytes).short(digits));
        while old.get(&path).is_some() || new.get(&path).is_some() {
            digits += 6;
            path = slug::with_suffix(step.path(), &ContentHash::of_bytes(&bytes).short(digits));
        }
        let kept = FileChange { path, before: None, after: Some(bytes) };
        let one = |change, relies_on| Step { change, source: None, relies_on };
        cleared.push(one(kept.clone().reversed(), Some(relied)));
        beside.push(one(kept, None));
    }
    (beside, cleared)
}

/// Orders the steps so that a file is replaced only after its fact was written elsewhere.
fn after_what_they_rely_on(steps: Vec<Step>) -> Vec<Step> {
    let at: BTreeMap<RelPath, usize> =
        steps.iter().enumerate().map(|(at, step)| (step.path().clone(), at)).collect();
    let mut order: Vec<usize> = Vec::with_capacity(steps.len());
    let mut placed = vec![false; steps.len()];
    for first in 0..steps.len() {
        let mut chain = vec![first];
        let mut last = first;
        while let Some(next) =
            steps[last].relies_on.as_ref().and_then(|(path, _)| at.get(path)).copied()
        {
            if placed[next] || chain.contains(&next) {
                break;
            }
            chain.push(next);
            last = next;
        }
        for step in chain.into_iter().rev() {
            if !placed[step] {
                placed[step] = true;
                order.push(step);
            }
        }
    }
    let mut steps: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| steps[at].take()).collect()
}

/// Memories that keep their origin and change their path, by new path; and texts that move to a new
/// file because another version takes their path: a person who removed the text there meant that
/// text. If the old text goes to a different file it is not a move: the old path is emptied only
/// after that file is written.
fn moves(changes: &[FileChange], old: &Snapshot, new: &Snapshot) -> BTreeMap<RelPath, BlobSource> {
    let changed = |side: fn(&FileChange) -> &Option<Blob>| -> Vec<Memory> {
        changes
            .iter()
            .filter(|change| change.path.is_memory())
            .filter_map(|change| Memory::read(&change.path, side(change).as_ref()?).ok())
            .collect()
    };
    let before = memories::by_origin(changed(|change| &change.before), &BTreeMap::new());
    let after = memories::by_origin(changed(|change| &change.after), &BTreeMap::new());
    let texts: BTreeSet<ContentHash> = after.values().map(|memory| memory.hash).collect();
    let by_text: BTreeMap<ContentHash, &Memory> =
        before.values().map(|memory| (memory.hash, memory)).collect();
    let forked = |memory: &Memory| {
        by_text.get(&memory.hash).copied().filter(|_| old.get(&memory.path).is_none())
    };
    let source = |memory: &Memory| {
        let same_origin = before.get(&memory.created);
        let was = same_origin.or_else(|| forked(memory)).filter(|was| was.path != memory.path)?;
        let frees = same_origin.is_some() && new.get(&was.path).is_none();
        if was.hash != memory.hash && texts.contains(&was.hash) {
            return None;
        }
        let blob = old.get(&was.path)?.clone();
        Some((memory.path.clone(), BlobSource { path: was.path.clone(), blob, frees }))
    };
    let mut moves: BTreeMap<RelPath, BlobSource> = after.values().filter_map(source).collect();
    renames::add_by_case(&mut moves, changes);
    moves
}

/// A memory whose fact remains in another file may only be deleted, or replaced by another version,
/// while that file exists: a person may have removed it in the meantime.
fn name_relied(steps: &mut [Step], new: &Snapshot) {
    let read = |path: &RelPath, blob: &Option<Blob>| {
        path.is_memory().then(|| Memory::read(path, blob.as_ref()?).ok()).flatten()
    };
    let written: BTreeMap<ContentHash, Memory> = steps
        .iter()
        .filter_map(|step| read(step.path(), &step.change.after))
        .map(|memory| (memory.hash, memory))
        .collect();
    // Only memories that go need all of them read, and those are few.
    let staying = OnceCell::new();
    for step in steps {
        let Some(old) = read(step.path(), &step.change.before) else { continue };
        let same = match read(step.path(), &step.change.after) {
            Some(new) if new.hash == old.hash => continue,
            Some(new) if new.created == old.created => written.get(&old.hash),
            _ => {
                let (by_text, by_origin) = staying.get_or_init(|| {
                    let all = new.memories();
                    let by_origin: BTreeMap<Stamp, Memory> =
                        all.iter().map(|memory| (memory.created, memory.clone())).collect();
                    let by_text: BTreeMap<ContentHash, Memory> =
                        all.into_iter().map(|memory| (memory.hash, memory)).collect();
                    (by_text, by_origin)
                });
                by_text.get(&old.hash).or_else(|| by_origin.get(&old.created))
            }
        };
        step.relies_on = same.map(|memory| (memory.path.clone(), memory.blob.clone()));
    }
}

impl Step {
    pub fn path(&self) -> &RelPath {
        &self.change.path
    }

    /// The new bytes, preceded by the fact that they displace if a person removed it elsewhere.
    fn files_to_write(&self, new: &Blob, found: &FilesOnDisk) -> Vec<(RelPath, Blob)> {
        let displaced = self
            .relies_on
            .clone()
            .filter(|_| !self.may_replace(found.at_relied.as_ref()))
            .map(|(path, blob)| match found.at_relied {
                None => (path, blob),
                // The file it relies on was edited: write the old text next to it; the next tidy
                // separates the two.
                Some(_) => {
                    (slug::with_suffix(self.path(), &ContentHash::of_bytes(&blob).short(6)), blob)
                }
            });
        displaced.into_iter().chain([(self.path().clone(), new.clone())]).collect()
    }

    /// Whether the old bytes may be replaced: no other file has their fact, or that file exists.
    pub fn may_replace(&self, at_relied: Option<&Blob>) -> bool {
        let Some((relied, planned)) = &self.relies_on else { return true };
        let read = |path: &RelPath, blob: &Blob| Memory::read(path, blob).ok();
        let there = at_relied.and_then(|blob| read(relied, blob));
        let doomed = self.change.before.as_ref().and_then(|blob| read(self.path(), blob));
        let (Some(there), Some(doomed), Some(planned)) = (there, doomed, read(relied, planned))
        else {
            return false;
        };
        // A copy may be deleted while the other file has the same text; an old version, while its
        // memory exists.
        if planned.hash == doomed.hash {
            there.hash == doomed.hash
        } else {
            there.created == doomed.created
        }
    }
}

pub fn resolve(step: &Step, found: &FilesOnDisk, now: Stamp) -> Action {
    let FileChange { path, before, after } = &step.change;
    if let (Some(source), Some(new)) = (&step.source, after) {
        return resolve_move(step, source, new, found, now);
    }
    if found.at_path == *after {
        return Action::Leave;
    }
    if path.is_ledger() {
        return join_ledger(&step.change, found.at_path.as_ref());
    }
    if found.applied {
        return Action::Leave;
    }
    let mtime = found.mtime.unwrap_or(now);
    match (&found.at_path, after) {
        (at_path, None) if at_path == before => {
            if step.may_replace(found.at_relied.as_ref()) {
                Action::Delete
            } else {
                Action::Leave
            }
        }
        (at_path, Some(new)) if at_path == before => Action::Write(step.files_to_write(new, found)),
        // Removed by a person: the same text stays removed; a new text is a different fact and is
        // written.
        (None, Some(new)) if same_fact(path, before.as_ref(), new) => Action::Leave,
        (None, Some(new)) => Action::Write(vec![(path.clone(), new.clone())]),
        (None, None) => Action::Leave,
        (Some(theirs), _) => keep_both(&step.change, theirs, mtime, now),
    }
}

fn resolve_move(
    step: &Step,
    source: &BlobSource,
    new: &Blob,
    found: &FilesOnDisk,
    now: Stamp,
) -> Action {
    let free = found.at_path == step.change.before;
    let has_new = found.at_path.as_ref() == Some(new);
    let mtime = found.mtime.unwrap_or(now);
    let write = || Action::Write(step.files_to_write(new, found));
    let beside = || {
        let at_path = found.at_path.as_ref().unwrap_or(new);
        keep_both(&step.change, at_path, mtime, now)
    };
    match &found.at_source {
        _ if found.applied => Action::Leave,
        at_source if has_new && at_source.as_ref() != Some(&source.blob) => Action::Leave,
        Some(lies) if *lies == source.blob || lies == new => {
            match (free || has_new, source.frees) {
                (true, true) if !step.may_replace(found.at_relied.as_ref()) => write(),
                (true, true) => Action::Move {
                    from: source.path.clone(),
                    to: step.path().clone(),
                    blob: new.clone(),
                },
                (true, false) => write(),
                // The new path is occupied by another file: the memory stays where it is.
                (false, true) => Action::Write(vec![(source.path.clone(), new.clone())]),
                (false, false) => beside(),
            }
        }
        None if same_fact(step.path(), Some(&source.blob), new) => Action::Leave,
        None if free => write(),
        None => beside(),
        Some(_) if !source.frees => {
            if free {
                write()
            } else {
                Action::Leave
            }
        }
        Some(lies) => {
            let (before, after) = (Some(source.blob.clone()), Some(new.clone()));
            let there = FileChange { path: source.path.clone(), before, after };
            keep_both(&there, lies, mtime, now)
        }
    }
}

fn join_ledger(change: &FileChange, found: Option<&Blob>) -> Action {
    let read = |blob: Option<&Blob>| blob.map(|blob| Ledger::read(blob)).unwrap_or_default();
    let mut ledger = read(found);
    ledger.join(&read(change.after.as_ref()));
    match ledger.write() {
        Some(text) if found.is_none_or(|found| **found != *text.as_bytes()) => {
            Action::Write(vec![(change.path.clone(), text.into_bytes().into())])
        }
        _ => Action::Leave,
    }
}

fn same_fact(path: &RelPath, old: Option<&Blob>, new: &Blob) -> bool {
    let hash = |blob: &Blob| Memory::read(path, blob).ok().map(|memory| memory.hash);
    path.is_memory() && old.and_then(hash).is_some_and(|old| hash(new) == Some(old))
}

/// The file changed after it was read: stamp and merge its content, for the next commit.
fn keep_both(change: &FileChange, found: &Blob, mtime: Stamp, now: Stamp) -> Action {
    let FileChange { path, before, after } = change;
    let one = |blob: Option<&Blob>| -> Snapshot {
        blob.map(|blob| (path.clone(), blob.clone())).into_iter().collect()
    };
    let memory = |blob: &Blob| (path.is_memory()).then(|| Memory::read(path, blob).ok()).flatten();
    let stamped = match (memory(found), before.as_ref().and_then(memory)) {
        (Some(found), Some(old)) => stamp_edit(&found, &old, mtime, now).blob,
        _ => found.clone(),
    };
    let (base, ours) = (one(before.as_ref()), one(after.as_ref()));
    let merged = merge(Some(&base), &ours, &one(Some(&stamped)), Policy::Sync).snapshot;
    let differs = |(at, blob): &(&RelPath, &Blob)| *at != path || *blob != found;
    let mut files: Vec<(RelPath, Blob)> =
        merged.iter().filter(differs).map(|(path, blob)| (path.clone(), blob.clone())).collect();
    // New files first, so that an interruption leaves both versions.
    files.sort_by_key(|(at, _)| at == path);
    if files.is_empty() { Action::Leave } else { Action::Write(files) }
}
