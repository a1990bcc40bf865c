//! A sync of a tidied identity to which only facts were added: these files alone are read.
//!
//! Invariant: commits what reading every file would; where that is not proven, nothing is done
//! here. The proof: the last sync tidied what is committed and held nothing back, git's index and
//! the search index have every other file as it is, and nothing about the new facts needs a
//! decision.

use super::{
    Stop,
    committed::{Local, commit, finish_commit},
    context::{Before, SyncContext},
    held_back, operation,
    request::Phase,
    staged::{nothing_staged, nothing_to_tidy},
};
use crate::git::{Id, index::Difference};
use crate::identity::{
    Memory, RelPath, Snapshot,
    cloud::{conflict_copy, evicted},
    ledger::Match,
};
use crate::index;
use crate::machine::folder::{self, Listing, Reading};
use crate::merge::ChangeSet;
use crate::workspace::ledger;
use std::collections::BTreeSet;

/// With more, reading every file costs little more.
const FEW: usize = 16;

/// The new facts; `None` if every file has to be read.
pub(super) fn only_facts(
    cx: &SyncContext<'_>,
    (before, head): (&Before, Option<Id>),
    listing: &Listing,
    difference: &Difference,
) -> Result<Option<Reading>, Stop> {
    let is_small = (1..=FEW).contains(&difference.changed.len())
        && difference.changed.iter().all(RelPath::is_memory);
    if !is_small || !is_all_else_settled(cx, (before, head), listing, difference)? {
        return Ok(None);
    }
    let Some(mut reading) = read(listing, &difference.changed) else { return Ok(None) };
    let facts = reading.snapshot.memories();
    if facts.len() != reading.snapshot.len()
        || !needs_no_decision(cx, &facts)
        || !has_paths_of_their_own(&facts, listing)
    {
        return Ok(None);
    }
    let is_fact = |path: &&RelPath| path.is_memory();
    let all = listing.files.iter().map(|file| &file.path).filter(is_fact).count();
    if !index::are_unlike_others(&cx.store, cx.ws, (&facts, all), difference) {
        return Ok(None);
    }
    let held = held_back::hold_back(cx, &mut reading, &Snapshot::default(), &BTreeSet::new())?;
    let is_held = !held.is_empty() || !held.findings.is_empty() || !held.carried.is_empty();
    Ok((!is_held && reading.snapshot.len() == facts.len()).then_some(reading))
}

/// Commits new facts that need no decision, beside what is committed.
pub(super) fn commit_facts(
    cx: &SyncContext<'_>,
    (before, head): (&Before, Option<Id>),
    facts: Reading,
    mut local: Local,
) -> Result<Local, Stop> {
    local.files = ChangeSet::between(&Snapshot::default(), &facts.snapshot).files;
    (cx.on_step)(Phase::Committing(local.files.len()));
    let new = commit(cx, head, None, &local.files, &facts.mtimes)?;
    local.scanned = Some((head, new));
    local.found = facts.snapshot;
    local.logged = operation::log_by_hand(cx, before, &local);
    finish_commit(cx, before, new, &mut local)?;
    Ok(local)
}

/// Whether all other files are as the last sync left them, and the remote had them then.
fn is_all_else_settled(
    cx: &SyncContext<'_>,
    (before, head): (&Before, Option<Id>),
    listing: &Listing,
    difference: &Difference,
) -> Result<bool, Stop> {
    let Some(head) = head else { return Ok(false) };
    let is_whole = difference.missing.is_empty()
        && difference.left_out.is_empty()
        && difference.ignored.is_empty()
        && listing.unreadable.is_empty()
        && listing.closed.is_empty()
        && listing.findings.is_empty()
        && !listing.files.iter().any(|file| evicted(&file.path).is_some());
    let is_published =
        [before.head, before.tracking, cx.repo.ref_id(&cx.branch.tracking)] == [Some(head); 3];
    if !is_whole || !is_published || !cx.repo.is_agreed() {
        return Ok(false);
    }
    // The marker is only set when nothing was held back. With it, a file that is not in git's index
    // is not committed, either.
    Ok(difference.new == difference.changed.len()
        && nothing_staged(&cx.repo, head)
        && nothing_to_tidy(cx, Some(head))?)
}

fn read(listing: &Listing, paths: &BTreeSet<RelPath>) -> Option<Reading> {
    let mut reading = Reading::default();
    for listed in listing.files.iter().filter(|listed| paths.contains(&listed.path)) {
        let (blob, mtime) = folder::read_file(&listed.path, &listed.file).ok()?;
        reading.snapshot.put(listed.path.clone(), blob);
        reading.mtimes.insert(listed.path.clone(), mtime);
    }
    Some(reading)
}

/// Whether each is as co writes a new fact, and none is in the ledger.
fn needs_no_decision(cx: &SyncContext<'_>, facts: &[Memory]) -> bool {
    let Ok(ledger) = ledger::read(&cx.store) else { return false };
    facts.iter().all(|fact| {
        fact.checksum == Some(true)
            && fact.id.is_some()
            && !fact.marked
            && ledger.takes(fact, Match::TextOrOrigin).is_none()
            && conflict_copy(&fact.path, |_| true).is_none()
    })
}

/// Whether no path is another's where case is ignored.
fn has_paths_of_their_own(facts: &[Memory], listing: &Listing) -> bool {
    let new: BTreeSet<String> = facts.iter().map(|fact| fact.path.folded()).collect();
    let same = listing.files.iter().filter(|file| new.contains(&*file.path.as_folded()));
    new.len() == facts.len() && same.count() == facts.len()
}
