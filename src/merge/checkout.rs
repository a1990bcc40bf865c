//! How an identity reaches the work tree: one file at a time, never over what a person changed
//! meanwhile.
//!
//! Invariant: creates before overwrites before deletes before the ledger, so that a crash at any
//! point looks like facts learned, never like facts forgotten; a memory that changes its path moves
//! in one step, so that it is never there twice. Deciding is pure; the caller only reads, writes,
//! moves and deletes.

use super::{Policy, memories, merge, tidy};
use crate::identity::{Blob, ContentHash, Kind, Ledger, Memory, RelPath, Snapshot, Stamp, slug};
use std::collections::BTreeMap;

/// One file of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The file.
    pub path: RelPath,
    /// What the old tree had there.
    pub old: Option<Blob>,
    /// What the new tree has there.
    pub new: Option<Blob>,
    /// Where this memory lay before, when it changes its path.
    pub source: Option<Source>,
    /// For a file whose fact stays in another one: that other one, and what it holds then.
    pub relies_on: Option<(RelPath, Blob)>,
}

/// Where a memory comes from that changes its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its old path.
    pub path: RelPath,
    /// Its old bytes.
    pub blob: Blob,
    /// Whether the old path is empty in the new tree.
    pub frees: bool,
}

/// The files of a step as they were found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// At the step's path.
    pub at_path: Option<&'a Blob>,
    /// At its source.
    pub at_source: Option<&'a Blob>,
    /// At the file it relies on.
    pub at_relied: Option<&'a Blob>,
    /// When the file at the path (or the source) was last written.
    pub mtime: Stamp,
    /// Whether an interrupted run had already carried the step out: then everything found is a
    /// person's.
    pub applied: bool,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// It is as it should be, or a person's change that stays.
    Leave,
    /// These files are to be written, in this order.
    Write(Vec<(RelPath, Blob)>),
    /// The file at the first path gets these bytes and then the second path, in place.
    Move {
        /// The old path.
        from: RelPath,
        /// The new path.
        to: RelPath,
        /// The bytes.
        blob: Blob,
    },
    /// The file at the step's path is to be removed.
    Delete,
}

/// The steps from one tree to another, in the order that is safe to interrupt.
pub fn plan(old: &Snapshot, new: &Snapshot) -> Vec<Step> {
    let moves = moves(old, new);
    let step = |path: &RelPath| Step {
        path: path.clone(),
        old: old.get(path).cloned(),
        new: new.get(path).cloned(),
        source: moves.get(path).cloned(),
        relies_on: None,
    };
    let left = |path: &RelPath| moves.values().any(|source| source.frees && source.path == *path);
    let changed =
        new.iter().filter(|(path, blob)| old.get(path) != Some(blob)).map(|(path, _)| path);
    let gone = old.paths().filter(|path| new.get(path).is_none() && !left(path));
    let mut steps: Vec<Step> = changed.chain(gone).map(step).collect();
    name_relied(&mut steps, new);
    steps.sort_by_key(|step| {
        let order = match (&step.old, &step.new) {
            _ if step.path.kind() == Kind::Ledger => 4,
            (None, _) => 0,
            (Some(_), Some(_)) if step.source.is_none() => 1,
            (Some(_), Some(_)) => 2,
            (Some(_), None) => 3,
        };
        (order, step.path.clone())
    });
    after_what_they_rely_on(steps)
}

