//! Why nothing was scanned.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    #[error("{path} is not a regular file")]
    NotRegular { path: String },
    #[error("{path} does not exist")]
    NoPath { path: String },
    #[error("no commit contains {path}")]
    NoHistory { path: String },
}

impl ScanError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            ScanError::NotRegular { .. } => ErrorKind::Invalid,
            ScanError::NoPath { .. } | ScanError::NoHistory { .. } => ErrorKind::NotFound,
        }
    }
}
