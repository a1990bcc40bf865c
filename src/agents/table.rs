//! The table of agents: one row each.
//!
//! Invariant: a new agent is a row. Exceptions, each for one vendor feature:
//! `integrations::agent::trust` and `facts::review::sources` (Codex), `mcp::server` (session
//! variables), `adopt::exports`.

use super::{antigravity, entry::Server, hooks::Hooks, notes::Writes, rows};

/// The folder of a project.
pub const HERE: &str = ".";

/// A path in a folder that an environment variable may override.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnvPath {
    pub variable: Option<&'static str>,
    /// With `~` for the home folder, and [`HERE`] for the current one.
    pub otherwise: &'static str,
    pub path: &'static str,
}

/// Where an agent reads the instructions that a person gives to every session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instructions {
    /// A file that belongs to the person, in which co has a block.
    Shared(EnvPath),
    /// A file that belongs to co and starts with this.
    Own(EnvPath, &'static str),
    /// Like `Shared`, but creating the file would hide the second one, which is read only while the
    /// first does not exist.
    Hiding(EnvPath, EnvPath),
    /// Like `Shared`, but if the second file exists, only that one is read.
    Overridden(EnvPath, EnvPath),
    None,
}

/// A file, or a folder that contains files with these extensions, up to this depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportSource {
    pub place: EnvPath,
    pub endings: &'static [&'static str],
    pub depth: usize,
}

/// How it shows that co is one of its plugins, which brings the server, the hooks and the skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PluginSign {
    /// JSON settings, in which `enabledPlugins` has `co@…` set to true.
    Enabled(EnvPath),
    /// The folder of an extension.
    Folder(EnvPath),
}

pub struct Agent {
    /// Its name on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// The names that its clients report in the protocol.
    pub clients: &'static [&'static str],
    /// It is installed if one of these exists…
    pub signs: &'static [EnvPath],
    /// … or one of these is on the PATH.
    pub programs: &'static [&'static str],
    pub server: Server,
    pub instructions: Instructions,
    /// Whether `@path` in its instructions includes another file.
    pub includes: bool,
    /// Where it looks for skills.
    pub skills: Option<EnvPath>,
    pub hooks: Option<Hooks>,
    /// Where it keeps what it knows about the person.
    pub import_sources: &'static [ImportSource],
    /// What it writes on its own.
    pub writes: Writes,
    pub plugin: Option<PluginSign>,
    /// What a person must do or know after installing.
    pub note: Option<&'static str>,
}

impl Agent {
    /// For whom it goes on, if its vendor ended it.
    pub fn ended(&self) -> Option<&'static str> {
        let mut ended = antigravity::ENDED.iter();
        ended.find(|(name, _)| *name == self.name).map(|(_, what)| *what)
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
