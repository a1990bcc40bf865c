//! Why an agent was not connected, disconnected or read.
//!
//! Invariant: a file is shown as a person would write it (`~/.claude.json`).

use crate::agents::EditError;
use crate::workspace::{ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error("unknown agent `{name}`")]
    Unknown { name: String },
    #[error("no agent that co supports is installed here")]
    NoneInstalled,
    #[error("co is not connected to any of these agents")]
    NotConnected,
    #[error("{file}: {source}")]
    Edit { file: String, source: EditError },
    #[error("{file} is read-only")]
    ReadOnly { file: String },
    #[error("{file} belongs to another user")]
    OtherOwner { file: String },
    #[error("{path} is not a folder")]
    NoFolder { path: String, file: String },
    #[error("nothing could be read: {why}{}", nor(*more))]
    Unreadable { why: String, more: usize },
    #[error("these agents have nothing here that co can read")]
    NothingKept,
    #[error("{path} does not exist")]
    NoPath { path: String },
    #[error("{path} contains nothing that co can read")]
    NothingIn { path: String },
    #[error("no session `{named}` has written anything here")]
    NoSession { named: String },
    #[error("`{named}` matches {count} sessions")]
    SeveralSessions { named: String, count: usize },
    #[error("everything that session {session} wrote is already undone")]
    SessionTakenBack { session: String },
}

impl VerbError for AgentError {
    fn kind(&self) -> ErrorKind {
        match self {
            AgentError::Edit { .. }
            | AgentError::ReadOnly { .. }
            | AgentError::OtherOwner { .. }
            | AgentError::NoFolder { .. }
            | AgentError::Unreadable { .. } => ErrorKind::Refused,
            AgentError::Unknown { .. }
            | AgentError::NoneInstalled
            | AgentError::NotConnected
            | AgentError::NothingKept
            | AgentError::NoPath { .. }
            | AgentError::NothingIn { .. }
            | AgentError::NoSession { .. }
            | AgentError::SeveralSessions { .. }
            | AgentError::SessionTakenBack { .. } => ErrorKind::NotFound,
        }
    }
}

fn nor(more: usize) -> String {
    if more > 0 { format!(", and {more} more") } else { String::new() }
}
