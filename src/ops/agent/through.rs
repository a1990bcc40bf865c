//! Agents that keep a file open and write it themselves: their own program is asked to change it.
//!
//! Invariant: what the program did is looked at in the file; where it did not do it, co writes the
//! file as it was planned.

use super::{draft::FileEdit, places};
use crate::agents::{self, Agent, Command, State, entry::NAME};
use crate::system::{
    Context, files,
    program::{self, Asked, Surroundings},
};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

const LIMIT: Duration = Duration::from_secs(20);
/// What keeps such a program from doing anything else.
const QUIET: &[(&str, &str)] = &[
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
];

/// The files that programs have written.
pub fn install<'a>(
    context: &Context,
    names: impl Iterator<Item = &'a str>,
    edits: &[FileEdit],
    command: &Command,
) -> Vec<PathBuf> {
    let agents = names.filter_map(agents::find);
    let wanted = |agent: &'static Agent| {
        let entry = (agent.server.entry)(command).to_string();
        let (program, edit) = asked(context, agent, edits)?;
        run(context, &program, &["mcp", "remove", "--scope", "user", NAME]);
        run(context, &program, &["mcp", "add-json", "--scope", "user", NAME, &entry]);
        let text = files::read_text(&edit.target).ok().flatten();
        if agent.server.state(text.as_deref().unwrap_or_default(), command) == Ok(State::Current) {
            return Some(edit.target.clone());
        }
        // What it left behind is no longer what was read: the entry goes into that.
        if text == edit.before {
            return None;
        }
        let after = agent.server.with(&text.unwrap_or_default(), command).ok()?;
        files::write(&edit.target, after.as_bytes()).ok()?;
        Some(edit.target.clone())
    };
    agents.filter_map(wanted).collect()
}

pub fn uninstall(context: &Context, names: &[&str], edits: &[FileEdit]) -> Vec<PathBuf> {
    let agents = names.iter().filter_map(|name| agents::find(name));
    let taken = |agent: &'static Agent| {
        let (program, edit) = asked(context, agent, edits)?;
        // A file that nobody has written since is put back to the byte.
        if !is_in_use(edit) {
            return None;
        }
        run(context, &program, &["mcp", "remove", "--scope", "user", NAME]);
        let text = files::read_text(&edit.target).ok().flatten().unwrap_or_default();
        let command = places::command(context);
        let is_done = agent.server.state(&text, &command) == Ok(State::Missing);
        is_done.then(|| edit.target.clone())
    };
    agents.filter_map(taken).collect()
}

/// Whether the file is the agent's own by now: it keeps what it knows of its projects there.
fn is_in_use(edit: &FileEdit) -> bool {
    edit.after.as_ref().is_some_and(|text| text.contains("\"projects\""))
}

/// The program to ask for a file that changes.
fn asked<'a>(
    context: &Context,
    agent: &Agent,
    edits: &'a [FileEdit],
) -> Option<(PathBuf, &'a FileEdit)> {
    let program = program::find(agent.server.through?, context.env("PATH")?)?;
    let file = super::draft::real(&places::of(context, agent.server.files.first()?));
    Some((program, edits.iter().find(|edit| edit.target == file)?))
}

fn run(context: &Context, program: &std::path::Path, words: &[&str]) {
    let quiet: BTreeMap<String, String> =
        QUIET.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let asked = Asked {
        program: program.to_owned(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        surroundings: Surroundings::Ours(quiet),
        folder: Some(context.home.clone()),
        limit: LIMIT,
    };
    // What it did is looked at in the file.
    let _ = program::ask(&asked, &[], None);
}
