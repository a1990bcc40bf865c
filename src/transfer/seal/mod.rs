//! `seal …`: a remote that nobody else can read, and who has the keys to it.
//!
//! Invariant: a key is shown only by the verb that makes it or is asked for it; before anything is
//! pushed, the key was stored and read back. A laptop never makes keys for a remote that has some.

mod error;
pub mod export;
pub mod join;
mod kept;
pub mod keys;
pub mod off;
pub mod on;
mod passphrase;
pub mod recovery;
pub mod status;

pub use error::SealError;

use crate::git::{
    Access, Branch, GitError, Repo, journal,
    sealed::{self, SealedError},
};
use crate::machine::{
    keyring::{KeyringError, Value},
    lock::{self, Lock},
};
use crate::sync;
use crate::workspace::{Error, Workspace, login};
use std::{rc::Rc, time::Duration};

/// The sealed remote of an identity.
pub(super) struct Sealed {
    pub(super) repo: Rc<Repo>,
    pub(super) branch: Branch,
    /// The URL of the repository that it lies in.
    pub(super) url: String,
    pub(super) access: Access,
    /// Of the identity, for what changes the mirror.
    _lock: Option<Lock>,
}

/// A sync may be waiting for its network.
const WAIT: Duration = Duration::from_secs(60);

impl Sealed {
    /// `given`: a recovery key or passphrase to use instead of the keyring.
    pub(super) fn of(ws: &Workspace, given: Option<Value>) -> Result<Sealed, Error> {
        ws.identity()?;
        let repo = sync::repository(ws)?;
        let branch = repo.branch(&ws.settings.sync)?;
        let Some(remote) = branch.remote.clone() else { return Err(SealError::NoRemote.into()) };
        let Some(url) = repo.sealed_in(&remote) else {
            return Err(SealError::NotSealed { remote }.into());
        };
        let real = repo.real_url(&remote).unwrap_or_else(|| url.clone());
        let mut access = login::access(ws, &real)?;
        if let Some(given) = given {
            access.keys = access.keys.with(given);
        }
        Ok(Sealed { repo, branch, url, access, _lock: None })
    }

    /// As [`Sealed::of`], while no sync is at work; without what a killed co left there.
    pub(super) fn alone(ws: &Workspace, given: Option<Value>) -> Result<Sealed, Error> {
        let lock = lock::folder(&ws.identity()?.root, WAIT)?;
        let sealed = Sealed { _lock: Some(lock), ..Sealed::of(ws, given)? };
        journal::clear_stale_locks(&sealed.repo);
        Ok(sealed)
    }

    /// For messages.
    pub(super) fn remote(&self) -> String {
        self.branch.url.clone().unwrap_or_default()
    }

    /// Fails if this laptop has no key.
    pub(super) fn refuse_without_key(&self) -> Result<(), Error> {
        if self.access.keys.given().is_some() {
            return Ok(());
        }
        let (remote, seen) = (self.remote(), self.state()?.seen);
        let error = match self.access.keys.stored(Some(&seen.repository)) {
            Ok(held) if !held.is_empty() => return Ok(()),
            Err(source) if !source.is_absent() => SealedError::Keyring { remote, source },
            _ => SealedError::NoKey { remote },
        };
        Err(GitError::from(error).into())
    }

    /// What was seen last.
    pub(super) fn state(&self) -> Result<sealed::State, Error> {
        let seen = sealed::State::read(&self.repo)?;
        seen.ok_or_else(|| SealError::NothingSeen { remote: self.remote() }.into())
    }
}

fn keyring(source: KeyringError) -> Error {
    SealError::Keyring { source }.into()
}
