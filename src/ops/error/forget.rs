//! Why nothing was forgotten.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    #[error("say what to forget")]
    Nothing,
    #[error("no fact matches '{wanted}'")]
    NoMatch { wanted: String },
}

impl ForgetError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            ForgetError::Nothing => ErrorKind::Invalid,
            ForgetError::NoMatch { .. } => ErrorKind::NotFound,
        }
    }
}
