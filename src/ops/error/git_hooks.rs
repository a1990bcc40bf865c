//! Why a hook fails.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error("{path} was changed on both sides")]
    BothSides { path: String },
    #[error("{path} does not exist")]
    NoFile { path: String },
    #[error("{path} contains two different facts")]
    TwoMemories { path: String },
    #[error("a login for git must be a single line")]
    Login,
}

impl HookError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            HookError::BothSides { .. } | HookError::TwoMemories { .. } => ErrorKind::Conflict,
            HookError::NoFile { .. } => ErrorKind::NotFound,
            HookError::Login => ErrorKind::Invalid,
        }
    }
}
