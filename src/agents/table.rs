//! The table of agents: one row each.
//!
//! Invariant: a new agent is a row. Exceptions, each for one vendor feature:
//! `integrations::agent::trust` and `facts::review::sources` (Codex), `mcp::server` (session
//! variables), `adopt::exports`.

use super::{agent::Agent, antigravity, part::Part, places::EnvPath, rows};

impl Agent {
    /// For whom it goes on, if its vendor ended it.
    pub fn ended(&self) -> Option<&'static str> {
        let mut ended = antigravity::ENDED.iter();
        ended.find(|(name, _)| *name == self.name).map(|(_, what)| *what)
    }

    /// Where some sources have a part of it, beside the place that others name.
    pub fn also(&self, part: Part) -> Option<&'static EnvPath> {
        let mut also = antigravity::ALSO.iter();
        also.find(|(name, of, _)| *name == self.name && *of == part).map(|(.., place)| place)
    }
}

pub static ALL: &[Agent] = rows::ROWS;

pub fn find(name: &str) -> Option<&'static Agent> {
    let wanted = name.to_lowercase().replace([' ', '_'], "-");
    ALL.iter().find(|agent| {
        agent.name == wanted || agent.title.to_lowercase().replace(' ', "-") == wanted
    })
}

/// The title of an agent, which may be unknown.
pub fn title(name: &str) -> &str {
    client(writer(name)).map_or(name, |agent| agent.title)
}

/// The agent that the notes in a folder below `agents/` are of: its own, or of those it starts.
pub fn writer(kept: &str) -> &str {
    kept.split_once('+').map_or(kept, |(name, _)| name)
}

/// The agent whose client reports this name, or that has this name.
pub fn client(name: &str) -> Option<&'static Agent> {
    ALL.iter().find(|agent| agent.name == name || agent.clients.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_and_each_once() {
        let mut names: Vec<&str> = ALL.iter().map(|agent| agent.name).collect();
        assert!(names.len() >= 12);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(find("Claude Code").is_some() && find("claude-code").is_some());
    }
}
