//! `agent list`: the agents that co knows, which of them are here, and what each has of co.
//!
//! Invariant: changes nothing; a file that cannot be read costs its own row.

use super::{draft, places, seen};
use crate::agents::{self, Agent, State, part::Part};
use crate::ops::Failure;
use crate::system::{Context, files};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub name: &'static str,
    pub title: &'static str,
    pub installed: bool,
    pub server: Has,
    /// Where its servers are.
    pub file: Option<PathBuf>,
    pub instructions: Has,
    pub skill: Has,
    pub hooks: Has,
    #[serde(flatten)]
    pub seen: seen::Seen,
}

/// What an agent has of a part.
#[derive(Clone, PartialEq, Debug)]
pub enum Has {
    /// It has no such part.
    No,
    Is(State),
    /// Its file cannot be read, and why.
    Broken(String),
}

/// As a word: `no`, `missing`, `stale`, `current`, `broken`.
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

impl Row {
    pub fn is_connected(&self) -> bool {
        self.server.is_there()
    }
}

pub fn run(context: &Context) -> Result<Vec<Row>, Failure> {
    let seen = seen::all(context);
    let row = |agent: &'static Agent| {
        let has = |part| has(context, agent, part);
        let file = places::target(context, agent, Part::Server).and_then(Result::ok);
        let mine = agent.clients.iter().chain([&agent.name]).filter_map(|name| seen.get(*name));
        Row {
            name: agent.name,
            title: agent.title,
            installed: places::is_installed(context, agent),
            server: has(Part::Server),
            file: file.map(|target| target.file),
            instructions: has(Part::Instructions),
            skill: has(Part::Skill),
            hooks: has(Part::Hooks),
            seen: mine.fold(seen::Seen::default(), |all, one| all.with(one)),
        }
    };
    Ok(agents::ALL.iter().map(row).collect())
}

/// The agents that start co as their server, for a screen of where things stand.
pub fn connected(context: &Context) -> Vec<Row> {
    let all = run(context).unwrap_or_default();
    all.into_iter().filter(Row::is_connected).collect()
}

pub(super) fn has(context: &Context, agent: &'static Agent, part: Part) -> Has {
    let Some(Ok(target)) = places::target(context, agent, part) else { return Has::No };
    match files::read_text(&draft::real(&target.file)) {
        Err(error) => Has::Broken(error.to_string()),
        Ok(text) => {
            let text = text.unwrap_or_default();
            match part.state(agent, &text, &places::command(context)) {
                Ok(state) => Has::Is(state),
                Err(why) => Has::Broken(why.to_string()),
            }
        }
    }
}
