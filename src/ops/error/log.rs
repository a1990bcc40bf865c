//! Why the history of a fact cannot be shown.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{text} is a fact of this project, whose history is the project's")]
    OfProject { text: String },
    #[error("`{text}` names no memory")]
    NoHandle { text: String },
    #[error("there is and was no memory {text}")]
    NeverThere { text: String },
    #[error("`{text}` names several memories")]
    Several { text: String },
}

impl LogError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            LogError::OfProject { .. } | LogError::NoHandle { .. } => ErrorKind::Invalid,
            LogError::NeverThere { .. } => ErrorKind::NotFound,
            LogError::Several { .. } => ErrorKind::NeedsChoice,
        }
    }
}
