//! Writes a tree to the work tree: what is held back stays, and the journal says what is under way.
//!
//! Invariant: a file is written only over the content it was made from. Must not know how an
//! interrupted run is finished: see [`crate::workspace::recovery`].

use super::{
    Error, Stop, context::SyncContext, error::DeletionError, held_back::HeldBack, request::Phase,
};
use crate::git::journal::{self, Journal};
use crate::identity::{Blob, ContentHash, Memory, RelPath, Snapshot};
use crate::merge::guard;
use crate::workspace::{ErrorKind, recovery, transaction::file_writer};
use std::collections::BTreeSet;

/// Writes a tidied identity over the files it was made from; [`Stop::Again`] when one changed.
pub(super) fn write_tidied(
    cx: &SyncContext<'_>,
    held: &HeldBack,
    read: &Snapshot,
    tidied: &Snapshot,
) -> Result<(), Stop> {
    let _writing = cx.store.lock()?;
    let mut wanted = tidied.clone();
    for path in read.paths().chain(tidied.paths()).filter(|path| held.holds(path)) {
        wanted.set(path, read.get(path));
    }
    keep_copies_of_held(held, read, tidied, &mut wanted);
    let progress = |done: usize, of: usize| (cx.on_step)(Phase::Writing(done, of));
    match file_writer::write_files(&cx.store.root, read, &wanted, &progress) {
        Err(error) if error.kind() == ErrorKind::Busy => Err(Stop::Again),
        other => Ok(other?),
    }
}

/// If a fact's file is held back with other content, its copy is the only one here, and stays.
fn keep_copies_of_held(held: &HeldBack, read: &Snapshot, tidied: &Snapshot, wanted: &mut Snapshot) {
    let fact = |path: &RelPath, blob: &Blob| Memory::read(path, blob).ok().map(|fact| fact.hash);
    let behind = tidied.iter().filter(|(path, _)| path.is_memory() && held.holds(path));
    let behind: BTreeSet<ContentHash> =
        behind.filter_map(|(path, blob)| fact(path, blob)).collect();
    if behind.is_empty() {
        return;
    }
    let is_copy = |(path, blob): &(&RelPath, &Blob)| {
        path.is_memory()
            && tidied.get(path).is_none()
            && fact(path, blob).is_some_and(|hash| behind.contains(&hash))
    };
    for (path, blob) in read.iter().filter(is_copy) {
        wanted.put(path.clone(), blob.clone());
    }
}

/// Stops an undo or a fix that would delete many facts.
pub fn refuse_mass_deletion(before: &Snapshot, after: &Snapshot) -> Result<(), Error> {
    match guard::guard(before, after, &after.ledger()) {
        Some(mass) => Err(DeletionError::TooMany(mass).into()),
        None => Ok(()),
    }
}

/// Writes the journal's new commit to files, ref and index; [`Stop::Again`] when the branch moved.
pub(super) fn check_out(
    cx: &SyncContext<'_>,
    held: &HeldBack,
    journal: &Journal,
) -> Result<(), Stop> {
    journal::begin(&cx.repo, journal)?;
    let progress = |done: usize, of: usize| (cx.on_step)(Phase::Writing(done, of));
    recovery::carry(cx.ws, &cx.store, &cx.repo, journal, &|path| held.holds(path), &progress)
}

impl SyncContext<'_> {
    pub(super) fn finish_interrupted(&self) -> Result<(), Stop> {
        let progress = |done: usize, of: usize| (self.on_step)(Phase::Writing(done, of));
        recovery::finish(self.ws, &self.store, &self.repo, &progress)
    }
}
