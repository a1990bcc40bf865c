//! Why the identity was not moved.

use crate::workspace::{ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum RelocateError {
    #[error("the identity's folder is set by --identity, CO_IDENTITY_PATH or a layer")]
    NamedElsewhere,
    #[error("the folder's name is empty; nothing was moved")]
    EmptyName,
    #[error("{to} overlaps with the identity: one is inside the other")]
    Nested { to: String },
    #[error("{to} already exists and is not empty")]
    Taken { to: String },
    #[error("{path}: {why}; nothing was moved")]
    Unreadable { path: String, why: String },
    #[error("{folder} is a separate identity")]
    InIdentity { folder: String },
    #[error("{to} is inside git's own folder")]
    InGitDir { to: String },
    #[error("{to} does not match what was copied")]
    NotCopied { to: String },
    #[error("the files in {path} are links to {folder}; nothing was moved")]
    Links { path: String, folder: String },
    #[error("{path} is a link that would point elsewhere after the move; nothing was moved")]
    Link { path: String },
    #[error("{path} is a submodule of another repository; nothing was moved")]
    Submodule { path: String },
    #[error(
        "in {to}, the identity would not be in any repository: {file}:{line} (`{pattern}`) ignores it"
    )]
    Ignored {
        to: String,
        /// The outermost ignored folder, relative to the folder that the rules apply to.
        ignored: String,
        /// The identity's folder, relative to the same.
        below: String,
        file: Box<str>,
        line: usize,
        pattern: Box<str>,
    },
    /// An undo of a move.
    #[error("{to} is inside the repository {root}; nothing was moved back")]
    InRepository { to: String, root: String },
    /// An undo of a move, whose folder nobody named.
    #[error("{why}; nothing was moved back")]
    NotBack { why: String },
    /// An undo of a move, after another.
    #[error("the identity is no longer in {to}; nothing was moved")]
    MovedOn { to: String },
}

impl VerbError for RelocateError {
    fn kind(&self) -> ErrorKind {
        match self {
            RelocateError::NamedElsewhere
            | RelocateError::EmptyName
            | RelocateError::Nested { .. } => ErrorKind::Invalid,
            RelocateError::Taken { .. }
            | RelocateError::Unreadable { .. }
            | RelocateError::Ignored { .. }
            | RelocateError::InGitDir { .. }
            | RelocateError::InRepository { .. }
            | RelocateError::NotBack { .. }
            | RelocateError::InIdentity { .. } => ErrorKind::Refused,
            RelocateError::Links { .. }
            | RelocateError::Link { .. }
            | RelocateError::Submodule { .. } => ErrorKind::NeedsUser,
            RelocateError::MovedOn { .. } => ErrorKind::NotFound,
            RelocateError::NotCopied { .. } => ErrorKind::Other,
        }
    }
}
