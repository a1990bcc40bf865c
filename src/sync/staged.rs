//! Remembers that nothing was staged in git's index, so that the next look need not compare it with
//! the commit; and whether co has tidied this clean work tree, so that a sync need not.
//!
//! Invariant: a marker counts only beside the index that it was written for.

use super::{Error, context::SyncContext, held_back::HeldBack};
use crate::git::{Id, Repo, TIDIED};
use crate::machine::files;
use std::path::PathBuf;

fn marker_file(repo: &Repo) -> PathBuf {
    repo.co_dir().join("clean")
}

/// Whether git's index is as co wrote it for this commit: nothing is staged.
pub fn nothing_staged(repo: &Repo, head: Id) -> bool {
    let Some(stamp) = repo.index_stamp() else { return false };
    let marker = files::read_text(&marker_file(repo)).ok().flatten();
    marker == Some(marker_of(head, &stamp))
}

fn marker_of(head: Id, stamp: &str) -> String {
    format!("{head} {stamp}")
}

/// Whether co has tidied this clean work tree: by the marker, else by comparing index and tree.
pub(super) fn nothing_to_tidy(cx: &SyncContext<'_>, head: Option<Id>) -> Result<bool, Error> {
    let (Some(head), Some(_)) = (head, cx.repo.index_stamp()) else { return Ok(false) };
    if cx.repo.ref_id(TIDIED) != Some(head) {
        return Ok(false);
    }
    Ok(nothing_staged(&cx.repo, head) || cx.repo.index_holds(cx.repo.tree_of(head)?)?)
}

/// `stamp` is that of the index which co wrote, not of one that somebody wrote right after.
pub(super) fn set_marker(cx: &SyncContext<'_>, held: &HeldBack, head: Id, stamp: &str) {
    if held.is_empty() {
        let _ = files::write_private(&marker_file(&cx.repo), marker_of(head, stamp).as_bytes());
    }
}

/// At the end of a sync: a person may have staged something while the remote was asked.
pub(super) fn confirm_marker(cx: &SyncContext<'_>, held: &HeldBack, head: Id) {
    if held.is_empty() {
        note_nothing_staged(&cx.repo, head);
    }
}

/// For a work tree from which nothing is held back: notes that git's index is as this commit, if it
/// is, so that the next look need not compare them.
pub fn note_nothing_staged(repo: &Repo, head: Id) {
    if !repo.co_dir().is_dir() || nothing_staged(repo, head) {
        return;
    }
    let Some(stamp) = repo.index_stamp() else { return };
    if repo.tree_of(head).and_then(|tree| repo.index_holds(tree)).is_ok_and(|holds| holds) {
        let _ = files::write_private(&marker_file(repo), marker_of(head, &stamp).as_bytes());
    }
}
