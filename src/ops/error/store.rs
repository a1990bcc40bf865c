//! Why there is no store to read or write.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no identity in {path}")]
    NoIdentity { path: String },
    #[error("{folder} is a link that points outside the project")]
    LinkedProject { folder: String },
    #[error("{folder} is not in a project (no .co-cli folder at or above it)")]
    NoProject { folder: String },
}

impl StoreError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            StoreError::NoIdentity { .. } | StoreError::NoProject { .. } => ErrorKind::NotSetUp,
            StoreError::LinkedProject { .. } => ErrorKind::Refused,
        }
    }
}
