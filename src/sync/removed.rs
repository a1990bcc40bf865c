//! Memories deleted outside co: which of them an undo removed, and when a sync stops for the
//! others. How many are too many: `merge::guard`.
//!
//! Invariant: facts removed by an undo are gone on purpose and do not count, unless the undo was of
//! a restore: those facts were missing before it.

use super::{
    Error,
    context::SyncContext,
    error::{DeletionError, Gone},
    reference::{reference, reference_commit, with_unreadable},
};
use crate::git::{self, Repo};
use crate::identity::{ContentHash, Memory, RelPath, Snapshot};
use crate::index::store::Store;
use crate::machine::folder::Reading;
use crate::merge::{
    guard::{self, MassDeletion},
    tidy,
};
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};

/// The facts that were last removed by an undo.
pub(super) fn undone(store: &Store) -> Result<BTreeSet<ContentHash>, Error> {
    let log = store.log();
    let mut undone: BTreeSet<ContentHash> = BTreeSet::new();
    let operations = log.operations()?;
    // A restore's facts were missing before it, and are missing again.
    let is_restore = |op: u64| operations.iter().any(|one| one.op == op && one.verb.brings_back());
    // Oldest first: only the last operation on a fact decides.
    for operation in &operations {
        let mut taken_back = operation.undoes.iter().chain(&operation.also_undoes);
        let takes_back = taken_back.any(|op| !is_restore(*op));
        for file in log.change(operation)?.into_iter().flatten() {
            let hash = |blob: Option<_>| Some(Memory::read(&file.path, &blob?).ok()?.hash);
            let (before, after) = (hash(file.before), hash(file.after));
            if let (Some(gone), true) = (before, takes_back) {
                undone.insert(gone);
            }
            if let Some(there) = after {
                undone.remove(&there);
            }
        }
    }
    Ok(undone)
}

/// The mass deletion that the next sync would stop for.
pub(super) fn too_many(
    store: &Store,
    reference: &Snapshot,
    tidied: &tidy::Tidied,
) -> Result<Option<MassDeletion>, Error> {
    let Some(mass) = tidied.mass_deletion(reference) else { return Ok(None) };
    let undone = undone(store)?;
    let here = tidied.snapshot.memories();
    let left: BTreeSet<ContentHash> = here.iter().map(|memory| memory.hash).collect();
    let agreed = reference.memories();
    let agreed = agreed
        .iter()
        .filter(|memory| !left.contains(&memory.hash) && undone.contains(&memory.hash));
    let gone = mass.gone.saturating_sub(agreed.count());
    Ok(guard::judge(gone, mass.of, left.len()))
}

/// As [`too_many`], before a sync. Reads files only if enough of them are missing.
pub fn gone_by_hand(
    ws: &Workspace,
    read: impl FnOnce() -> Reading,
    is_there: impl Fn(&RelPath) -> bool,
) -> Result<Option<Gone>, Error> {
    let Some(repo) = ws.repo()? else { return Ok(None) };
    let head = repo.head()?;
    let known = repo.paths_in(reference_commit(&repo, head)?)?;
    let known: Vec<&RelPath> = known.iter().filter(|path| path.is_memory()).collect();
    let there = known.iter().filter(|path| is_there(path)).count();
    if guard::judge(known.len() - there, known.len(), there).is_none() {
        return Ok(None);
    }
    let reading = read();
    let committed = repo.snapshot(head)?;
    let reference = reference(&repo, head, &committed)?;
    let work = with_unreadable(&reading, &committed, &repo.left_out()?);
    let clock = tidy::Clock { now: ws.now(), mtimes: &BTreeMap::new() };
    let tidied = tidy::tidy(&work, &reference, clock);
    match too_many(ws.identity_place(), &reference, &tidied)? {
        Some(mass) => Ok(Some(located(&repo, mass)?)),
        None => Ok(None),
    }
}

fn located(repo: &Repo, mass: MassDeletion) -> Result<Gone, Error> {
    let head = repo.head()?;
    let reference = reference_commit(repo, head)?.filter(|commit| Some(*commit) != head);
    let from = reference.map(git::short);
    Ok(Gone { mass, from })
}

impl SyncContext<'_> {
    /// The error for facts that are gone here.
    pub(super) fn mass_deletion(&self, mass: MassDeletion) -> Error {
        let path = self.ws.shown(&self.store.shown);
        let gone = match located(&self.repo, mass) {
            Ok(gone) => gone,
            Err(error) => return error,
        };
        DeletionError::GoneHere { path, gone }.into()
    }

    /// The error for facts that somebody removed on the remote, without co.
    pub(super) fn mass_deletion_there(&self, mass: MassDeletion) -> Error {
        let remote = self.branch.remote.as_deref().unwrap_or("the remote");
        DeletionError::GoneThere { remote: remote.to_owned(), mass }.into()
    }
}
