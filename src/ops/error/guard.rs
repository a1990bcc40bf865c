//! Why a text was refused.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    #[error("the secret scanner has no rule `{name}`")]
    NoRule { name: String },
    #[error("{message}")]
    Secret { message: String, name: String, rule: &'static str },
}

impl GuardError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            GuardError::NoRule { .. } => ErrorKind::Invalid,
            GuardError::Secret { .. } => ErrorKind::Refused,
        }
    }
}
