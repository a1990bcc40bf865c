//! What can go wrong at the door.
//!
//! Invariant: an input/output error never travels without its path and what was being done.

use std::{io, path::PathBuf};

/// An error of the machine.
#[derive(Debug, thiserror::Error)]
pub enum SystemError {
    /// A file could not be read, written, moved or removed.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried, as an infinitive.
        action: &'static str,
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// A file of ours holds something that is not ours.
    #[error("{} cannot be read: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// Another co works on this identity.
    #[error("another co is at work on {}", path.display())]
    Busy {
        /// The locked folder or file.
        path: PathBuf,
    },
    /// git could not do it.
    #[error(transparent)]
    Git(#[from] super::git::GitError),
}

/// Adds path and action to an input/output error.
pub trait At<T> {
    /// `action` is an infinitive: `read`, `write`.
    ///
    /// # Errors
    /// The same error, with its path.
    fn at(self, action: &'static str, path: &std::path::Path) -> Result<T, SystemError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, action: &'static str, path: &std::path::Path) -> Result<T, SystemError> {
        self.map_err(|source| SystemError::File { action, path: path.to_owned(), source })
    }
}
