//! Errors of files, git and locks.
//!
//! Invariant: an I/O error always carries its path and the action that failed.

use std::{io, path::PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum SystemError {
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// An infinitive: `read`, `write`.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// A file that co writes contains something that co cannot read.
    #[error("cannot read {}: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("{0}")]
    Settings(Box<super::settings::Fault>),
    #[error("the folder {} does not exist", path.display())]
    NoFolder { path: PathBuf },
    #[error(
        "the editor `{command}` failed; nothing was changed{}",
        kept.as_ref().map_or_else(String::new, |kept| format!("; your text is in {}", kept.display()))
    )]
    Editor {
        command: String,
        /// The file with what was typed until then.
        kept: Option<PathBuf>,
    },
    #[error("co is running as root, and {} belongs to another user; nothing was done", folder.display())]
    Raised { folder: PathBuf },
    #[error("another co process is working on {}", path.display())]
    Busy { path: PathBuf },
}

/// Adds path and action to an I/O error.
pub trait At<T> {
    fn at(self, action: &'static str, path: &std::path::Path) -> Result<T, SystemError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, action: &'static str, path: &std::path::Path) -> Result<T, SystemError> {
        self.map_err(|source| SystemError::File { action, path: path.to_owned(), source })
    }
}
