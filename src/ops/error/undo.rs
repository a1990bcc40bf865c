//! Why nothing was undone.
//!
//! Invariant: an operation is described by its handle and by what it did.

use super::kind::ErrorKind;
use crate::system::oplog::OpVerb;
use std::fmt;

#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    #[error("there is nothing to undo")]
    Nothing,
    #[error("there is no undo to take back")]
    NoUndo,
    #[error("there is no operation {handle}")]
    NoOperation { handle: String },
    #[error("{operation} was taken back already")]
    TakenBack { operation: String },
    #[error("there is nothing left to take back of {operation}")]
    NothingLeft { operation: String },
    #[error("{} changed nothing in an identity or project", .0.described)]
    Outside(Outside),
    /// The newest operation is not one that an undo without a handle takes back.
    #[error("{0}")]
    Passed(Box<NothingToUndo>),
    #[error(
        "{file}{} was written since {handle}, in the place of what would come back; nothing was \
         changed",
        and_more(*more)
    )]
    OverNewer { file: String, more: usize, handle: String },
    #[error("the project {folder} is gone")]
    ProjectGone { folder: String },
    #[error("what operation {handle} changed is no longer kept")]
    NoLongerKept { handle: String },
}

/// An operation on files that belong neither to an identity nor to a project.
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
    pub why: Why,
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
pub enum Why {
    OnlyOthers,
    NothingLeft,
    /// It changed nothing that an undo covers.
    Outside,
}

impl UndoError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            UndoError::OverNewer { .. } => ErrorKind::Refused,
            UndoError::Nothing
            | UndoError::NoUndo
            | UndoError::NoOperation { .. }
            | UndoError::TakenBack { .. }
            | UndoError::NothingLeft { .. }
            | UndoError::Outside(_)
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
            Why::OnlyOthers => write!(
                f,
                "the last operation ({named}) brought what other laptops did, and nothing of this \
                 one was lost in it"
            ),
            Why::NothingLeft => {
                write!(f, "nothing is left to take back of the last operation ({named})")
            }
            Why::Outside => {
                write!(f, "the last operation ({named}) changed nothing in an identity or project")
            }
        }
    }
}

fn and_more(more: usize) -> String {
    if more > 0 { format!(" and {more} more") } else { String::new() }
}
