//! What co installs into an agent (server, instructions, skill, hooks), each as a text edit.
//!
//! Invariant: if several agents share a part in one file, it is one part.

use super::{Agent, Command, EditError, State, block, words};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Server,
    Instructions,
    Skill,
    /// Hooks of a session.
    Hooks,
    /// Hooks that report which tools are used.
    Counting,
}

impl Part {
    pub const ALL: [Part; 5] =
        [Part::Server, Part::Instructions, Part::Skill, Part::Hooks, Part::Counting];

    pub fn state(self, agent: &Agent, text: &str, command: &Command) -> Result<State, EditError> {
        match (self, &agent.hooks) {
            (Part::Server, _) => agent.server.state(text, command),
            (Part::Instructions, _) => block::state(text, words::BLOCK),
            (Part::Skill, _) => match block::state(text, words::SKILL)? {
                State::Missing if !text.trim().is_empty() => Err(EditError::Theirs),
                state => Ok(state),
            },
            (Part::Hooks, Some(hooks)) => hooks.state(text, agent.name, command),
            (Part::Counting, Some(hooks)) => hooks.counting().state(text, agent.name, command),
            (Part::Hooks | Part::Counting, None) => Ok(State::Missing),
        }
    }

    /// Hooks are opt-in.
    pub fn is_hook(self) -> bool {
        matches!(self, Part::Hooks | Part::Counting)
    }

    /// Whether a person changed what co wrote there.
    pub fn is_edited(self, text: &str) -> bool {
        matches!(self, Part::Instructions | Part::Skill) && block::is_edited(text)
    }

    /// The text with the part. `head` is the beginning of a file that belongs to co.
    pub fn with(
        self,
        agent: &Agent,
        text: &str,
        command: &Command,
        head: &str,
    ) -> Result<String, EditError> {
        match (self, &agent.hooks) {
            (Part::Server, _) => agent.server.with(text, command),
            (Part::Instructions, _) if text.is_empty() => block::with(head, words::BLOCK),
            (Part::Instructions, _) => block::with(text, words::BLOCK),
            (Part::Skill, _) if text.is_empty() => block::with(head, words::SKILL),
            (Part::Skill, _) => block::with(text, words::SKILL),
            (Part::Hooks, Some(hooks)) => hooks.with(text, agent.name, command),
            (Part::Counting, Some(hooks)) => hooks.counting().with(text, agent.name, command),
            (Part::Hooks | Part::Counting, None) => Ok(text.to_owned()),
        }
    }

    /// The text without the part and without the containers created for it.
    pub fn without(
        self,
        agent: &Agent,
        text: &str,
        command: &Command,
        made: bool,
    ) -> Result<String, EditError> {
        match (self, &agent.hooks) {
            (Part::Server, _) => agent.server.without(text, command, made),
            (Part::Instructions, _) => Ok(block::without(text)),
            (Part::Skill, _) => Ok(block::without(text)),
            (Part::Hooks, Some(hooks)) => hooks.without(text, command, made),
            (Part::Counting, Some(hooks)) => hooks.counting().without(text, command, made),
            (Part::Hooks | Part::Counting, None) => Ok(text.to_owned()),
        }
    }
}
