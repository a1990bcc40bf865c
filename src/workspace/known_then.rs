//! What co knew at a moment: the last commit that this laptop had by then, with the operations
//! since; before the first commit, that one without the operations that came later.
//!
//! Invariant: changes nothing, and says where only a sync is known. What another laptop did between
//! two of its syncs was not known here then.

use super::{Error, Workspace};
use crate::git::{Id, Repo, past};
use crate::identity::{FileChange, Snapshot, Stamp};
use crate::machine::{
    folder,
    oplog::{Log, OpVerb, Operation},
};
use crate::merge::replay::{After, replay};

/// What is not known of the time between a sync and the moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// What was done after this sync, on the laptop that made it; `None` if its commit names none.
    Since { sync: Stamp, laptop: Option<String> },
    /// What was done by hand, which the next sync found at this time.
    ByHand { found: Stamp },
}

pub(super) struct Then {
    pub(super) snapshot: Snapshot,
    pub(super) commit: Option<Id>,
    /// The last operation that the commit does not contain.
    pub(super) last_op: Option<u64>,
    pub(super) gap: Option<Gap>,
}

/// `None` if co knew nothing then. `last` is the operation that was the last one, if one is named:
/// several may have the same time.
pub(super) fn at(
    ws: &Workspace,
    repo: Option<&Repo>,
    (moment, last): (Stamp, Option<u64>),
) -> Result<Option<Then>, Error> {
    let store = ws.identity_place();
    store.settle_abandoned(ws)?;
    let log = store.log();
    let operations = timed(log.operations()?, ws.now());
    let known = Known { ws, log, operations, moment, last };
    let base = repo.map(|repo| repo.commit_at(moment)).transpose()?.flatten();
    match (repo, base) {
        (Some(repo), Some(base)) => known.since(repo, base).map(Some),
        (repo, _) => known.before_first(repo),
    }
}

/// With their times, as far as a wrong clock did not write them.
pub(super) fn timed(operations: Vec<Operation>, now: Stamp) -> Vec<(Operation, Stamp)> {
    let written = |operation: &Operation| Stamp::parse(&operation.at).map(|read| read.stamp);
    let times: Vec<Stamp> =
        operations.iter().map(|operation| written(operation).unwrap_or_default()).collect();
    operations.into_iter().zip(past::in_order(&times, now)).collect()
}

struct Known<'a> {
    ws: &'a Workspace,
    log: Log,
    operations: Vec<(Operation, Stamp)>,
    moment: Stamp,
    last: Option<u64>,
}

impl Known<'_> {
    fn is_later(&self, (operation, time): &(Operation, Stamp)) -> bool {
        self.last.map_or(*time > self.moment, |last| operation.op > last)
    }

    /// A commit, and what was done here from then on.
    fn since(&self, repo: &Repo, (commit, at): (Id, Stamp)) -> Result<Then, Error> {
        let (mut changes, mut last_op, mut is_kept) = (Vec::new(), None, true);
        for done in self.of_identity() {
            let (operation, time) = done;
            if self.is_later(done) || second(*time) < second(at) {
                continue;
            }
            let after = if second(*time) > second(at) { After::Surely } else { After::Perhaps };
            if after == After::Surely {
                last_op = Some(operation.op);
            }
            match self.log.change(operation)? {
                Some(change) => changes.push((after, change)),
                None => is_kept = false,
            }
        }
        let gap = self.gap(repo, (commit, at), is_kept)?;
        let snapshot = replayed(repo.snapshot(Some(commit))?, &changes);
        Ok(Then { snapshot, commit: Some(commit), last_op, gap })
    }

    fn gap(
        &self,
        repo: &Repo,
        (commit, at): (Id, Stamp),
        is_kept: bool,
    ) -> Result<Option<Gap>, Error> {
        // Nothing that a sync knows was done since.
        if repo.head()? == Some(commit) && is_kept {
            return Ok(None);
        }
        let laptop = repo.laptop_of(commit)?;
        let is_here = laptop.as_ref() == Some(&self.ws.host)
            || repo.branch_moves()?.iter().any(|(id, _)| *id == commit);
        let first = self.operations.first();
        let reaches_back = first.is_some_and(|(first, time)| first.op == 1 || *time <= at);
        if !is_here {
            return Ok(Some(Gap::Since { sync: at, laptop }));
        }
        if !reaches_back || !is_kept {
            return Ok(Some(Gap::Since { sync: at, laptop: Some(self.ws.host.clone()) }));
        }
        let is_next = |operation: &Operation| {
            let from = operation.commits.as_ref().and_then(|(from, _)| from.as_ref());
            operation.verb == OpVerb::ByHand && from == Some(&commit.to_string())
        };
        let mut later = self.operations.iter().filter(|done| self.is_later(done));
        let next = later.find(|(operation, _)| is_next(operation));
        Ok(next.map(|(_, found)| Gap::ByHand { found: *found }))
    }

    /// The first commit, or the files here where nothing was ever committed, without what was done
    /// after the moment.
    fn before_first(&self, repo: Option<&Repo>) -> Result<Option<Then>, Error> {
        let by_then = |done: &&(Operation, Stamp)| !self.is_later(done);
        let Some((last, _)) = self.of_identity().rev().find(by_then) else { return Ok(None) };
        let first = repo.map(|repo| self.first_commit(repo)).transpose()?.flatten();
        let state = match (repo, first) {
            (Some(repo), Some((commit, _))) => repo.snapshot(Some(commit))?,
            _ => folder::read(&self.ws.identity_place().root).snapshot,
        };
        let end = first.map(|(_, at)| second(at));
        let mut changes = Vec::new();
        for done in self.of_identity().rev() {
            let (operation, time) = done;
            let time_of_it = second(*time);
            if !self.is_later(done) || end.is_some_and(|end| time_of_it > end) {
                continue;
            }
            let after = if end == Some(time_of_it) { After::Perhaps } else { After::Surely };
            let change = self.log.change(operation)?.unwrap_or_default();
            changes.push((after, change.into_iter().map(FileChange::reversed).collect()));
        }
        let snapshot = replayed(state, &changes);
        Ok(Some(Then { snapshot, commit: None, last_op: Some(last.op), gap: None }))
    }

    /// The first commit that the branch was at on this laptop.
    fn first_commit(&self, repo: &Repo) -> Result<Option<(Id, Stamp)>, Error> {
        let first = repo.branch_moves()?.into_iter().next();
        Ok(first.filter(|(commit, _)| repo.knows(*commit)))
    }

    /// The operations on the identity that changed a file when they were done.
    fn of_identity(&self) -> impl DoubleEndedIterator<Item = &(Operation, Stamp)> {
        self.operations.iter().filter(|(operation, _)| {
            operation.project.is_none()
                && !matches!(operation.verb, OpVerb::Merge | OpVerb::ByHand)
                && !operation.verb.is_outside()
        })
    }
}

fn replayed(state: Snapshot, changes: &[(After, Vec<FileChange>)]) -> Snapshot {
    replay(state, changes.iter().map(|(after, change)| (*after, change.as_slice())))
}

/// Commits know no more of their times.
fn second(at: Stamp) -> i64 {
    at.micros().div_euclid(Stamp::SECOND)
}
