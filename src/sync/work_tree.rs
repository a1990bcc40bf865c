//! The work tree as the next sync would commit it, for whoever compares it with something else.
//!
//! Invariant: changes nothing. Of a committed file that is unchanged by its stat, nothing is read
//! from the repository. Must not know what it is compared with.

use super::{
    Error,
    reference::{reference, with_unreadable},
};
use crate::git::{Id, Repo, TIDIED, index::Difference};
use crate::identity::{RelPath, Snapshot};
use crate::index::store::Store;
use crate::machine::folder::{self, Listing, Prefetched, Reading};
use crate::merge::tidy;
use crate::workspace::Workspace;
use std::collections::BTreeSet;

pub struct WorkTree {
    pub reading: Reading,
    /// With the last commit's version of files that cannot be read: they are not gone.
    pub there: Snapshot,
    /// With changes made outside co as the next sync would commit them. If so much is gone that the
    /// guard would stop a sync, the files as they are: facts then count as missing, not as
    /// forgotten, and an import can restore them.
    pub tidied: Snapshot,
    /// The last commit; empty without one.
    pub committed: Snapshot,
    /// How the files differ from git's index; `None` without a repository, or where a filter of git
    /// makes other bytes of them.
    pub difference: Option<Difference>,
}

impl WorkTree {
    pub fn read(ws: &Workspace, store: &Store) -> Result<WorkTree, Error> {
        let listing = folder::list(&store.root, "");
        let Some(repo) = ws.repo()? else {
            let reading = folder::read_listed(listing, &Prefetched::default());
            let there = reading.snapshot.clone();
            let (tidied, committed) = (there.clone(), Snapshot::default());
            return Ok(WorkTree { reading, there, tidied, committed, difference: None });
        };
        let head = repo.head()?;
        let (reading, difference) = read_compared(&repo, listing);
        let is_whole = difference.as_ref().is_some_and(|found| found.is_whole(&reading));
        if is_whole && is_tidied(&repo, head)? {
            return Ok(WorkTree::unchanged(reading, difference));
        }
        let committed = match &difference {
            Some(difference) => repo.snapshot_like(head, &reading, difference)?,
            None => repo.snapshot(head)?,
        };
        let left_out = repo.left_out()?;
        let there = with_unreadable(&reading, &committed, &left_out);
        let tidied = tidied(ws, &repo, (&reading, &there, &left_out), (head, &committed))?;
        Ok(WorkTree { reading, there, tidied, committed, difference })
    }

    /// Files that are those of a commit that a sync would leave as it is.
    fn unchanged(reading: Reading, difference: Option<Difference>) -> WorkTree {
        let files = &reading.snapshot;
        let (there, tidied, committed) = (files.clone(), files.clone(), files.clone());
        WorkTree { reading, there, tidied, committed, difference }
    }
}

/// The files, and how they differed from the index just before.
fn read_compared(repo: &Repo, listing: Listing) -> (Reading, Option<Difference>) {
    let paths: Vec<RelPath> = listing.files.iter().map(|file| file.path.clone()).collect();
    // Bytes that a filter makes are not those of the commit.
    let compared = repo.refuse_filters(&paths).and_then(|()| repo.compare(&listing.files));
    (folder::read_listed(listing, &Prefetched::default()), compared.ok())
}

/// Whether co has tidied the last commit, and the index is that commit.
fn is_tidied(repo: &Repo, head: Option<Id>) -> Result<bool, Error> {
    match head {
        Some(head) if repo.ref_id(TIDIED) == Some(head) => {
            Ok(repo.index_holds(repo.tree_of(head)?)?)
        }
        _ => Ok(false),
    }
}

fn tidied(
    ws: &Workspace,
    repo: &Repo,
    (reading, there, left_out): (&Reading, &Snapshot, &BTreeSet<RelPath>),
    (head, committed): (Option<Id>, &Snapshot),
) -> Result<Snapshot, Error> {
    let reference = reference(repo, head, committed)?;
    let clock = tidy::Clock { now: ws.now(), mtimes: &reading.mtimes };
    let mut tidied = tidy::tidy(there, &reference, clock);
    if tidied.mass_deletion(&reference).is_some() {
        return Ok(reading.snapshot.clone());
    }
    for path in reading.unreadable.iter().chain(left_out) {
        tidied.snapshot.remove(path);
    }
    Ok(tidied.snapshot)
}
