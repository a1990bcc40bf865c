//! Why a document was not found, written, moved or deleted.
//!
//! Invariant: a document is referred to by its topic, a value as it was typed.

use super::add::AddError;
use crate::knowledge::Topic;
use crate::workspace::{Error, ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    #[error("no document has the topic `{topic}`")]
    NotFound {
        topic: Topic,
        /// An existing topic with a similar spelling.
        near: Option<String>,
    },
    /// No document has this name, and none and no fact says it.
    #[error("nothing names `{name}`")]
    Unnamed {
        name: String,
        /// An existing topic with a similar spelling.
        near: Option<String>,
    },
    #[error("`{name}` may be {}", topics.join(" or "))]
    Several { name: String, topics: Vec<String> },
    #[error("no document was given")]
    NothingMeant,
    #[error("co has no document {topic}")]
    NoDocs { topic: String },
    #[error("{topic} belongs to co and is read-only")]
    ReadOnly { topic: String },
    #[error("{topic} is part of co's own manual, which cannot be moved or deleted")]
    OwnManual { topic: String },
    #[error("{topic} says `editable: false`, so it was left as it is")]
    Locked { topic: Topic },
    #[error("{topic} changed while you were editing it; nothing was written")]
    Outdated { topic: Topic },
    #[error("{path}: {why}")]
    Unreadable { path: String, why: String },
    #[error("a document {topic} already exists; nothing was moved")]
    Taken { topic: Topic },
    #[error("a document {topic} already exists; nothing was written")]
    Exists { topic: String },
    #[error("the text is {bytes} bytes; a document can be at most {} MiB", limit >> 20)]
    TooLong { bytes: usize, limit: u64 },
    #[error("`{value}` is not a valid {key}")]
    NoValue { key: &'static str, value: String, known: &'static [&'static str] },
    #[error("a field must be a single line of text")]
    Field,
    #[error("{0}")]
    UnreadableSeed(String),
    #[error("its own frontmatter cannot be read: line {line}: {message}")]
    Front { line: usize, message: String },
    #[error("it is not UTF-8 text")]
    NotUtf8,
    #[error(transparent)]
    Add(#[from] AddError),
}

impl KnowledgeError {
    /// Whether a caption is all that a picture lacks to be added.
    pub fn lacks_caption(error: &Error) -> bool {
        let error = error.of_verb().and_then(|error| error.downcast_ref::<KnowledgeError>());
        matches!(error, Some(KnowledgeError::Add(AddError::NoCaption { .. })))
    }
}

impl From<AddError> for Error {
    fn from(error: AddError) -> Error {
        KnowledgeError::from(error).into()
    }
}

impl VerbError for KnowledgeError {
    fn kind(&self) -> ErrorKind {
        match self {
            KnowledgeError::NotFound { .. }
            | KnowledgeError::Unnamed { .. }
            | KnowledgeError::NothingMeant
            | KnowledgeError::NoDocs { .. } => ErrorKind::NotFound,
            KnowledgeError::Several { .. } => ErrorKind::NeedsChoice,
            KnowledgeError::ReadOnly { .. }
            | KnowledgeError::OwnManual { .. }
            | KnowledgeError::Locked { .. }
            | KnowledgeError::Taken { .. }
            | KnowledgeError::Exists { .. } => ErrorKind::Refused,
            KnowledgeError::TooLong { .. }
            | KnowledgeError::NoValue { .. }
            | KnowledgeError::Field
            | KnowledgeError::Front { .. }
            | KnowledgeError::NotUtf8 => ErrorKind::Invalid,
            KnowledgeError::Outdated { .. } => ErrorKind::Busy,
            KnowledgeError::Unreadable { .. } | KnowledgeError::UnreadableSeed(_) => {
                ErrorKind::Other
            }
            KnowledgeError::Add(error) => error.kind(),
        }
    }
}
