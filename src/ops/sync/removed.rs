//! Facts that are gone although co did not forget them, and whether that is likelier a mistake than
//! intent.
//!
//! Invariant: what an undo took back is gone because a person said so, and does not count.

use super::{Exit, Failure, Place, local};
use crate::identity::{ContentHash, Memory, RelPath, Snapshot};
use crate::merge::{
    guard::{self, MassDeletion},
    tidy,
};
use crate::ops::store::Store;
use crate::system::{Context, SystemError, folder::Reading, git::Repo};
use std::collections::{BTreeMap, BTreeSet};

/// The facts whose last operation took them back.
pub(super) fn undone(store: &Store) -> Result<BTreeSet<ContentHash>, Failure> {
    let log = store.log();
    let mut undone: BTreeSet<ContentHash> = BTreeSet::new();
    // Oldest first: only what the last operation on a fact took back counts.
    for operation in &log.operations()? {
        for file in log.change(operation)?.into_iter().flatten() {
            let hash = |blob: Option<_>| Some(Memory::read(&file.path, &blob?).ok()?.hash);
            let (before, after) = (hash(file.before), hash(file.after));
            if let (Some(gone), true) = (before, operation.undoes.is_some()) {
                undone.insert(gone);
            }
            if let Some(there) = after {
                undone.remove(&there);
            }
        }
    }
    Ok(undone)
}

/// What the next sync would stop for.
pub(super) fn too_many(
    store: &Store,
    reference: &Snapshot,
    tidied: &tidy::Tidied,
) -> Result<Option<MassDeletion>, Failure> {
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

/// As [`too_many`], before a sync. Files are read only where so many are missing that it may be.
pub fn gone_by_hand(
    context: &Context,
    read: impl FnOnce() -> Reading,
    is_there: impl Fn(&RelPath) -> bool,
) -> Result<Option<MassDeletion>, Failure> {
    let Some(repo) = Repo::discover(context).map_err(SystemError::from)? else { return Ok(None) };
    let head = repo.head()?;
    let known = repo.paths_in(head)?;
    let known: Vec<&RelPath> = known.iter().filter(|path| path.is_memory()).collect();
    let there = known.iter().filter(|path| is_there(path)).count();
    if guard::judge(known.len() - there, known.len(), there).is_none() {
        return Ok(None);
    }
    let reading = read();
    let committed = repo.snapshot(head)?;
    let reference = local::reference(&repo, head, &committed)?;
    let work = local::with_unreadable(&reading, &committed, &repo.left_out()?);
    let clock = tidy::Clock { now: context.now(), mtimes: &BTreeMap::new() };
    let tidied = tidy::tidy(&work, &reference, clock);
    too_many(&Store::at_identity(context), &reference, &tidied)
}

/// What is gone, for a sentence.
pub fn described(mass: MassDeletion) -> String {
    format!("{} of {} facts are gone, and co did not forget them", mass.gone, mass.of)
}

/// How facts that are missing on disk come back.
pub const BRING_BACK: &str =
    "`co identity restore --missing` brings back what is gone, and touches nothing else";

impl Place<'_> {
    /// Facts that are gone here.
    pub(super) fn mass_deletion(&self, mass: MassDeletion) -> Failure {
        let path = self.context.shown(&self.store.shown);
        Failure::new(Exit::Refused, format!("in {path} {}", described(mass)))
            .hint(BRING_BACK)
            .hint("`co sync --accept-deletions` lets them go on every laptop")
    }

    /// Facts that somebody removed elsewhere, without co.
    pub(super) fn mass_deletion_there(&self, mass: MassDeletion) -> Failure {
        let remote = self.branch.remote.as_deref().unwrap_or("the remote");
        let MassDeletion { gone, of } = mass;
        let message =
            format!("{gone} of {of} facts were removed on {remote}, and co did not forget them");
        Failure::new(Exit::Refused, message)
            .hint(format!(
                "`co diff {remote}` names them; `git revert` of the commit that removed them keeps \
                 them everywhere"
            ))
            .hint("`co sync --accept-deletions` lets them go here as well")
    }
}
