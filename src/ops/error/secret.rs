//! Why a secret was not stored, read or removed.

use super::kind::ErrorKind;
use crate::system::keyring::KeyringError;

#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    #[error("`{name}` is not a valid secret name")]
    Name { name: String },
    #[error("the name looks like a secret itself; nothing was stored")]
    LooksLikeSecret,
    #[error("the value is empty; nothing was stored")]
    Empty { name: String },
    #[error("the value is longer than {limit} bytes; nothing was stored")]
    TooLong { limit: usize },
    #[error("there is no secret `{name}` on this laptop")]
    NotHere { name: String },
    #[error("there is no secret `{name}` in the keyring")]
    NotInKeyring { name: String },
    #[error("{source}")]
    Keyring { name: Option<String>, source: KeyringError },
}

impl SecretError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            SecretError::Name { .. }
            | SecretError::LooksLikeSecret
            | SecretError::Empty { .. }
            | SecretError::TooLong { .. } => ErrorKind::Invalid,
            SecretError::NotHere { .. } | SecretError::NotInKeyring { .. } => ErrorKind::NotFound,
            SecretError::Keyring { source, .. } => match source {
                KeyringError::NoBus | KeyringError::NoService | KeyringError::NoCollection => {
                    ErrorKind::NotSetUp
                }
                KeyringError::Locked => ErrorKind::NeedsChoice,
                KeyringError::Silent(_) | KeyringError::Failed(_) => ErrorKind::Other,
            },
        }
    }
}
