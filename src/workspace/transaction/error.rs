//! Why a change was not written.
//!
//! Invariant: after any of these, the files are unchanged, or as the other writer left them.

use crate::machine::SystemError;
use crate::workspace::{ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// Another process wrote a file after it was read for this change.
    #[error("{what} changed in the meantime; nothing was written")]
    Changed { what: String },
    /// As [`TransactionError::Changed`], after other files of the change were written.
    #[error("{path} changed while co was writing")]
    ChangedInBetween { path: String },
    /// A change that could not be undone is not made.
    #[error("{source}; nothing was changed, because it could not be undone")]
    Unrecordable { log: String, source: SystemError },
    #[error(
        "{path} would stay on this laptop: {file}:{line} (`{pattern}`) ignores it; nothing was written"
    )]
    Ignored { path: String, file: String, line: usize, pattern: String },
    #[error("{path} is a link that points elsewhere")]
    Link { path: String },
}

impl VerbError for TransactionError {
    fn kind(&self) -> ErrorKind {
        match self {
            TransactionError::Changed { .. } | TransactionError::ChangedInBetween { .. } => {
                ErrorKind::Busy
            }
            TransactionError::Unrecordable { .. } => ErrorKind::Other,
            TransactionError::Ignored { .. } | TransactionError::Link { .. } => ErrorKind::Refused,
        }
    }
}
