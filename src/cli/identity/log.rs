//! `co identity log`: arguments and output. The verb is `facts::log`.

use crate::agents;
use crate::cli::{
    complete,
    failure::Failure,
    handle,
    memory::recall::at_least_one,
    output::Output,
    style::Style,
    verb::{Cli, Needs, Verb},
};
use crate::facts::log;
use crate::foreign::{Said, said};
use crate::identity::{Calendar, dates::Reading};
use crate::machine::oplog::OpVerb as Did;
use crate::merge::change::{Fact, FieldChange, Meaning};
use crate::undo;
use crate::workspace::{
    Workspace,
    asked::{self, Within},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co identity log`
#[derive(Args, Debug)]
pub struct Log {
    /// A fact: its number (`12`), `12-3fa9`, `sha256:3fa9…`, or `last`: the one learned last here
    #[arg(add = ArgValueCandidates::new(complete::handles))]
    handle: Option<String>,
    /// Maximum number of operations
    #[arg(short = 'n', long, default_value_t = 20, value_parser = at_least_one)]
    limit: usize,
    /// Show the log as it was at a time (yesterday, 17:05, 2026-10-01), after an operation (o42) or
    /// at a git revision (HEAD~3)
    #[arg(long, value_name = "DATE|OP|REV", conflicts_with = "on")]
    at: Option<String>,
    /// Show only what was done on a day or at a time
    #[arg(long, value_name = "DATE")]
    on: Option<String>,
}

impl Log {
    fn within(&self, ws: &Workspace) -> Result<Within, Failure> {
        if let Some(text) = &self.at {
            let repo = ws.repo()?;
            return Ok(Within::Until(asked::past_point(ws, repo.as_deref(), text)?.moment(ws)));
        }
        let Some(text) = &self.on else { return Ok(Within::All) };
        let (when, calendar) = (asked::date(ws, text, Reading::Past)?, ws.calendar());
        Ok(Within::Between(when.first(calendar), when.last(calendar)))
    }
}

impl Verb for Log {
    fn name(&self) -> &'static str {
        "identity log"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let calendar = cli.ws.calendar();
        let within = self.within(cli.ws)?;
        if let Some(handle) = self.handle {
            let mut report = log::life(cli.ws, &handle::meant(cli, handle, None)?)?;
            report.events.retain(|event| within.has(&event.at));
            return Ok(Output::data(life(&report, cli.style, calendar), report));
        }
        let entries = log::run(cli.ws, self.limit, within)?;
        let text = logged(&entries, within, cli.style, calendar);
        Ok(Output::data(text, json!({ "operations": entries })))
    }
}

fn logged(entries: &[log::LogEntry], within: Within, style: Style, calendar: &Calendar) -> Said {
    if entries.is_empty() {
        return Said::from(match within {
            Within::All => "Nothing has happened here yet.\n",
            Within::Until(_) => "Nothing had happened here by then.\n",
            Within::Between(..) => "Nothing happened here at that time.\n",
        });
    }
    let mut text = Said::new();
    for entry in entries {
        let undoes = entry.undoes.map_or_else(Said::new, |op| said!("  ({})", undo::handle(op)));
        let undone = if entry.undone { "  (undone)" } else { "" };
        let project =
            entry.project.as_ref().map_or_else(Said::new, |folder| said!("  in {}", folder));
        let by = match (&entry.client, &entry.session) {
            (Some(client), Some(session)) => said!("  by {}, session {}", client, session),
            (Some(client), None) => said!("  by {}", client),
            _ => Said::new(),
        };
        let head = said!(
            "{:>6}  {}  {:<9}",
            undo::handle(entry.op),
            calendar.minute_of_text(&entry.at),
            entry.did
        );
        let about = style.dim(said!("{}{}{}{}", undoes, undone, project, by));
        if style.is_crowded(BEFORE) {
            text.push(style.strong(head.trimmed()));
            text.push(said!("\n        {}{}\n", what(entry, style, 8), about));
        } else {
            text.push(said!("{}{}{}\n", style.strong(&head), what(entry, style, BEFORE), about));
        }
        let Meaning { learned, forgotten, edited, .. } = &entry.meaning;
        let several = learned.len() + forgotten.len() + edited.len() > 1;
        if several || is_of_several(&entry.verb) {
            text.push(facts(&entry.meaning, style));
        }
    }
    text
}

/// The first facts of each kind, each on a line of its own.
fn facts(meaning: &Meaning, style: Style) -> Said {
    let line = |sign: Said, fact: &Fact, fields: &str| {
        let title = style.shown_of(&fact.summary, &fact.first_line);
        said!("          {} {}{}\n", sign, style.fit_two(title, 12), fields)
    };
    let mut text = Said::new();
    text.extend(meaning.learned.iter().take(10).map(|fact| line(style.learned("+"), fact, "")));
    let gone = meaning.forgotten.iter().take(10);
    text.extend(gone.map(|fact| line(style.forgotten("-"), fact, "")));
    let edited = meaning.edited.iter().take(10);
    text.extend(edited.map(|fact| line(style.edited("~"), &fact.now, "")));
    text.extend(meaning.relabelled.iter().take(10).map(|change| {
        let fields = format!(" ({})", FieldChange::line(&change.fields));
        line(style.edited("~"), &change.fact, &fields)
    }));
    text
}

/// The columns before what was done.
const BEFORE: usize = 35;

/// What was done. The log has a fact's summary; a terminal may have room for more.
fn what(entry: &log::LogEntry, style: Style, before: usize) -> Said {
    let Meaning { learned, forgotten, edited, relabelled, .. } = &entry.meaning;
    let facts = learned.iter().chain(forgotten);
    let mut facts = facts
        .chain(edited.iter().map(|fact| &fact.now))
        .chain(relabelled.iter().map(|change| &change.fact));
    let fact = facts.find(|fact| fact.summary == entry.what);
    match fact.filter(|_| style.width.is_some()) {
        Some(fact) => style.fit_two(&fact.first_line, before),
        None => said!("{}", entry.what),
    }
}

/// Whether the verb alone does not say which facts it changed.
fn is_of_several(verb: &Did) -> bool {
    matches!(verb, Did::ByHand | Did::Merge | Did::Undo | Did::Redo)
}

/// Where a fact came from, on one line; `None` for one that a person wrote.
pub(in crate::cli) fn from(from: &log::FactOrigin) -> Option<Said> {
    let agent = from.agent.as_ref()?;
    let title = agents::title(agent);
    let session = from.session.as_ref().map(|session| said!(", session {}", session));
    let project = from.project.as_ref().map(|project| said!(", in {}", project));
    let agreed = match from.agreed {
        Some("user") => "; you agreed",
        Some(_) => "; nobody was asked",
        None => "",
    };
    let (session, project) = (session.unwrap_or_default(), project.unwrap_or_default());
    Some(said!("from {}{}{}{}", title, session, project, Said::from(agreed)))
}

/// The columns before the detail of an event.
const BEFORE_DETAIL: usize = 37;

fn life(life: &log::Life, style: Style, calendar: &Calendar) -> Said {
    let title = style.shown_of(&life.summary, &life.first_line);
    let mut text = style.strong(said!("\"{}\"", title)) + "\n";
    if let Some(line) = from(&life.from) {
        text.push(said!("{}\n", style.dim(line)));
    }
    for event in &life.events {
        let sign = match event.what.as_str() {
            "learned" | "learned again" => style.learned("+"),
            "forgotten" => style.forgotten("-"),
            _ => style.edited("~"),
        };
        let at = calendar.minute_of_text(&event.at);
        let commit = event.commit.as_deref().map(|id| &id[..7.min(id.len())]);
        let place = style.dim(said!("{} {}", commit.unwrap_or("not committed, on"), event.who));
        let detail = style.shown_of(&event.detail, &event.line);
        if style.is_crowded(BEFORE_DETAIL) {
            text.push(said!("  {}  {} {}\n      {}\n", at, sign, event.what, detail));
            text.push(said!("      {}\n", place));
        } else {
            text.push(said!("  {}  {} {:<14} {}\n", at, sign, event.what, detail));
            text.push(said!("{:21}{}\n", "", place));
        }
    }
    text
}
