//! How a laptop joins a sealed remote: with the recovery key or passphrase, once.
//!
//! Invariant: the key is tried on what lies on the remote before anything is written; it is stored
//! and read back before the remote is set. A laptop without a keyring keeps nothing.

use super::{kept, keyring, keys, recovery};
use crate::git::{GitError, sealed::SealedError};
use crate::machine::{keyring::Value, seal_keys::KeySource};
use crate::seal::keys::KeyRing;
use crate::workspace::{
    Error, Workspace,
    recognise::{self, Remote},
};

/// A sealed remote that was opened.
#[derive(Clone, Debug)]
pub struct Joining {
    ring: KeyRing,
    storage: Storage,
}

/// What becomes of its key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Storage {
    /// The keyring has it.
    Stored,
    /// It was typed or named, and goes there.
    New,
    /// The environment has it.
    Environment,
}

/// What lies there, opened with the key that was given, or with those of this laptop. `None` if
/// somebody has to give one.
pub fn look(
    ws: &Workspace,
    url: &str,
    given: Option<&Value>,
) -> Result<Option<(Remote, Joining)>, Error> {
    let mut source = KeySource::of(ws);
    let storage = match (given, source.given()) {
        (Some(given), _) => {
            source.require_keyring().map_err(keyring)?;
            source = source.with(given.clone());
            Storage::New
        }
        (None, Some(_)) => Storage::Environment,
        (None, None) => Storage::Stored,
    };
    match recognise::sealed(ws, url, source) {
        Ok((remote, ring)) => Ok(Some((remote, Joining { ring, storage }))),
        Err(Error::Git(GitError::Sealed(SealedError::NoKey { .. }))) if given.is_none() => Ok(None),
        Err(error) => Err(error),
    }
}

impl Joining {
    /// Which repository it is.
    pub fn repository(&self) -> &crate::seal::names::RepositoryId {
        self.ring.repository()
    }

    /// Before the remote is set.
    pub fn keep(&self, ws: &Workspace) -> Result<(), Error> {
        if self.storage != Storage::New {
            return Ok(());
        }
        let own = KeySource::of(ws).of_keyring();
        kept::store(&own, self.ring.clone(), || "the remote".to_owned())
    }

    /// Once the remote is set: the other laptops hear of this one, so that it gets later keys. If
    /// that fails, the next push does it.
    pub(in crate::transfer) fn announce(&self, ws: &Workspace) {
        if self.storage != Storage::Stored
            && let Ok(Some(repo)) = ws.repo()
        {
            recovery::note_tried(ws, &repo);
        }
        if self.storage != Storage::Environment
            && let Err(error) = keys::add(ws, None)
        {
            ws.note_for_verbose(format!(
                "the other laptops will hear of this one with its first push: {error}"
            ));
        }
    }
}
