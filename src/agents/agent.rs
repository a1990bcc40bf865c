//! What co knows of an agent: a row of the table.
//!
//! Invariant: only values. Must not know: which agents there are.

use super::{
    entry::Server,
    hooks::Hooks,
    notes::Writes,
    places::{EnvPath, ImportSource},
};

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

/// How it shows that co is one of its plugins, which brings the server, the hooks and the skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PluginSign {
    /// JSON settings, in which `enabledPlugins` has `co@…` set to true.
    Enabled(EnvPath),
    /// The folder of an extension.
    Folder(EnvPath),
}
