//! Why nothing was imported.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the identity has changed since this was shown; nothing was written")]
    Changed,
    #[error("an import asks before it writes, but there is no terminal to ask on")]
    NeedsAgreement,
}

impl ImportError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            ImportError::Changed => ErrorKind::Busy,
            ImportError::NeedsAgreement => ErrorKind::NeedsChoice,
        }
    }
}
