//! Why a remote was not sealed, or its keys not changed.
//!
//! Invariant: no message contains a key or a passphrase, and no URL a password.

use crate::machine::keyring::KeyringError;
use crate::workspace::{ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error("there is no remote")]
    NoRemote,
    #[error("{remote} is not sealed")]
    NotSealed { remote: String },
    #[error("{remote} is already sealed")]
    Already { remote: String },
    #[error("{url} is not empty; nothing was changed")]
    NotEmpty { url: String },
    #[error(
        "the key of a sealed remote cannot be kept on this laptop: {source}; nothing was changed"
    )]
    Keyring { source: KeyringError },
    /// Before there is a recovery key.
    #[error(
        "the key of a sealed remote cannot be kept on this laptop: {source}; nothing was changed"
    )]
    NotBegun { source: KeyringError },
    #[error("no laptop called {name} has the keys; these do: {laptops}")]
    NoLaptop { name: String, laptops: String },
    #[error("no laptop has a key of its own, and so none called {name}")]
    NoLaptops { name: String },
    #[error("{name} is this laptop")]
    Itself { name: String },
    #[error("that is not a recovery key")]
    NoRecoveryKey,
    #[error("that recovery key or passphrase does not open {remote}")]
    WrongRecoveryKey { remote: String },
    #[error("a passphrase needs at least {least} letters; nothing was changed")]
    ShortPassphrase { least: usize },
    #[error("{path} exists already; nothing was changed")]
    FileThere { path: String },
    #[error("this laptop has not read {remote} yet")]
    NothingSeen { remote: String },
}

impl VerbError for SealError {
    fn kind(&self) -> ErrorKind {
        match self {
            SealError::NoRemote
            | SealError::NotSealed { .. }
            | SealError::NoLaptop { .. }
            | SealError::NoLaptops { .. }
            | SealError::NothingSeen { .. } => ErrorKind::NotFound,
            SealError::Already { .. }
            | SealError::Itself { .. }
            | SealError::ShortPassphrase { .. } => ErrorKind::Invalid,
            SealError::Keyring { source } | SealError::NotBegun { source } => of_keyring(source),
            SealError::NotEmpty { .. }
            | SealError::NoRecoveryKey
            | SealError::WrongRecoveryKey { .. }
            | SealError::FileThere { .. } => ErrorKind::Refused,
        }
    }
}

fn of_keyring(error: &KeyringError) -> ErrorKind {
    match error {
        KeyringError::Locked => ErrorKind::NeedsChoice,
        error if error.is_absent() => ErrorKind::NotSetUp,
        _ => ErrorKind::Other,
    }
}
