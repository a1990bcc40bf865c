//! What came of an exchange with the remote, and why the remote may not have got what we have.
//!
//! Invariant: being offline is no failure, but it is never reported as published. Must not know how
//! a fetch or a push is done.

use super::{
    Error,
    context::{Before, SyncContext},
    logged::Logged,
    merged::{Merged, known_to_both},
};
use crate::git::Id;
use crate::identity::Snapshot;

#[derive(Default)]
pub(super) struct Exchanged {
    /// One entry for each merged commit, the latest last.
    pub(super) merged: Vec<Merged>,
    pub(super) pushed: usize,
    /// The subjects of the pushed commits that are not co's, the latest first.
    pub(super) own: Vec<String>,
    /// Whether the remote has what we have.
    pub(super) published: bool,
    /// Whether the remote lost commits that it had before.
    pub(super) rewritten: bool,
    /// What an empty remote means.
    pub(super) found: RemoteState,
    /// What the remote had when it was first asked.
    pub(super) met: Option<Id>,
    pub(super) not_met: Vec<NotMet>,
    pub(super) logged: Logged,
}

/// Why the remote did not get what we have, although nothing failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotMet {
    #[error("there is no remote")]
    NoRemote,
    /// Why the remote cannot be reached.
    #[error("{0}")]
    Offline(String),
    /// Number of unpublished commits that the person made before co's.
    #[error("{0} of your own commits are not published yet")]
    OwnCommits(usize),
}

/// What a fetch found.
pub(super) struct Fetched {
    /// `None` if the remote has nothing yet.
    pub(super) commit: Option<Id>,
    pub(super) rewritten: bool,
    pub(super) found: RemoteState,
}

/// The state of a remote that should have our branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum RemoteState {
    #[default]
    Expected,
    /// It had lost everything.
    Emptied,
    /// Its URL is not the one of the last sync, and there was nothing yet.
    New,
}

impl Exchanged {
    /// What a remote had that is new here.
    pub(super) fn had(&self) -> Option<Id> {
        self.merged.first().map(|merged| merged.taken_in).or(self.met)
    }

    /// What a person knows already: what the remote had, too, or, if nothing was exchanged, what
    /// was committed before. The sync that committed it told of it, and the one that pushes it
    /// will.
    pub(super) fn known(&self, cx: &SyncContext<'_>, before: &Before) -> Result<Snapshot, Error> {
        if self.published || !self.merged.is_empty() {
            return known_to_both(cx, before, self.had());
        }
        Ok(cx.repo.snapshot(before.head)?)
    }

    pub(super) fn saw(&mut self, fetched: &Fetched) {
        self.rewritten |= fetched.rewritten;
        self.met = self.met.or(fetched.commit);
        if fetched.found != RemoteState::Expected {
            self.found = fetched.found;
        }
    }
}

impl NotMet {
    /// For a person, with what becomes of their facts. That they are committed, the report says.
    pub(super) fn warning(&self, cx: &SyncContext<'_>) -> String {
        let remote = cx.branch.remote.as_deref().unwrap_or_default();
        match self {
            NotMet::OwnCommits(own) => format!(
                "{own} of your own commits in {} are not on {remote} yet, so nothing was pushed; \
                 `co sync` pushes them along with your facts",
                cx.ws.shown(&cx.repo.root)
            ),
            NotMet::NoRemote => {
                "there is no remote yet (`co identity remote URL` sets one)".to_owned()
            }
            NotMet::Offline(why) => {
                format!("{why}; your facts will be pushed at the next sync")
            }
        }
    }
}
