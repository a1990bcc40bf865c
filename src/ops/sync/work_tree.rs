//! The work tree as the next sync would commit it, for whoever compares it with something else.
//!
//! Invariant: changes nothing. Of a committed file that is unchanged by its stat, nothing is read
//! from the repository. Must not know what it is compared with.

use super::{
    Error,
    local::{reference, with_unreadable},
};
use crate::identity::{RelPath, Snapshot};
use crate::merge::tidy;
use crate::ops::{store::Store, workspace::Workspace};
use crate::system::{
    folder::{self, Listing, Prefetched, Reading},
    git::{Id, Repo},
};
use std::collections::BTreeSet;

pub struct WorkTree {
    pub reading: Reading,
    /// With the last commit's version of files that cannot be read: they are not gone.
    pub there: Snapshot,
    /// With changes made outside co as the next sync would commit them. If so much is gone that the
    /// guard would stop a sync, the files as they are: facts then count as missing, not as
    /// forgotten, and an import can restore them.
    pub tidied: Snapshot,
}

impl WorkTree {
    pub fn read(ws: &Workspace, store: &Store) -> Result<WorkTree, Error> {
        let listing = folder::list(&store.root, "");
        let Some(repo) = ws.repo()? else {
            let reading = folder::read_listed(listing, &Prefetched::default());
            let there = reading.snapshot.clone();
            return Ok(WorkTree { tidied: there.clone(), there, reading });
        };
        let head = repo.head()?;
        let (reading, committed) = read_both(&repo, listing, head)?;
        let left_out = repo.left_out()?;
        let there = with_unreadable(&reading, &committed, &left_out);
        let tidied = tidied(ws, &repo, (&reading, &there, &left_out), (head, &committed))?;
        Ok(WorkTree { reading, there, tidied })
    }
}

/// The files, and the last commit.
fn read_both(
    repo: &Repo,
    listing: Listing,
    head: Option<Id>,
) -> Result<(Reading, Snapshot), Error> {
    let paths: Vec<RelPath> = listing.files.iter().map(|file| file.path.clone()).collect();
    // Bytes that a filter makes are not those of the commit.
    let compared = repo.refuse_filters(&paths).and_then(|()| repo.compare(&listing.files));
    let reading = folder::read_listed(listing, &Prefetched::default());
    let committed = match compared {
        Ok(difference) => repo.snapshot_like(head, &reading, &difference)?,
        Err(_) => repo.snapshot(head)?,
    };
    Ok((reading, committed))
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
