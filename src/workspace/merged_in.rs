//! What a merge brought from other laptops, and which of this laptop's facts they learned on their
//! own, so that an undo leaves those alone.
//!
//! Invariant: changes nothing. A fact that another laptop learned before it received ours is also
//! theirs, whichever of the two learned it first.

use super::{Error, Workspace};
use crate::git::Repo;
use crate::identity::{ContentHash, Memory};
use crate::machine::oplog::{Log, OpVerb, Operation};
use crate::merge::change::{ChangeSet, FileChange};
use std::collections::BTreeSet;

/// Everything that a merge changed on this laptop; nothing if its commits are no longer there.
pub fn changes(ws: &Workspace, operation: &Operation) -> Result<ChangeSet, Error> {
    let repo = ws.repo()?;
    let (Some(repo), Some((old, new))) = (repo, &operation.commits) else {
        return Ok(ChangeSet::default());
    };
    let before = old.as_ref().and_then(|old| repo.revision(old));
    let Some(after) = repo.revision(new).filter(|_| before.is_some() == old.is_some()) else {
        return Ok(ChangeSet::default());
    };
    let files = repo.changes_between(before, after)?;
    Ok(ChangeSet::of(files))
}

/// The facts of an operation that a later merge also brought from another laptop.
pub fn facts_also_theirs(ws: &Workspace, operation: &Operation) -> Result<Vec<Memory>, Error> {
    let log = ws.identity_place().log();
    let mut added = added(&log, operation)?;
    let Some(repo) = ws.repo()? else {
        return Ok(Vec::new());
    };
    let mut theirs = Vec::new();
    let operations = log.operations()?;
    let merges =
        operations.iter().filter(|later| later.op > operation.op && later.verb == OpVerb::Merge);
    for merge in merges {
        if added.is_empty() {
            break;
        }
        let learned_from = learned_from(&repo, merge)?;
        let (known, left): (Vec<Memory>, Vec<Memory>) =
            added.into_iter().partition(|memory| learned_from.contains(&memory.hash));
        theirs.extend(known);
        added = left;
    }
    Ok(theirs)
}

fn added(log: &Log, operation: &Operation) -> Result<Vec<Memory>, Error> {
    let read = |file: FileChange| {
        let after = file.after.filter(|_| file.before.is_none() && file.path.is_memory())?;
        Memory::read(&file.path, &after).ok()
    };
    Ok(log.change(operation)?.unwrap_or_default().into_iter().filter_map(read).collect())
}

/// The facts on the other side of a merge that the merge base did not have.
fn learned_from(repo: &Repo, merge: &Operation) -> Result<BTreeSet<ContentHash>, Error> {
    let Some((Some(old), new)) = &merge.commits else { return Ok(BTreeSet::new()) };
    let (Some(old), Some(new)) = (repo.revision(old), repo.revision(new)) else {
        return Ok(BTreeSet::new());
    };
    let other = repo.parents(new)?.into_iter().find(|parent| *parent != old);
    let Some(other) = other else { return Ok(BTreeSet::new()) };
    let hashes = |commit| -> Result<BTreeSet<ContentHash>, Error> {
        let snapshot = repo.snapshot(commit)?;
        Ok(snapshot.memories().iter().map(|memory| memory.hash).collect())
    };
    let base = repo.merge_bases(old, other)?.first().copied();
    let known = hashes(base)?;
    Ok(hashes(Some(other))?.difference(&known).copied().collect())
}
