//! Why the history of a fact cannot be shown.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{text} is a fact of this project; its history is in the project's repository")]
    OfProject { text: String },
    #[error("`{text}` is not the handle of a fact")]
    NoHandle { text: String },
    #[error("there has never been a fact {text}")]
    NeverThere { text: String },
}

impl LogError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            LogError::OfProject { .. } | LogError::NoHandle { .. } => ErrorKind::Invalid,
            LogError::NeverThere { .. } => ErrorKind::NotFound,
        }
    }
}
