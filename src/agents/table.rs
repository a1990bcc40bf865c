//! The table of agents: a row each.
//!
//! Invariant: a new agent is a row. Exceptions, each for one vendor feature: `ops::agent::trust`
//! and `ops::review::sources` (Codex), `mcp::server` (session variables), `adopt::exports`.

use super::{entry::Server, hooks::Hooks, notes::Writes, rows};

/// The folder of a project.
pub const HERE: &str = ".";

/// A path in a folder that a variable of the environment may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnvPath {
    pub variable: Option<&'static str>,
    /// With `~` for the home folder, and [`HERE`] for the one that a person stands in.
    pub otherwise: &'static str,
    pub path: &'static str,
}

/// Where an agent reads what a person tells every session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instructions {
    /// A file of the person's, in which co has a block.
    Shared(EnvPath),
    /// A file of co's own, which begins with this.
    Own(EnvPath, &'static str),
    /// As `Shared`, but a new file would hide the second, which is read while the first is not
    /// there.
    Hiding(EnvPath, EnvPath),
    /// As `Shared`, but where the second is there, it alone is read.
    Overridden(EnvPath, EnvPath),
    None,
}

/// A file, or a folder with files of these endings, down to so many levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportSource {
    pub place: EnvPath,
    pub endings: &'static [&'static str],
    pub depth: usize,
}

pub struct Agent {
    /// As it is named on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// What its clients call themselves in the protocol.
    pub clients: &'static [&'static str],
    /// It is installed when one of these is there…
    pub signs: &'static [EnvPath],
    /// … or one of these on the PATH.
    pub programs: &'static [&'static str],
    pub server: Server,
    pub instructions: Instructions,
    /// Whether `@path` in its instructions brings another file in.
    pub includes: bool,
    /// Where it looks for skills.
    pub skills: Option<EnvPath>,
    pub hooks: Option<Hooks>,
    /// Where it keeps what it knows of the person.
    pub import_sources: &'static [ImportSource],
    /// What it writes by itself.
    pub writes: Writes,
    /// What a person has to do or know after installing.
    pub note: Option<&'static str>,
}

pub static ALL: &[Agent] = rows::ROWS;

pub fn find(name: &str) -> Option<&'static Agent> {
    let wanted = name.to_lowercase().replace([' ', '_'], "-");
    ALL.iter().find(|agent| {
        agent.name == wanted || agent.title.to_lowercase().replace(' ', "-") == wanted
    })
}

/// The title of an agent that may be unknown.
pub fn title(name: &str) -> &str {
    client(name).map_or(name, |agent| agent.title)
}

/// The agent whose client calls itself so, or that is named so.
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
