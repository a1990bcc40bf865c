//! For agents that rewrite their config file while running: uses their own CLI instead of editing
//! the file.
//!
//! Invariant: only adds a missing entry, or removes one from a file with the agent's state; co
//! edits an existing entry itself, to keep a person's settings. The file shows whether it worked.

use super::draft::{self, LinkedPath};
use crate::agents::{self, Agent, Command, State, entry::NAME};
use crate::identity::FileChange;
use crate::machine::{Context, files, process::Process, program};
use crate::workspace::agent_places;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(20);
/// Variables that disable telemetry, auto-update and error reports of the agent's program.
const QUIET: &[(&str, &str)] = &[
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
];

/// The agent's program that writes a configuration file.
pub struct ConfigWriter {
    agent: &'static Agent,
    program: PathBuf,
}

/// The program that writes the file of an edit, if it is installed.
fn writer(
    context: &Context,
    names: &[&str],
    edit: &FileChange<LinkedPath>,
) -> Option<ConfigWriter> {
    names.iter().filter_map(|name| agents::find(name)).find_map(|agent| {
        let program = program::find(agent.server.through?, context.env("PATH")?)?;
        let file = draft::real(&agent_places::resolve(context, agent.server.files.first()?));
        (file == edit.path.target).then_some(ConfigWriter { agent, program })
    })
}

/// The program to use for an edit that adds an entry.
pub fn adds(
    context: &Context,
    names: &[&str],
    edit: &FileChange<LinkedPath>,
    command: &Command,
) -> Option<ConfigWriter> {
    let before = draft::text_of(&edit.before);
    writer(context, names, edit)
        .filter(|writer| writer.agent.server.state(before, command) == Ok(State::Missing))
}

/// The program to use to remove the entry from a file that the agent also keeps state in.
pub fn removes(
    context: &Context,
    names: &[&str],
    edit: &FileChange<LinkedPath>,
) -> Option<ConfigWriter> {
    let is_in_use = draft::text_of(&edit.after).contains("\"projects\"");
    writer(context, names, edit).filter(|_| is_in_use)
}

impl ConfigWriter {
    /// Returns whether the entry exists afterwards.
    pub fn add(&self, context: &Context, file: &Path, command: &Command) -> bool {
        let entry = (self.agent.server.entry)(command).to_string();
        self.call(context, &["mcp", "add-json", "--scope", "user", NAME, &entry]);
        self.state(file, command) == Some(State::Current)
    }

    /// Returns whether the entry is gone afterwards.
    pub fn remove(&self, context: &Context, file: &Path) -> bool {
        self.call(context, &["mcp", "remove", "--scope", "user", NAME]);
        self.state(file, &agent_places::command(context)) == Some(State::Missing)
    }

    fn state(&self, file: &Path, command: &Command) -> Option<State> {
        let text = files::read_text(file).ok()?.unwrap_or_default();
        self.agent.server.state(&text, command).ok()
    }

    fn call(&self, context: &Context, words: &[&str]) {
        let mut process = Process::new(&self.program);
        process.args(words).current_dir(&context.home).leave_nothing().deadline(LIMIT);
        for (name, value) in QUIET {
            process.env(name, value);
        }
        // The file shows whether it worked.
        let _ = process.run();
    }

    /// The current file with the entry added: the program may have written the file without adding
    /// the entry.
    pub fn by_hand(&self, file: &Path, command: &Command) -> Option<String> {
        let text = files::read_text(file).ok()?.unwrap_or_default();
        self.agent.server.with(&text, command).ok()
    }
}
