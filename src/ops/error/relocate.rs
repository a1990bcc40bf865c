//! Why the identity was not moved.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum RelocateError {
    #[error("the identity's folder is set by --identity or CO_IDENTITY_PATH")]
    NamedElsewhere,
    #[error("{to} overlaps with the identity: one is inside the other")]
    Nested { to: String },
    #[error("{to} already exists and is not empty")]
    Taken { to: String },
    #[error("{path}: {why}; nothing was moved")]
    Unreadable { path: String, why: String },
    #[error("{folder} is a separate identity")]
    InIdentity { folder: String },
    #[error("{to} does not match what was copied")]
    NotCopied { to: String },
}

impl RelocateError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            RelocateError::NamedElsewhere | RelocateError::Nested { .. } => ErrorKind::Invalid,
            RelocateError::Taken { .. }
            | RelocateError::Unreadable { .. }
            | RelocateError::InIdentity { .. } => ErrorKind::Refused,
            RelocateError::NotCopied { .. } => ErrorKind::Other,
        }
    }
}
