//! Shell completion: from the definition of the command line and this laptop's identity.
//!
//! Invariant: read-only, never prompts, prints no errors; what cannot be read gives no candidates.

use super::{output, verb::Definition};
use crate::documents::{self as knowledge, profile};
use crate::facts::{last, list, log};
use crate::foreign::{Foreign, said};
use crate::identity::{FactList, FactRow, memory::summary_of};
use crate::integrations::{secret, skills};
use crate::machine::{Context, context::Overrides, env::Env, settings};
use crate::secrets;
use crate::transfer::layers;
use crate::undo;
use crate::workspace::{Workspace, asked::Within};
use clap_complete::{
    ArgValueCompleter, CompleteEnv, CompletionCandidate as Candidate, PathCompleter,
    engine::ValueCompleter,
};
use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    sync::{Arc, OnceLock},
};

/// Set by the scripts of `co completions`; its value is the name of the shell.
pub(super) const VARIABLE: &str = "CO_COMPLETE";

/// Nobody picks from a longer list by hand.
const MAX: usize = 2_000;

/// A completion request: the process, and the command line to complete.
struct Asked {
    env: Arc<Env>,
    arguments: Vec<OsString>,
    definition: Definition,
}

static ASKED: OnceLock<Asked> = OnceLock::new();

/// Answers a shell that asks for completions; `false` if none does.
pub(super) fn answered(env: &Arc<Env>, arguments: &[OsString], definition: Definition) -> bool {
    if env.env(VARIABLE).is_none() {
        return false;
    }
    let _ = ASKED.set(Asked { env: Arc::clone(env), arguments: arguments.to_vec(), definition });
    let asked = CompleteEnv::with_factory(definition)
        .var(VARIABLE)
        .bin("co")
        .completer("co")
        .try_complete(arguments.iter().cloned(), Some(&env.started_in));
    asked.unwrap_or_else(|error| {
        output::say(&said!("co: {}\n", error));
        true
    })
}

/// Finishes nothing that a killed co left: a person is still typing.
fn workspace() -> Option<Workspace> {
    let Asked { env, arguments: typed, .. } = ASKED.get()?;
    let after = |name: &str| {
        let at = typed.iter().position(|word| word == name)?;
        typed.get(at + 1).map(Into::into)
    };
    let overrides = Overrides { identity: after("--identity"), directory: after("-C") };
    Context::read(Arc::clone(env), &overrides).ok().map(Workspace::unrecovered)
}

fn facts() -> FactList {
    let listed = workspace().and_then(|ws| list::run(&ws, &list::Request::default()).ok());
    listed.map(|report| report.memories).unwrap_or_default()
}

/// Files and folders whose names a shell can display.
pub(super) fn paths() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| -> Vec<Candidate> {
        let is_seen =
            |path: &Candidate| Foreign(&path.get_value().to_string_lossy()).is_seen_whole();
        PathCompleter::any().complete(typed).into_iter().filter(is_seen).collect()
    })
}

/// A word that a shell can insert and display; others are not proposed.
fn candidate(word: String) -> Option<Candidate> {
    Foreign(&word).is_seen_whole().then(|| Candidate::new(word))
}

fn explained(word: String, about: &str) -> Option<Candidate> {
    let about = Foreign(about).line().into_owned();
    candidate(word).map(|candidate| candidate.help(Some(about.into())))
}

/// Every fact by its handle, described by its first line, and the word for the one learned last.
pub(super) fn handles() -> Vec<Candidate> {
    let facts = facts();
    let rows = facts.iter().take(MAX);
    let rows = rows.filter_map(|row| explained(row.handle(), &summary_of(row.first_line())));
    let last = explained(last::WORD.to_owned(), "the fact learned last on this laptop");
    rows.chain(last.filter(|_| !facts.is_empty())).collect()
}

pub(super) fn tags() -> Vec<Candidate> {
    let facts = facts();
    let tags: BTreeSet<&str> = facts.iter().flat_map(FactRow::tags).collect();
    tags.into_iter().map(str::to_owned).filter_map(candidate).collect()
}

