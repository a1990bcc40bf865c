//! Why a memory was not edited.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("fact {handle} changed while you were editing it; nothing was written")]
    Outdated { handle: String },
    #[error("fact {handle} already says this")]
    Same { handle: String },
}

impl EditError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            EditError::Outdated { .. } => ErrorKind::Busy,
            EditError::Same { .. } => ErrorKind::Refused,
        }
    }
}
