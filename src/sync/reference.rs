//! What the work tree is compared with before it is tidied.
//!
//! Invariant: a file that cannot be read now, or was left out, is as the last commit has it.

use crate::git::{Id, Repo, TIDIED};
use crate::identity::{RelPath, Snapshot};
use crate::machine::folder::Reading;
use crate::workspace::Error;
use std::collections::BTreeSet;

/// What tidy compares with: the last commit that co tidied, as far as HEAD descends from it;
/// commits made without co count as untidied.
pub(super) fn reference(
    repo: &Repo,
    head: Option<Id>,
    committed: &Snapshot,
) -> Result<Snapshot, Error> {
    match reference_commit(repo, head)? {
        commit if commit == head => Ok(committed.clone()),
        commit => Ok(repo.snapshot(commit)?),
    }
}

pub(super) fn reference_commit(repo: &Repo, head: Option<Id>) -> Result<Option<Id>, Error> {
    let (Some(here), Some(tidied)) = (head, repo.ref_id(TIDIED)) else { return Ok(head) };
    if tidied == here {
        return Ok(head);
    }
    Ok(repo.merge_bases(tidied, here)?.first().copied().or(head))
}

/// The work tree, with the last commit's version of files that are unreadable or left out of it.
pub(super) fn with_unreadable(
    reading: &Reading,
    committed: &Snapshot,
    left_out: &BTreeSet<RelPath>,
) -> Snapshot {
    let mut work = reading.snapshot.clone();
    let closed = |path: &RelPath| reading.is_closed(path) || left_out.contains(path);
    for (path, blob) in committed.iter().filter(|(path, _)| closed(path)) {
        work.put(path.clone(), blob.clone());
    }
    work
}
