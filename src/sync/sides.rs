//! What two commits had in common, and when each side wrote what both changed.
//!
//! Invariant: the same on every laptop that has both commits.

use crate::git::{Id, Repo};
use crate::identity::{Blob, EditTimes, RelPath, Snapshot};
use crate::merge::{Policy, merge, relocation::changed_on_both};
use crate::workspace::Error;
use std::collections::{BTreeMap, BTreeSet};

/// The merge base; if there are several, they are first merged with each other, oldest first.
pub(super) fn base_of(repo: &Repo, a: Id, b: Id) -> Result<Option<Snapshot>, Error> {
    let mut bases = repo.merge_bases(a, b)?.into_iter();
    let Some(first) = bases.next() else { return Ok(None) };
    let mut tree = repo.snapshot(Some(first))?;
    for next in bases {
        let below = base_of(repo, first, next)?;
        tree = merge(below.as_ref(), &tree, &repo.snapshot(Some(next))?, Policy::Sync).snapshot;
    }
    Ok(Some(tree))
}

/// When each side wrote what both have changed since the base.
pub(super) fn edit_times(
    repo: &Repo,
    (our_id, ours): (Id, &Snapshot),
    (their_id, theirs): (Id, &Snapshot),
    base: Option<&Snapshot>,
) -> Result<[EditTimes; 2], Error> {
    let changed = |side: &Snapshot| -> BTreeMap<String, RelPath> {
        let is_new = |(path, blob): &(&RelPath, &Blob)| {
            !path.is_memory() && base.is_none_or(|base| base.get(path) != Some(*blob))
        };
        side.iter().filter(is_new).map(|(path, _)| (path.folded(), path.clone())).collect()
    };
    let (here, there) = (changed(ours), changed(theirs));
    let differs = |name: &String, path: &RelPath| {
        let other = there.get(name).map(|other| theirs.get(other));
        other.is_some_and(|other| other != ours.get(path))
    };
    let both: BTreeSet<&String> =
        here.iter().filter(|(name, path)| differs(name, path)).map(|(name, _)| name).collect();
    let moved = base.map_or_else(Vec::new, |base| changed_on_both(base, ours, theirs));
    let of = |side: &'_ BTreeMap<String, RelPath>, at: usize| -> BTreeSet<RelPath> {
        let both = side.iter().filter(|(name, _)| both.contains(name)).map(|(_, path)| path);
        both.chain(moved.iter().map(|paths| &paths[at])).cloned().collect()
    };
    Ok([
        repo.edit_times(our_id, &[their_id], &of(&here, 0))?,
        repo.edit_times(their_id, &[our_id], &of(&there, 1))?,
    ])
}
