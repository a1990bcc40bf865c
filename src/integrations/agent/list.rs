//! `agent list`: the agents that co knows, whether each is installed, and which parts of co it has.
//!
//! Invariant: changes nothing; a file that cannot be read affects only its own row.

use super::{draft, seen};
use crate::agents::{self, Agent, Command, State, part::Part};
use crate::machine::{Context, files};
use crate::workspace::{Error, Workspace, agent_places};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentRow {
    pub name: &'static str,
    pub title: &'static str,
    pub installed: bool,
    /// Whether it has co as a plugin, which brings the server and the hooks.
    pub plugin: bool,
    pub server: Has,
    /// The file that lists its servers.
    pub file: Option<PathBuf>,
    pub instructions: Has,
    pub skill: Has,
    pub hooks: Has,
    #[serde(flatten)]
    pub seen: seen::ClientActivity,
}

/// The state of one part of co in an agent.
#[derive(Clone, PartialEq, Debug)]
pub enum Has {
    /// The agent has no such part.
    No,
    Is(State),
    /// Its file cannot be read, and why.
    Broken(String),
}

/// As one word: `no`, `missing`, `stale`, `current` or `broken`.
impl Serialize for Has {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Has::No => serializer.serialize_str("no"),
            Has::Is(state) => state.serialize(serializer),
            Has::Broken(_) => serializer.serialize_str("broken"),
        }
    }
}

impl Has {
    pub fn is_there(&self) -> bool {
        matches!(self, Has::Is(State::Current | State::Stale))
    }
}

impl AgentRow {
    pub fn is_connected(&self) -> bool {
        self.plugin || self.server.is_there()
    }
}

pub fn run(ws: &Workspace) -> Result<Vec<AgentRow>, Error> {
    let seen = seen::all(ws);
    Ok(agents::ALL.iter().map(|agent| row(ws, agent, &seen)).collect())
}

fn row(
    context: &Context,
    agent: &'static Agent,
    seen: &BTreeMap<String, seen::ClientActivity>,
) -> AgentRow {
    let command = agent_places::command(context);
    let has = |part| has_by(context, agent, part, &command);
    let file = agent_places::target(context, agent, Part::Server).and_then(Result::ok);
    let mine = agent.clients.iter().chain([&agent.name]).filter_map(|name| seen.get(*name));
    AgentRow {
        name: agent.name,
        title: agent.title,
        installed: agent_places::is_installed(context, agent),
        plugin: agent_places::has_plugin(context, agent),
        server: has(Part::Server),
        file: file.map(|target| target.file),
        instructions: has(Part::Instructions),
        skill: has(Part::Skill),
        hooks: has(Part::Hooks),
        seen: mine.fold(seen::ClientActivity::default(), |all, one| all.with(one)),
    }
}

/// The agents that start co as their server, for a status screen; nothing else is read of the
/// others.
pub fn connected(ws: &Workspace) -> Vec<AgentRow> {
    let command = agent_places::command(ws);
    let is_connected = |agent: &&'static Agent| {
        has_by(ws, agent, Part::Server, &command).is_there() || agent_places::has_plugin(ws, agent)
    };
    let connected: Vec<&'static Agent> = agents::ALL.iter().filter(is_connected).collect();
    if connected.is_empty() {
        return Vec::new();
    }
    let seen = seen::all(ws);
    connected.into_iter().map(|agent| row(ws, agent, &seen)).collect()
}

pub(super) fn has(context: &Context, agent: &'static Agent, part: Part) -> Has {
    has_by(context, agent, part, &agent_places::command(context))
}

/// As [`has`], for many: to find out the command, each folder of the PATH is looked into.
fn has_by(context: &Context, agent: &'static Agent, part: Part, command: &Command) -> Has {
    let Some(Ok(target)) = agent_places::target(context, agent, part) else { return Has::No };
    // Only an error names the file behind links: most agents have no file, and finding out where
    // one would be takes a dozen calls.
    let text = files::read_text(&target.file);
    match text.or_else(|_| files::read_text(&draft::real(&target.file))) {
        Err(error) => Has::Broken(error.to_string()),
        Ok(text) => {
            let text = text.unwrap_or_default();
            match part.state(agent, &text, command) {
                Ok(state) => Has::Is(state),
                Err(why) => Has::Broken(why.to_string()),
            }
        }
    }
}
