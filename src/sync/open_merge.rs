//! An open `git merge`: files that git left unresolved get the engine's merge of both sides.

use super::{
    Stop,
    context::SyncContext,
    error::SyncError,
    held_back::HeldBack,
    sides::{base_of, edit_times},
};
use crate::git::Id;
use crate::identity::{EditTimes, RelPath, Snapshot};
use crate::machine::folder::Reading;
use crate::merge::{Decision, History, Policy, merge_with};
use crate::workspace::transaction::{self, Put, Unrecorded};

/// A merge that a person began: the commit being merged, and the sides.
pub(super) struct Opened {
    pub(super) theirs: Id,
    pub(super) base: Option<Snapshot>,
    pub(super) sides: (Snapshot, Snapshot),
    pub(super) times: [EditTimes; 2],
}

/// Resolves the merge in the work tree.
pub(super) fn finish(
    cx: &SyncContext<'_>,
    reading: &mut Reading,
    head: Option<Id>,
    (held, decisions): (&mut HeldBack, &mut Vec<Decision>),
) -> Result<Option<Opened>, Stop> {
    let (Some(head), Some(theirs)) = (head, cx.repo.merge_head()) else { return Ok(None) };
    if !cx.repo.prefix.is_empty() {
        return Err(SyncError::OpenMerge { root: cx.repo.root.display().to_string() }.into());
    }
    let base = base_of(&cx.repo, head, theirs)?;
    let ours = cx.repo.snapshot(Some(head))?;
    let theirs_tree = cx.repo.snapshot(Some(theirs))?;
    let times = edit_times(&cx.repo, (head, &ours), (theirs, &theirs_tree), base.as_ref())?;
    let history = History {
        base: base.as_ref(),
        times: Some(times.each_ref()),
        calendar: Some(cx.ws.calendar()),
        ..History::default()
    };
    let merged = merge_with(history, &ours, &theirs_tree, Policy::Sync);
    let on_disk = |path: &RelPath| cx.store.root.join(path.as_str());
    for path in cx.repo.unmerged()?.iter().filter_map(|path| RelPath::new(path)) {
        // A file without markers was resolved by the user, but not yet staged.
        if !held.damaged.remove(&path) {
            continue;
        }
        reading.snapshot.set(&path, merged.snapshot.get(&path));
        // Conflict markers from git are not the user's text; with our version on disk the guarded
        // write finds what it expects.
        if let Some(blob) = reading.snapshot.get(&path) {
            transaction::put(Unrecorded::ForGit, &on_disk(&path), Put::Over(blob))?;
        }
    }
    for (path, blob) in merged.snapshot.iter() {
        if reading.snapshot.get(path).is_none() && ours.get(path).is_none() {
            transaction::put(Unrecorded::ForGit, &on_disk(path), Put::Over(blob))?;
            reading.snapshot.put(path.clone(), blob.clone());
        }
    }
    decisions.extend(merged.decisions);
    Ok(Some(Opened { theirs, base, sides: (ours, theirs_tree), times }))
}
