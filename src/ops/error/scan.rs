//! Why nothing was scanned.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    #[error("{path} is no regular file")]
    NotRegular { path: String },
    #[error("there is no file or folder {path}")]
    NoPath { path: String },
    #[error("no commit has {path}")]
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
