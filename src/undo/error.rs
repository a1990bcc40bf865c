//! Why nothing was undone.
//!
//! Invariant: an operation is described by its handle and by what it did.

use crate::machine::oplog::OpVerb;
use crate::workspace::{ErrorKind, VerbError};
use std::fmt;

#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    #[error("there is nothing to undo")]
    Nothing,
    #[error("there is nothing to redo")]
    NoUndo,
    #[error("there is no operation {handle}")]
    NoOperation { handle: String },
    #[error("{operation} is already undone")]
    TakenBack { operation: String },
    #[error("{operation} is already fully undone")]
    NothingLeft { operation: String },
    #[error(
        "{operation} only brought in changes from other laptops; undoing it would restore nothing \
         on this laptop"
    )]
    OnlyOthers { operation: String },
    #[error("{} changed nothing in an identity or project", .0.described)]
    Outside(Outside),
    /// The newest operation is not one that an undo without a handle takes back.
    #[error("{0}")]
    Passed(Box<NothingToUndo>),
    #[error(
        "{file}{} written after {handle} and would be overwritten; nothing was changed",
        and_more(*more)
    )]
    OverNewer {
        file: String,
        more: usize,
        handle: String,
        /// The operation and all that came after it, if they can be undone together.
        together: Option<String>,
    },
    #[error("{} copied the identity into another repository; it cannot be undone", .0.described)]
    Copied(Outside),
    #[error("the project {folder} no longer exists")]
    ProjectGone { folder: String },
    #[error("the earlier content for operation {handle} is no longer kept")]
    NoLongerKept { handle: String },
}

/// An operation that no undo covers: on files outside identities and projects, or a copy of an
/// identity into another repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outside {
    pub verb: OpVerb,
    pub what: String,
    /// Its handle, its verb and what it changed.
    pub described: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NothingToUndo {
    pub newest: Outside,
    pub why: SkipReason,
    /// The newest older operation that can be undone.
    pub older: Option<Older>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Older {
    pub op: u64,
    /// Its verb and what it changed.
    pub described: String,
}

/// Why the newest operation is skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkipReason {
    OnlyOthers,
    NothingLeft,
    /// It changed nothing that an undo covers.
    Outside,
    /// It copied the identity into another repository.
    Copied,
}

impl VerbError for UndoError {
    fn kind(&self) -> ErrorKind {
        match self {
            UndoError::OverNewer { .. } => ErrorKind::Refused,
            UndoError::Nothing
            | UndoError::NoUndo
            | UndoError::NoOperation { .. }
            | UndoError::TakenBack { .. }
            | UndoError::NothingLeft { .. }
            | UndoError::OnlyOthers { .. }
            | UndoError::Outside(_)
            | UndoError::Copied(_)
            | UndoError::Passed(_)
            | UndoError::ProjectGone { .. }
            | UndoError::NoLongerKept { .. } => ErrorKind::NotFound,
        }
    }
}

impl fmt::Display for NothingToUndo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = &self.newest.described;
        match self.why {
            SkipReason::OnlyOthers => write!(
                f,
                "the last operation ({named}) only brought in changes from other laptops; undoing \
                 it would restore nothing on this laptop"
            ),
            SkipReason::NothingLeft => {
                write!(f, "the last operation ({named}) is already fully undone")
            }
            SkipReason::Outside => {
                write!(f, "the last operation ({named}) changed nothing in an identity or project")
            }
            SkipReason::Copied => write!(
                f,
                "the last operation ({named}) copied the identity into another repository; it \
                 cannot be undone"
            ),
        }
    }
}

fn and_more(more: usize) -> String {
    if more > 0 { format!(" and {more} more were") } else { " was".to_owned() }
}
