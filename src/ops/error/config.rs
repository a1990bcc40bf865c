//! Why a setting was not read or changed.

use super::kind::ErrorKind;
use crate::system::settings;

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{}", settings::unknown_key(name))]
    Unknown { name: String },
    #[error("{}; nothing was changed", settings::unknown_key(name))]
    UnknownInside { name: String },
    #[error("`{name}` {why}; nothing was changed")]
    Value { name: String, why: String },
    #[error("`identity_path` must be a folder; nothing was changed")]
    NoFolder,
    #[error("`{name}` must be a reference to a secret, not the secret itself")]
    Secret { name: String },
    #[error("cannot change {file}: {why}")]
    File { file: String, why: String },
    #[error("{why}; nothing was changed")]
    Whole { why: String },
}

impl ConfigError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            ConfigError::Unknown { .. } => ErrorKind::NotFound,
            ConfigError::UnknownInside { .. }
            | ConfigError::Value { .. }
            | ConfigError::NoFolder
            | ConfigError::Whole { .. } => ErrorKind::Invalid,
            ConfigError::Secret { .. } => ErrorKind::Refused,
            ConfigError::File { .. } => ErrorKind::Other,
        }
    }
}
