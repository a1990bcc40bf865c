//! Everything one attempt of a sync works with, opened under the lock of the identity.
//!
//! Invariant: the repository is opened anew where its configuration or its objects may be others.
//! Must not know the phases of a sync.

use super::{
    error::SyncError,
    repository::repository,
    request::{OnStep, Phase, Request},
    stray_files,
};
use crate::git::{Branch, Id, Repo, TIDIED};
use crate::identity::FileChange;
use crate::index::{self, store::Store};
use crate::machine::{
    SystemError,
    lock::{self, Lock},
    settings::Section,
};
use crate::workspace::{Error, Workspace, recovery::Stop};
use std::{rc::Rc, time::Duration};

/// Another sync of the same identity may be waiting for its network.
const WAIT: Duration = Duration::from_secs(60);
/// How long to wait without a word.
const A_MOMENT: Duration = Duration::from_secs(1);

/// Everything one sync attempt works with: store, repository, branch, request, lock.
pub(super) struct SyncContext<'a> {
    pub(super) ws: &'a Workspace,
    pub(super) store: Store,
    pub(super) repo: Rc<Repo>,
    pub(super) branch: Branch,
    pub(super) request: Request,
    pub(super) on_step: &'a OnStep<'a>,
    _lock: Lock,
}

pub(super) struct Before {
    pub(super) head: Option<Id>,
    pub(super) tracking: Option<Id>,
    /// Whether co has never committed here.
    pub(super) first: bool,
}

fn repository_anew(ws: &Workspace) -> Result<Rc<Repo>, Error> {
    ws.forget_read();
    repository(ws)
}

impl<'a> SyncContext<'a> {
    pub(super) fn open(
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
    pub(super) fn before_signing(&self) {
        if self.repo.signs() {
            (self.on_step)(Phase::Signing);
        }
    }

    /// Reopens the repository, because its configuration may have changed as well; not if objects
    /// were missing: then it reads them without the index's facts.
    pub(super) fn look_again(&mut self) -> Result<(), Error> {
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

    pub(super) fn before(&self) -> Result<Before, Error> {
        Ok(Before {
            head: self.repo.head()?,
            tracking: self.repo.ref_id(&self.branch.tracking),
            first: self.repo.ref_id(TIDIED).is_none(),
        })
    }

    /// Loads all bytes of a change before anything is written. If some are missing, the next
    /// attempt reads them again and reports the error.
    pub(super) fn intact(&self, files: &[FileChange]) -> Result<(), Stop> {
        let sides = files.iter().flat_map(|file| [&file.before, &file.after]);
        for blob in sides.flatten() {
            blob.load();
        }
        if self.repo.all_loaded() { Ok(()) } else { Err(Stop::Again) }
    }
}
