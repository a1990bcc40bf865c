//! Why the index cannot be used, and whether a new one helps.
//!
//! Invariant: an index in use, out of reach or on a failing disk is not damaged.

use crate::machine::SystemError;
use rusqlite::ErrorCode;

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("the search index: {0}")]
    Sql(#[from] rusqlite::Error),
    #[error(transparent)]
    System(#[from] SystemError),
    #[error("the search index is damaged: {0}")]
    Damaged(&'static str),
    #[error("the search index was removed while it was being read")]
    Gone,
}

impl IndexError {
    /// Whether the index is damaged, rather than in use, out of reach or on a failing disk: only
    /// then does a new one help.
    pub fn is_damage(&self) -> bool {
        match self {
            IndexError::Sql(error) => !matches!(
                error.sqlite_error_code(),
                Some(
                    ErrorCode::DatabaseBusy
                        | ErrorCode::DatabaseLocked
                        | ErrorCode::FileLockingProtocolFailed
                        | ErrorCode::DiskFull
                        | ErrorCode::SystemIoFailure
                        | ErrorCode::CannotOpen
                        | ErrorCode::ReadOnly
                        | ErrorCode::PermissionDenied
                        | ErrorCode::OutOfMemory
                        | ErrorCode::OperationInterrupted
                        | ErrorCode::NoLargeFileSupport
                )
            ),
            IndexError::Damaged(_) => true,
            IndexError::System(_) | IndexError::Gone => false,
        }
    }

    /// Whether somebody else uses the index.
    pub fn is_busy(&self) -> bool {
        match self {
            IndexError::Sql(error) => matches!(
                error.sqlite_error_code(),
                Some(
                    ErrorCode::DatabaseBusy
                        | ErrorCode::DatabaseLocked
                        | ErrorCode::FileLockingProtocolFailed
                )
            ),
            IndexError::System(error) => matches!(error, SystemError::Busy { .. }),
            IndexError::Damaged(_) | IndexError::Gone => false,
        }
    }
}
