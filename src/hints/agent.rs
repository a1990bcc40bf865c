//! What can be done after a failure that concerns agents.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::Hints;
use crate::agents::{self, EditError};
use crate::integrations::{agent::AgentError, handoff::HandoffError};

const READABLE: &str = "co reads markdown, exports of mem0, ChatGPT, Claude and Gemini (JSON, or \
    the zip archive as it was downloaded), and text with one fact per line";
const SESSIONS: &str = "`co log` shows which session wrote what";

pub(super) fn agent(error: &AgentError) -> Hints {
    let hint = match error {
        AgentError::Unknown { .. } => {
            let all: Vec<&str> = agents::ALL.iter().map(|agent| agent.name).collect();
            return vec![format!("choose one of {}", all.join(", "))];
        }
        AgentError::ReadOnly { file } => {
            return vec![format!("`chmod u+w {file}`, then run the command again")];
        }
        AgentError::NoFolder { file, .. } => return vec![format!("{file} must go into a folder")],
        AgentError::NoneInstalled => {
            "`co agent list` lists the supported ones; `co agent install NAME` connects one even if it was not found here"
        }
        AgentError::NotConnected => "`co agent list` shows which agents are connected",
        AgentError::Edit { source, .. } => match source {
            EditError::Foreign => {
                "rename that server, then run the command again; nothing was changed"
            }
            EditError::Block => {
                "remove co's block and what is left of its markers, then run the command again"
            }
            EditError::Unreadable { .. }
            | EditError::Shape(_)
            | EditError::Twice(_)
            | EditError::Theirs => {
                "fix the file, then run the command again; nothing in it was changed"
            }
        },
        AgentError::OtherOwner { .. } => "nothing was changed; run the command as that user",
        AgentError::Unreadable { .. } | AgentError::NothingIn { .. } => READABLE,
        AgentError::NothingKept => {
            "`--from PATH` reads a file or folder: basic-memory notes, or an export from mem0, \
             ChatGPT, Claude or Gemini"
        }
        AgentError::NoPath { .. } => "check the path",
        AgentError::NoSession { .. }
        | AgentError::SeveralSessions { .. }
        | AgentError::SessionTakenBack { .. } => SESSIONS,
    };
    vec![hint.to_owned()]
}

pub(super) fn handoff(error: &HandoffError) -> Hints {
    let hint = match error {
        HandoffError::NoProject { .. } => "`cd` into the project, or `co -C DIR handoff`",
        HandoffError::Excluded { .. } => {
            "`co config get agents.notes.exclude` shows what is kept out"
        }
        HandoffError::NoGoal => "`co handoff --goal \"…\" --next \"…\"`",
        HandoffError::TooLong { .. } => "leave out what the next session can read in the files",
        HandoffError::Hidden { .. } => "remove the character",
        HandoffError::Missing { .. } => "`co handoff --goal \"…\"` leaves one",
    };
    vec![hint.to_owned()]
}

pub(super) fn handoff_by_model(error: &HandoffError) -> Hints {
    let hint = match error {
        HandoffError::NoProject { .. } => "give the folder of the repository as `project`",
        HandoffError::Excluded { .. } => "the user does not want notes about this project kept",
        HandoffError::NoGoal => "say what the work is for in `goal`",
        HandoffError::TooLong { .. } => "leave out what the next session can read in the files",
        HandoffError::Hidden { .. } => "remove the character",
        HandoffError::Missing { .. } => "save_handoff leaves one",
    };
    vec![hint.to_owned()]
}