/// Every topic of the knowledge documents, described by its name.
pub(super) fn documents() -> Vec<Candidate> {
    let listed = workspace()
        .and_then(|ws| knowledge::list::run(&ws, &Default::default(), &[]).ok())
        .map_or_else(Vec::new, |report| report.entries);
    let entries = listed.into_iter().take(MAX);
    entries.filter_map(|row| explained(row.topic.to_string(), &row.name)).collect()
}

/// What can be proposed to a layer: facts by their handles, and documents by their topics.
pub(super) fn offered() -> Vec<Candidate> {
    let mut all = handles();
    all.extend(documents());
    all
}

/// The operations that an undo or redo can refer to.
pub(super) fn operations() -> Vec<Candidate> {
    let entries =
        workspace().and_then(|ws| log::run(&ws, 50, Within::All).ok()).unwrap_or_default();
    let shown = |entry: &log::LogEntry| format!("{} {}", entry.verb, entry.what);
    let entries = entries.iter();
    entries.filter_map(|entry| explained(undo::handle(entry.op), &shown(entry))).collect()
}

/// The names that the identity mentions and those in the keyring; never unlocks the keyring.
pub(super) fn secret_names() -> Vec<Candidate> {
    let Some(status) = workspace().and_then(|ws| secret::status(&ws).ok()) else {
        return Vec::new();
    };
    let names = status.needs.into_iter().map(|need| need.name).chain(status.unused);
    names.filter_map(candidate).collect()
}

/// The verbs with their descriptions.
pub(super) fn verbs() -> Vec<Candidate> {
    let Some(asked) = ASKED.get() else { return Vec::new() };
    let commands = (asked.definition)();
    let verbs = commands.get_subcommands().filter(|verb| !verb.is_hide_set());
    verbs.map(|verb| Candidate::new(verb.get_name()).help(verb.get_about().cloned())).collect()
}

/// The rules of the secret scanner.
pub(super) fn rules() -> Vec<Candidate> {
    secrets::all().map(|rule| Candidate::new(rule.id)).collect()
}

/// The fields of the profile with their values.
pub(super) fn profile_fields() -> Vec<Candidate> {
    let report = workspace().and_then(|ws| profile::list(&ws).ok());
    let fields = report.map_or_else(Vec::new, |report| report.fields).into_iter();
    fields.filter_map(|field| explained(field.key, &secrets::redact(&field.value))).collect()
}

/// The laptop's settings with their descriptions.
pub(super) fn settings() -> Vec<Candidate> {
    let candidate = |key: &settings::Key| Candidate::new(key.name).help(Some(key.about.into()));
    settings::ALL.iter().map(candidate).collect()
}

/// The layers that are known in this folder, and the words for the person's own and for all.
pub(super) fn layers() -> Vec<Candidate> {
    let Some(ws) = workspace() else { return Vec::new() };
    let names = layers::known(&ws).into_iter().map(|layer| layer.name.clone());
    let me = ws.instead().is_none().then(|| "me".to_owned());
    names.chain(me).chain(["all".to_owned()]).filter_map(candidate).collect()
}

/// The agents that co knows.
pub(super) fn agents() -> Vec<Candidate> {
    crate::agents::ALL.iter().map(|agent| Candidate::new(agent.name)).collect()
}

/// The skills of the identity, described by what they are for.
pub(super) fn skills() -> Vec<Candidate> {
    let listed = workspace().and_then(|ws| skills::list::list(&ws).ok()).unwrap_or_default();
    let described = listed.into_iter().take(MAX).filter_map(|skill| {
        let about = skill.description.unwrap_or_default();
        explained(skill.name, &about)
    });
    described.collect()
}

/// The agent sessions that wrote something.
pub(super) fn sessions() -> Vec<Candidate> {
    let entries =
        workspace().and_then(|ws| log::run(&ws, MAX, Within::All).ok()).unwrap_or_default();
    let named = |entry: log::LogEntry| Some((entry.session?, entry.client.unwrap_or_default()));
    let all: std::collections::BTreeMap<String, String> =
        entries.into_iter().filter_map(named).collect();
    all.into_iter().filter_map(|(id, client)| explained(id, &client)).collect()
}
