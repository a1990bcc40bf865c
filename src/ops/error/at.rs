//! Why the identity of another day cannot be shown.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum AtError {
    #[error("{path} is not in a git repository, so it has no history")]
    NoRepository { path: String },
    #[error("`{text}` is neither a date nor a revision")]
    NoMoment { text: String },
    #[error("this laptop has no commits from {text} or earlier")]
    NothingBy { text: String },
}

impl AtError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            AtError::NoRepository { .. } => ErrorKind::NotSetUp,
            AtError::NoMoment { .. } => ErrorKind::Invalid,
            AtError::NothingBy { .. } => ErrorKind::NotFound,
        }
    }
}
