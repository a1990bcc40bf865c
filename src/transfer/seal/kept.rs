//! Keeps keys in the keyring of this laptop.
//!
//! Invariant: what the keyring has for a repository is added to, never replaced by other keys.

use super::keyring;
use crate::git::{GitError, sealed::SealedError};
use crate::machine::seal_keys::{Held, KeySource};
use crate::seal::keys::KeyRing;
use crate::workspace::Error;

/// Keeps the keys that a recovery key opened.
pub(super) fn store(
    own: &KeySource,
    ring: KeyRing,
    remote: impl FnOnce() -> String,
) -> Result<(), Error> {
    let known = own.stored(Some(ring.repository())).map_err(keyring)?.into_iter().next();
    let Some(held) = Held::with(ring, known) else {
        let why = "its keys are not those in the keyring of this laptop".to_owned();
        return Err(GitError::from(SealedError::Untrusted { remote: remote(), why }).into());
    };
    own.store(&held).map_err(keyring)
}
