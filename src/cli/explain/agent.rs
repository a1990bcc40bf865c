//! What a person can do after a failure that concerns agents.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::hints::Hints;
use crate::agents::{self, EditError};
use crate::ops::agent::AgentError;

const READABLE: &str = "markdown, a JSON export, or a text with a fact on each line";
const SESSIONS: &str = "`co log` shows which session wrote what";

pub(super) fn agent(error: &AgentError) -> Hints {
    let hint = match error {
        AgentError::Unknown { .. } => {
            let all: Vec<&str> = agents::ALL.iter().map(|agent| agent.name).collect();
            return vec![format!("it knows {}", all.join(", "))];
        }
        AgentError::ReadOnly { file } => {
            return vec![format!("`chmod u+w {file}`, then run the command again")];
        }
        AgentError::NoFolder { file, .. } => return vec![format!("{file} has to go into one")],
        AgentError::NoneInstalled => {
            "`co agent list` shows which it knows; `co agent install NAME` does not look"
        }
        AgentError::NotConnected => "`co agent list` shows where it is",
        AgentError::Edit { source, .. } => match source {
            EditError::Foreign => {
                "rename that server, then run the command again; nothing was changed"
            }
            EditError::Block => {
                "take the marks and what is between them out, then run the command again"
            }
            EditError::Unreadable { .. }
            | EditError::Shape(_)
            | EditError::Twice(_)
            | EditError::Theirs => {
                "mend the file, then run the command again; nothing in it was changed"
            }
        },
        AgentError::OtherOwner { .. } => "nothing was changed; run the command as that user",
        AgentError::Unreadable { .. } | AgentError::NothingIn { .. } => READABLE,
        AgentError::NothingKept => {
            "`--from PATH` reads a file or folder: notes of basic-memory, an export of mem0, \
             ChatGPT or Claude"
        }
        AgentError::NoPath { .. } => "look whether the path is right",
        AgentError::NoSession { .. }
        | AgentError::SeveralSessions { .. }
        | AgentError::SessionTakenBack { .. } => SESSIONS,
    };
    vec![hint.to_owned()]
}
