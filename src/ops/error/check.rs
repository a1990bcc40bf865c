//! Why a check was not made.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("--fix repairs the whole identity, not single files")]
    FixOfPaths,
    #[error("the identity has no {path}")]
    NoPath { path: String },
}

impl CheckError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            CheckError::FixOfPaths => ErrorKind::Invalid,
            CheckError::NoPath { .. } => ErrorKind::NotFound,
        }
    }
}