/// A file is replaced only after the one that takes its fact over was written.
fn after_what_they_rely_on(steps: Vec<Step>) -> Vec<Step> {
    let at: BTreeMap<RelPath, usize> =
        steps.iter().enumerate().map(|(at, step)| (step.path.clone(), at)).collect();
    let mut order: Vec<usize> = Vec::with_capacity(steps.len());
    let mut placed = vec![false; steps.len()];
    for first in 0..steps.len() {
        let mut chain = vec![first];
        // Follow what relies on what; a circle is cut where it closes.
        while let Some(next) = chain
            .last()
            .and_then(|last| steps[*last].relies_on.as_ref())
            .and_then(|(path, _)| at.get(path))
        {
            if placed[*next] || chain.contains(next) {
                break;
            }
            chain.push(*next);
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

/// Memories that keep their origin and change their path, by new path.
fn moves(old: &Snapshot, new: &Snapshot) -> BTreeMap<RelPath, Source> {
    let changed = |from: &Snapshot, to: &Snapshot| -> Vec<Memory> {
        let differs = |path: &RelPath, blob: &Blob| path.is_memory() && to.get(path) != Some(blob);
        from.iter()
            .filter(|(path, blob)| differs(path, blob))
            .filter_map(|(path, blob)| Memory::read(path, blob).ok())
            .collect()
    };
    let before = memories::by_origin(changed(old, new), &BTreeMap::new());
    let after = memories::by_origin(changed(new, old), &BTreeMap::new());
    let source = |memory: &Memory| {
        let was = before.get(&memory.created).filter(|was| was.path != memory.path)?;
        let blob = old.get(&was.path)?.clone();
        Some((
            memory.path.clone(),
            Source { path: was.path.clone(), blob, frees: new.get(&was.path).is_none() },
        ))
    };
    after.values().filter_map(source).collect()
}

/// A memory whose fact stays in another file may only go while that file is there: a person may
/// have taken that one meanwhile.
fn name_relied(steps: &mut [Step], new: &Snapshot) {
    let doomed = |step: &Step| {
        let old = step
            .old
            .as_ref()
            .and_then(|blob| Memory::read(&step.path, blob).ok())
            .filter(|_| step.path.is_memory())?;
        let new = step.new.as_ref().and_then(|blob| Memory::read(&step.path, blob).ok());
        new.is_none_or(|new| new.created != old.created && new.hash != old.hash).then_some(old)
    };
    if !steps.iter().any(|step| doomed(step).is_some()) {
        return;
    }
    let staying = new.memories();
    for step in steps {
        if let Some(doomed) = doomed(step) {
            let same_text = staying.iter().find(|memory| memory.hash == doomed.hash);
            let same = same_text
                .or_else(|| staying.iter().find(|memory| memory.created == doomed.created));
            step.relies_on = same.map(|memory| (memory.path.clone(), memory.blob.clone()));
        }
    }
}

impl Step {
    /// The new bytes, and before them the fact that they displace, should a person have taken it
    /// from where it went.
    fn files_to_write(&self, new: &Blob, found: Found<'_>) -> Vec<(RelPath, Blob)> {
        let displaced = self.relies_on.clone().filter(|_| !self.may_replace(found.at_relied)).map(
            |(path, blob)| match found.at_relied {
                None => (path, blob),
                // Somebody edited the file it relied on: the old text goes beside, and the next
                // tidy tells the two apart.
                Some(_) => {
                    (slug::with_suffix(&self.path, &ContentHash::of_bytes(&blob).short(6)), blob)
                }
            },
        );
        displaced.into_iter().chain([(self.path.clone(), new.clone())]).collect()
    }

    /// Whether the old bytes may go: nothing stands for them elsewhere, or what stands for them is
    /// there.
    pub fn may_replace(&self, at_relied: Option<&Blob>) -> bool {
        let Some((relied, planned)) = &self.relies_on else { return true };
        let read = |path: &RelPath, blob: &Blob| Memory::read(path, blob).ok();
        let there = at_relied.and_then(|blob| read(relied, blob));
        let doomed = self.old.as_ref().and_then(|blob| read(&self.path, blob));
        let (Some(there), Some(doomed), Some(planned)) = (there, doomed, read(relied, planned))
        else {
            return false;
        };
        // A copy may go while the other one still says the same; an old version while its memory is
        // there.
        if planned.hash == doomed.hash {
            there.hash == doomed.hash
        } else {
            there.created == doomed.created
        }
    }
}

/// What to do for a step, given what lies on disk.
pub fn resolve(step: &Step, found: Found<'_>, now: Stamp) -> Action {
    if let (Some(source), Some(new)) = (&step.source, &step.new) {
        return resolve_move(step, source, new, found, now);
    }
    if found.at_path == step.new.as_ref() {
        return Action::Leave;
    }
    if step.path.kind() == Kind::Ledger {
        return join_ledger(step, found.at_path);
    }
    if found.applied {
        return Action::Leave;
    }
    match (found.at_path, &step.new) {
        (at_path, None) if at_path == step.old.as_ref() => {
            if step.may_replace(found.at_relied) {
                Action::Delete
            } else {
                Action::Leave
            }
        }
        (at_path, Some(new)) if at_path == step.old.as_ref() => {
            Action::Write(step.files_to_write(new, found))
        }
        // A person removed the old text; a new text from elsewhere is another fact and comes in,
        // the same text stays removed.
        (None, Some(new)) if same_fact(&step.path, step.old.as_ref(), new) => Action::Leave,
        (None, Some(new)) => Action::Write(vec![(step.path.clone(), new.clone())]),
        (None, None) => Action::Leave,
        (Some(theirs), _) => {
            keep_both(&step.path, step.old.as_ref(), step.new.as_ref(), theirs, found.mtime, now)
        }
    }
}

fn resolve_move(step: &Step, source: &Source, new: &Blob, found: Found<'_>, now: Stamp) -> Action {
    let free = found.at_path == step.old.as_ref();
    let write = || Action::Write(step.files_to_write(new, found));
    let beside = || {
        let at_path = found.at_path.unwrap_or(new);
        keep_both(&step.path, step.old.as_ref(), Some(new), at_path, found.mtime, now)
    };
    match found.at_source {
        _ if found.applied => Action::Leave,
        _ if found.at_path == Some(new) && found.at_source != Some(&source.blob) => Action::Leave,
        Some(lies) if *lies == source.blob || lies == new => {
            match (free || found.at_path == Some(new), source.frees) {
                (true, true) if !step.may_replace(found.at_relied) => write(),
                (true, true) => Action::Move {
                    from: source.path.clone(),
                    to: step.path.clone(),
                    blob: new.clone(),
                },
                (true, false) => write(),
                // Somebody put another file under the new path: the memory stays where it is.
                (false, true) => Action::Write(vec![(source.path.clone(), new.clone())]),
                (false, false) => beside(),
            }
        }
        None if same_fact(&step.path, Some(&source.blob), new) => Action::Leave,
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
            keep_both(&source.path, Some(&source.blob), Some(new), lies, found.mtime, now)
        }
    }
}

fn join_ledger(step: &Step, found: Option<&Blob>) -> Action {
    let read = |blob: Option<&Blob>| blob.map(|blob| Ledger::read(blob)).unwrap_or_default();
    let mut ledger = read(found);
    ledger.join(&read(step.new.as_ref()));
    match ledger.write() {
        Some(text) if found.is_none_or(|found| **found != *text.as_bytes()) => {
            Action::Write(vec![(step.path.clone(), text.into_bytes().into())])
        }
        _ => Action::Leave,
    }
}

fn same_fact(path: &RelPath, old: Option<&Blob>, new: &Blob) -> bool {
    let hash = |blob: &Blob| Memory::read(path, blob).ok().map(|memory| memory.hash);
    path.is_memory() && old.and_then(hash).is_some_and(|old| hash(new) == Some(old))
}

/// The file was changed between reading and writing: what was found is stamped, merged in, and left
/// for the next commit.
fn keep_both(
    path: &RelPath,
    old: Option<&Blob>,
    new: Option<&Blob>,
    found: &Blob,
    mtime: Stamp,
    now: Stamp,
) -> Action {
    let one = |blob: Option<&Blob>| -> Snapshot {
        blob.map(|blob| (path.clone(), blob.clone())).into_iter().collect()
    };
    let memory = |blob: &Blob| (path.is_memory()).then(|| Memory::read(path, blob).ok()).flatten();
    let stamped = match (memory(found), old.and_then(memory)) {
        (Some(found), Some(old)) => tidy::stamp_edit(&found, &old, mtime, now).blob,
        _ => found.clone(),
    };
    let merged = merge(Some(&one(old)), &one(new), &one(Some(&stamped)), Policy::Sync).snapshot;
    let differs = |(at, blob): &(&RelPath, &Blob)| *at != path || *blob != found;
    let mut files: Vec<(RelPath, Blob)> =
        merged.iter().filter(differs).map(|(path, blob)| (path.clone(), blob.clone())).collect();
    // What is new beside the path is written first, so that an interruption leaves both.
    files.sort_by_key(|(at, _)| at == path);
    if files.is_empty() { Action::Leave } else { Action::Write(files) }
}
