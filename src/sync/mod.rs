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
mod elsewhere;
mod error;
mod held_back;
mod ignored;
mod local;
pub mod lossy_merges;
mod merged;
pub mod nested;
pub mod notes;
mod open_merge;
mod operation;
mod outgoing;
mod published;
mod push_places;
mod questions;
mod removed;
mod report;
pub mod repository;
mod staged;
mod stray_files;
pub mod upstream;
mod work_tree;

use crate::git::{Branch, Id, Repo, TIDIED};
use crate::identity::{FileChange, Snapshot, Stamp};
use crate::index::{self, store::Store};
use crate::machine::{
    SystemError,
    lock::{self, Lock},
    oplog::Stage,
    settings::Section,
};
use crate::secrets::Allowed;
use crate::workspace::{
    Error, ErrorKind, Workspace, last_sync, layers, power_loss, recovery::Stop,
};
pub use after_git::{order_after_merge, order_after_rebase};
pub use attention::{Attention, MergeSide, document_name};
pub use checkout::refuse_mass_deletion;
pub use ignored::{all_that_stay, of_difference, some_that_stay, stays};
pub use local::BRING_BACK;
use local::Local;
pub(crate) use lossy_merges::lossy_merges;
use merged::Merged;
pub use merged::{preview, refuse_clashes};
pub use nested::{nested, swallowed};
pub use removed::gone_by_hand;
pub use report::{DocumentLine, Report, Side};
pub use repository::{in_cloud, no_repository, published_identity, repository};
pub use staged::{note_nothing_staged, nothing_staged};
use std::rc::Rc;
pub use upstream::{Upstream, upstream};
pub use work_tree::WorkTree;

pub use error::{DeletionError, Gone, HeldBackError, RepositoryError, StayedBehind, SyncError};
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Facts deleted outside co may be deleted on every laptop.
    pub accept_deletions: bool,
    /// An unreachable remote is a failure, not a warning.
    pub require_remote: bool,
    pub allowed: Allowed,
    pub own_commits: OwnCommits,
    pub direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    #[default]
    Both,
    /// Merges what the remote has; pushes nothing.
    Fetch,
}

/// What to do with a person's own unpublished commits in an enclosing repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OwnCommits {
    /// Push them together with the identity, and report them.
    #[default]
    Along,
    /// If there are any, push nothing: nobody asked for that.
    Unpublished,
}

/// The current step of a sync, for progress messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Another sync of the same identity has to end first.
    Waiting,
    Reading,
    /// Writes files of the identity: number done, and in total.
    Writing(usize, usize),
    /// Writes this many files to a commit.
    Committing(usize),
    /// Signs a commit: a program may ask the person for a passphrase.
    Signing,
    Fetching,
    Merging,
    Pushing,
}

pub type OnStep<'a> = dyn Fn(Phase) + 'a;

/// How often a sync starts again because a file or ref changed meanwhile.
const ATTEMPTS: usize = 20;
/// Another sync of the same identity may be waiting for its network.
const WAIT: Duration = Duration::from_secs(60);
/// How long to wait without a word.
const A_MOMENT: Duration = Duration::from_secs(1);

/// Everything one sync attempt works with: store, repository, branch, request, lock.
struct SyncContext<'a> {
    ws: &'a Workspace,
    store: Store,
    repo: Rc<Repo>,
    branch: Branch,
    request: Request,
    on_step: &'a OnStep<'a>,
    _lock: Lock,
}

struct Before {
    head: Option<Id>,
    tracking: Option<Id>,
    /// Whether co has never committed here.
    first: bool,
}

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

fn repository_anew(ws: &Workspace) -> Result<Rc<Repo>, Error> {
    ws.forget_read();
    repository(ws)
}

impl<'a> SyncContext<'a> {
    fn open(
        ws: &'a Workspace,
        request: &Request,
        on_step: &'a OnStep<'a>,
    ) -> Result<SyncContext<'a>, Error> {
        ws.require(&[Section::Place, Section::Sync])?;
        let store = ws.identity()?.clone();
        stray_files::adopt(ws);
        store.settle_abandoned(ws)?;
        let lock = lock::folder(&store.root, A_MOMENT).or_else(|error| {
            if !matches!(error, SystemError::Busy { .. }) {
                return Err(error);
            }
            on_step(Phase::Waiting);
            lock::folder(&store.root, WAIT)
        })?;
        let mut repo = repository(ws)?;
        // One that read blobs for an earlier sync still has those that were lost.
        if repo.uses_known_facts() {
            repo = repository_anew(ws)?;
        }
        crate::git::journal::clear_stale_locks(&repo);
        repo.refuse_unfinished()?;
        repo.refuse_nested()?;
        let branch = repo.branch(&ws.settings.sync)?;
        let cx =
            SyncContext { ws, store, repo, branch, request: request.clone(), on_step, _lock: lock };
        cx.use_known_facts();
        Ok(cx)
    }

    /// Reports that a commit is about to be signed, if commits are.
    fn before_signing(&self) {
        if self.repo.signs() {
            (self.on_step)(Phase::Signing);
        }
    }

    /// Reopens the repository, because its configuration may have changed as well; not if objects
    /// were missing: then it reads them without the index's facts.
    fn look_again(&mut self) -> Result<(), Error> {
        if self.repo.uses_known_facts() {
            self.repo = repository_anew(self.ws)?;
            self.use_known_facts();
        }
        let branch = self.repo.branch(&self.ws.settings.sync)?;
        if branch.local != self.branch.local {
            return Err(SyncError::OtherBranch.into());
        }
        self.branch = branch;
        Ok(())
    }

    /// Facts of files that are in the index need not be read from the repository.
    fn use_known_facts(&self) {
        let (store, context) = (self.store.clone(), self.ws.context().clone());
        self.repo.use_known_facts(move || index::facts_by_name(&store, &context));
    }

    fn before(&self) -> Result<Before, Error> {
        Ok(Before {
            head: self.repo.head()?,
            tracking: self.repo.ref_id(&self.branch.tracking),
            first: self.repo.ref_id(TIDIED).is_none(),
        })
    }

    /// Loads all bytes of a change before anything is written. If some are missing, the next
    /// attempt reads them again and reports the error.
    fn intact(&self, files: &[FileChange]) -> Result<(), Stop> {
        let sides = files.iter().flat_map(|file| [&file.before, &file.after]);
        for blob in sides.flatten() {
            blob.load();
        }
        if self.repo.all_loaded() { Ok(()) } else { Err(Stop::Again) }
    }

    /// What this laptop and the remote both had: the remote's last known commit, or the merge base
    /// if that was fetched and never merged (`git fetch`, `co diff origin`), or if the remote is new
    /// here and has the same history.
    fn known_to_both(&self, before: &Before, all: &[Merged]) -> Result<Snapshot, Error> {
        let first = all.first().filter(|_| before.head.is_some());
        let tracking = before.tracking.or_else(|| first.map(|merged| merged.taken_in));
        if let (Some(tracking), Some(head)) = (tracking, before.head)
            && !self.repo.is_ancestor(tracking, head)?
        {
            return Ok(merged::base_of(&self.repo, head, tracking)?.unwrap_or_default());
        }
        Ok(self.repo.snapshot(tracking)?)
    }
}
