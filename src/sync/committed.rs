//! What the first phase of a sync found and committed, and how a commit is made.
//!
//! Invariant: the branch moves only from the commit that was read; what was committed is marked
//! before git's index is written.

use super::{
    context::{Before, SyncContext},
    held_back::HeldBack,
    logged::Logged,
    merged::Merged,
    message::summary,
    open_merge::Opened,
    staged::{nothing_staged, set_marker},
};
use crate::git::{Id, SUBJECT, Staying, index::Difference, index_lock::IndexLock};
use crate::identity::{RelPath, Snapshot, Stamp};
use crate::index::database::Stat;
use crate::machine::oplog::Stage;
use crate::merge::{Decision, change::FileChange, ids};
use crate::workspace::recovery::Stop;
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Local {
    /// The identity as committed now; `None` if there was nothing to do.
    pub(super) ours: Option<Snapshot>,
    /// The work tree before it was tidied.
    pub(super) found: Snapshot,
    /// Counted only if no committed file had to be read.
    pub(super) memories: usize,
    /// Whether `files` is all that the remote lacked, and adds facts only; `ours` is not read then.
    pub(super) is_all_new: bool,
    /// The folders, with their stats from before they were listed; only if all is new.
    pub(super) folders: Vec<(String, Stat)>,
    /// The new commit, after its parent, if each file that it brings was found to have no secret.
    pub(super) scanned: Option<(Option<Id>, Id)>,
    pub(super) files: Vec<FileChange>,
    /// Whether any file or the branch changed.
    pub(super) changed: bool,
    pub(super) held: HeldBack,
    pub(super) decisions: Vec<Decision>,
    pub(super) renumbered: Vec<ids::Renumbered>,
    /// The last operation whose files it includes.
    pub(super) last_op: u64,
    pub(super) logged: Logged,
    /// A merge that a person began with git.
    pub(super) merged: Option<Merged>,
    /// Files that a rule keeps on this laptop.
    pub(super) ignored: Vec<Staying>,
    /// The work tree beside git's index, before anything was written.
    pub(super) difference: Difference,
}

pub(super) fn finish_commit(
    cx: &SyncContext<'_>,
    before: &Before,
    new: Id,
    local: &mut Local,
) -> Result<(), Stop> {
    cx.store.log().mark(Stage::Committed, local.last_op);
    cx.repo.set_tidied(new)?;
    let root = cx.repo.tree_of(new)?;
    let index = IndexLock::take(&cx.repo)?;
    // Asked under the lock: a person may have staged something since it was asked before.
    let has_the_rest =
        local.is_all_new && before.head.is_some_and(|head| nothing_staged(&cx.repo, head));
    let stamp = if has_the_rest {
        index.write_added(root, &local.files, &local.difference)?
    } else {
        index.write_compared(root, &BTreeMap::new(), &local.difference)?
    };
    local.changed |= before.head != Some(new);
    set_marker(cx, &local.held, new, &stamp);
    Ok(())
}

/// Returns HEAD if there is nothing to commit.
pub(super) fn commit(
    cx: &SyncContext<'_>,
    head: Option<Id>,
    opened: Option<&Opened>,
    files: &[FileChange],
    mtimes: &BTreeMap<RelPath, Stamp>,
) -> Result<Id, Stop> {
    let merged_in = opened.map(|opened| opened.theirs);
    if let (Some(head), true, None) = (head, files.is_empty(), merged_in) {
        return Ok(head);
    }
    let root = head.map(|head| cx.repo.tree_of(head)).transpose()?;
    let new_root = cx.repo.write_tree(root, files)?;
    let parents: Vec<Id> = head.into_iter().chain(merged_in).collect();
    let message = format!("{SUBJECT}{} on {}\n", summary(files), cx.ws.host);
    let edited = edited(cx, files, mtimes);
    cx.before_signing();
    let new = cx.repo.commit(new_root, &parents, &message, &edited)?;
    if cx.repo.move_ref(&cx.branch.local, head, new, "co: sync")? {
        Ok(new)
    } else {
        Err(Stop::Again)
    }
}

/// The first commit of a large folder has nothing to compare with; its own time is enough.
const MAX_EDITED: usize = 500;

/// When files were written that say nothing about it themselves. A clock that was ahead when a file
/// was written is not believed.
fn edited(
    cx: &SyncContext<'_>,
    files: &[FileChange],
    mtimes: &BTreeMap<RelPath, Stamp>,
) -> Vec<(RelPath, Stamp)> {
    let now = cx.ws.now();
    let says_nothing = |path: &RelPath| !path.is_memory() && !path.is_ledger();
    let paths = files.iter().map(|file| &file.path).filter(|path| says_nothing(path));
    let known = paths.filter_map(|path| Some((path.clone(), (*mtimes.get(path)?).min(now))));
    let edited: Vec<(RelPath, Stamp)> = known.collect();
    if edited.len() > MAX_EDITED { Vec::new() } else { edited }
}
