//! Why something was not added as a document.
//!
//! Invariant: a source is named as it was typed.

use crate::knowledge::Topic;
use crate::machine::{extractor::ExtractError, fetch::FetchError};
use crate::workspace::{Error, ErrorKind};
use std::sync::Arc;

#[derive(Debug, thiserror::Error)]
pub enum AddError {
    #[error("a document {topic} from another source already exists; nothing was added")]
    FromElsewhere { topic: Topic },
    /// The file's text does not replace the document's text.
    #[error("{topic} was {}; the document was left unchanged", why.clause())]
    NotUpdated { topic: Topic, why: BothChanged },
    #[error("{folder} belongs to co itself; nothing was added")]
    OwnFolder { folder: String },
    #[error("{folder}: {why}; nothing was added")]
    Folder { folder: String, why: String },
    #[error("--title is for a single document, but there are several; nothing was added")]
    TitleOfSeveral,
    #[error("profile/ is for what you say about yourself; nothing was added")]
    IntoProfile,
    #[error("a file name is empty; nothing was added")]
    EmptyName,
    #[error("{files} files ({} MiB) are too much for one identity; nothing was added", bytes >> 20)]
    TooMany { files: usize, bytes: usize },
    #[error("{file}: {source}; it was not added")]
    NoText { file: String, source: ExtractError },
    /// It is a picture, and nobody said what it shows.
    #[error("{file}: it is a picture, which has no text to find it by; it was not added")]
    NoCaption { file: String },
    #[error("--caption is for a single picture, but there are several files; nothing was added")]
    CaptionOfSeveral,
    #[error("{file} was not added: it is not a picture, so it cannot have a caption")]
    CaptionOfText { file: String },
    #[error("{file}: larger than {} MiB; it was not added", limit >> 20)]
    TooLarge { file: String, limit: u64 },
    #[error("{file} does not exist")]
    NoFile { file: String },
    #[error("{file} is not a regular file")]
    NotRegular { file: String },
    #[error("{file}: its name contains invisible characters; it was not added")]
    InvisibleName { file: String },
    #[error("{0}; nothing was added")]
    Fetch(#[source] FetchError),
    /// Some or all of several items were not added.
    #[error("{}", not_added(failed.len(), *of, *is_rest_added))]
    NotAdded { failed: Vec<Arc<Error>>, of: usize, is_rest_added: bool },
}

/// What else changed a document whose file also changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BothChanged {
    OnAnotherLaptop,
    ByHand,
}

impl BothChanged {
    fn clause(self) -> &'static str {
        match self {
            BothChanged::OnAnotherLaptop => {
                "updated on another laptop, and the file also changed here"
            }
            BothChanged::ByHand => "changed since it was added",
        }
    }
}

impl AddError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            AddError::Folder { .. } | AddError::NoFile { .. } | AddError::NotRegular { .. } => {
                ErrorKind::NotFound
            }
            AddError::FromElsewhere { .. }
            | AddError::NotUpdated { .. }
            | AddError::TooMany { .. }
            | AddError::NoText { .. }
            | AddError::NoCaption { .. }
            | AddError::TooLarge { .. }
            | AddError::Fetch(FetchError::Private { .. } | FetchError::TooLarge(_))
            | AddError::NotAdded { is_rest_added: true, .. } => ErrorKind::Refused,
            AddError::OwnFolder { .. }
            | AddError::TitleOfSeveral
            | AddError::CaptionOfSeveral
            | AddError::CaptionOfText { .. }
            | AddError::IntoProfile
            | AddError::EmptyName
            | AddError::InvisibleName { .. }
            | AddError::Fetch(FetchError::NoUrl(_) | FetchError::Login(_)) => ErrorKind::Invalid,
            AddError::Fetch(_) => ErrorKind::Remote,
            AddError::NotAdded { failed, .. } => {
                failed.first().map_or(ErrorKind::Refused, |error| error.kind())
            }
        }
    }
}

fn not_added(failed: usize, of: usize, is_rest_added: bool) -> String {
    let were = if failed == 1 { "was" } else { "were" };
    let rest = if is_rest_added { "; the rest was added" } else { "" };
    format!("{failed} of {of} files {were} not added{rest}")
}
