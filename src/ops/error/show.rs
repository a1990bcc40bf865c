//! Why a handle does not identify exactly one memory.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error("`{text}` is not the handle of a fact")]
    NoHandle { text: String },
    #[error("there is no fact {text}")]
    NotFound { text: String },
    #[error("`{text}` {}", why_ambiguous(*is_renumbered))]
    Ambiguous {
        text: String,
        /// A line for each memory: its handle and how it begins.
        candidates: Vec<String>,
        /// Whether a sync gave the number to another memory.
        is_renumbered: bool,
    },
}

impl ShowError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            ShowError::NoHandle { .. } => ErrorKind::Invalid,
            ShowError::NotFound { .. } => ErrorKind::NotFound,
            ShowError::Ambiguous { .. } => ErrorKind::NeedsChoice,
        }
    }
}

fn why_ambiguous(is_renumbered: bool) -> &'static str {
    if is_renumbered {
        "has belonged to another fact since a sync, so it could mean either"
    } else {
        "matches several facts"
    }
}
