//! `identity sync`: tidy, commit, fetch, merge, check out, push.
//!
//! Invariant: each phase (`local`, then `published`, which fetches, merges and pushes) returns its
//! result and may be the last; running it again finishes the job. Files before the ref, creates
//! before overwrites before deletes before the ledger; nothing is forced. The identity lock is held
//! throughout, the write lock only while files change.

mod added;
mod after_git;
mod asked_elsewhere;
mod attention;
mod checkout;
mod committed;
mod context;
mod elsewhere;
mod error;
mod exchanged;
mod held_back;
mod ignored;
mod left;
mod local;
mod logged;
mod lossy_merges;
mod merged;
mod message;
pub mod nested;
pub mod notes;
mod open_merge;
mod operation;
mod outgoing;
mod preview;
mod published;
mod push_places;
mod questions;
mod reference;
mod removed;
mod report;
pub mod repository;
mod request;
mod sides;
mod staged;
mod stray_files;
mod team;
pub mod upstream;
mod work_tree;

use crate::identity::Stamp;
use crate::index;
use crate::machine::oplog::Stage;
use crate::workspace::{
    Error, ErrorKind, Workspace, last_sync, layers, power_loss, recovery::Stop,
};
pub use after_git::{order_after_merge, order_after_rebase};
pub use attention::{Attention, MergeSide, document_name};
pub use checkout::refuse_mass_deletion;
use committed::Local;
use context::{Before, SyncContext};
pub use exchanged::NotMet;
pub use ignored::{all_that_stay, of_difference, some_that_stay, stays};
pub use left::take_note_away;
pub use local::BRING_BACK;
pub(crate) use lossy_merges::lossy_merges;
use merged::Merged;
pub use merged::refuse_clashes;
pub use nested::{nested, swallowed};
pub use preview::preview;

pub use removed::gone_by_hand;
pub use report::{DocumentLine, NEW_REMOTE, Report, Side};
pub use repository::{in_cloud, no_repository, published_identity, repository};
pub use request::{Direction, OnStep, OwnCommits, Phase, Request};
pub use staged::{note_nothing_staged, nothing_staged};
pub use upstream::{Upstream, upstream};
pub use work_tree::WorkTree;

pub use error::{DeletionError, Gone, HeldBackError, RepositoryError, StayedBehind, SyncError};

/// How often a sync starts again because a file or ref changed meanwhile.
const ATTEMPTS: usize = 20;

pub fn run(ws: &Workspace, request: &Request, on_step: &OnStep<'_>) -> Result<Report, Error> {
    // Whoever asks: what this laptop may only read gets nothing from it.
    let direction = if layers::publishes(ws) { request.direction } else { Direction::Fetch };
    let request = &Request { direction, ..request.clone() };
    let restored = power_loss::restore_lost(ws);
    let before = notes_met(ws, request);
    let report = run_without_notes(ws, request, on_step);
    ws.forget_read();
    let mut report = report?;
    report.warnings.extend(restored);
    report.notes = before;
    if !report.unchanged {
        // What arrived from other laptops is passed on to the agents' folders, and resulting index
        // changes are published with the same sync.
        let after = notes_met(ws, request);
        if after.has_written() && request.direction == Direction::Both {
            match run_without_notes(ws, request, on_step) {
                Ok(again) => {
                    report.published = again.published;
                    report.pushed_commits += again.pushed_commits;
                }
                // The first part is done; the index is published by the next sync.
                Err(error) => report.warnings.push(error.to_string()),
            }
        }
        report.notes = report.notes.then(after);
    }
    ws.forget_read();
    report.warnings.extend(report.notes.warnings());
    Ok(report)
}

/// Notes that cannot be read or written never stop a sync.
fn notes_met(ws: &Workspace, request: &Request) -> notes::Report {
    let scope = match request.direction {
        Direction::Both => notes::NotesScope::All,
        Direction::Fetch => notes::NotesScope::Here,
    };
    notes::run(ws, scope).unwrap_or_else(|error| {
        // Without an identity, the sync itself reports that.
        let is_said = error.kind() == ErrorKind::NotSetUp;
        let trouble = (!is_said).then(|| error.to_string());
        notes::Report { trouble, ..notes::Report::default() }
    })
}

fn run_without_notes(
    ws: &Workspace,
    request: &Request,
    on_step: &OnStep<'_>,
) -> Result<Report, Error> {
    let mut cx = SyncContext::open(ws, request, on_step)?;
    let mut before = cx.before()?;
    for _ in 0..ATTEMPTS {
        match attempt(&cx, &before) {
            Ok(report) => return Ok(report),
            Err(Stop::Again) => {
                let branch = cx.branch.there.clone();
                cx.look_again()?;
                // The known state of another branch is irrelevant for this one.
                if cx.branch.there != branch {
                    before.tracking = cx.repo.ref_id(&cx.branch.tracking);
                }
            }
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    Err(SyncError::KeepsChanging.into())
}

fn attempt(cx: &SyncContext<'_>, before: &Before) -> Result<Report, Stop> {
    cx.finish_interrupted()?;
    let mut local = local::commit_changes(cx, before)?;
    let held = held_back::hashes(&cx.store, &local.held);
    let exchanged = published::exchange(cx, before, &mut local).map_err(committed_here)?;
    if exchanged.published {
        cx.store.log().mark(Stage::Published, local.last_op);
    }
    if exchanged.pushed > 0 || !exchanged.merged.is_empty() || local.changed {
        cx.repo.pack_when_many();
        index::catch_up(&cx.store, cx.ws, &seen(&local, &exchanged.merged));
    }
    let moved = numbers_lost(&local, &exchanged.merged);
    let report = report::make(cx, before, local, &exchanged)?;
    let said = (report.published, report.ignored.as_slice());
    last_sync::remember(&cx.store, cx.ws.now(), (held, &moved), said);
    Ok(report)
}

/// What the remote brought changed a folder, which is looked at first.
fn seen<'a>(local: &'a Local, merged: &[Merged]) -> index::Seen<'a> {
    if local.is_all_new {
        let folders = if merged.is_empty() { &local.folders[..] } else { &[] };
        index::Seen::AllBut(&local.files, folders)
    } else {
        index::Seen::Stats(&local.difference)
    }
}

/// The numbers that facts lost on this laptop, and the facts' origins.
fn numbers_lost(local: &Local, merged: &[Merged]) -> Vec<(u64, Stamp)> {
    let of_files = local.renumbered.iter();
    let of_files = of_files.filter_map(|change| Some((change.was?, change.origin)));
    of_files.chain(merged.iter().flat_map(Merged::numbers_lost)).collect()
}

/// Turns a failure of the remote into `NotPublished`: what was committed here stays committed.
fn committed_here(stop: Stop) -> Stop {
    match stop {
        Stop::Failed(error) if error.kind() == ErrorKind::Remote => {
            Stop::Failed(SyncError::NotPublished(Box::new(error)).into())
        }
        stop => stop,
    }
}
