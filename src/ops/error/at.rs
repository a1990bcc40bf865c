//! Why the identity of another day cannot be shown.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum AtError {
    #[error("{path} is in no repository: it has no past")]
    NoRepository { path: String },
    #[error("`{text}` is neither a day nor a revision")]
    NoMoment { text: String },
    #[error("nothing was committed on this laptop by {text}")]
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
