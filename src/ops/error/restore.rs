//! Why nothing was restored.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("there is no commit `{rev}`")]
    NoCommit { rev: String },
    #[error("the identity has no file {path}")]
    NoFile { path: String },
    #[error("{path}: {why}")]
    Unreadable { path: String, why: String },
    #[error("{rev} has no {path}")]
    NotInCommit { rev: String, path: String },
}

impl RestoreError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            RestoreError::NoCommit { .. }
            | RestoreError::NoFile { .. }
            | RestoreError::NotInCommit { .. } => ErrorKind::NotFound,
            RestoreError::Unreadable { .. } => ErrorKind::Other,
        }
    }
}
