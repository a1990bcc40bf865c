//! Why a folder or repository is not recognised as an identity.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum RecogniseError {
    #[error("{place} is empty, but the last commit has {files} files there")]
    Emptied { place: String, files: usize, root: String, prefix: String },
    #[error("{place} contains something other than an identity: {names}")]
    Other { place: String, names: String },
}

impl RecogniseError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            RecogniseError::Emptied { .. } => ErrorKind::NeedsUser,
            RecogniseError::Other { .. } => ErrorKind::Refused,
        }
    }
}
