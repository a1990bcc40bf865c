//! `co identity log`: arguments and output. The verbs are `facts::log`, `facts::operation` for one
//! operation, and `facts::life` for one fact.

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
use crate::facts::{life, log, operation, timing};
use crate::foreign::{Said, said};
use crate::identity::{Calendar, dates::Reading};
use crate::machine::oplog::OpVerb as Did;
use crate::merge::change::{Fact, FieldChange, Meaning};
use crate::undo::{self, Named};
use crate::workspace::{
    Workspace,
    asked::{self, Within},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co identity log`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    co log -n 5   the last five operations\n  \
    co log 12     the history of one fact")]
pub struct Log {
    /// A fact: its number (`12`), `12-3fa9`, `sha256:3fa9…`, or `last`; or an operation (`o42`)
    #[arg(add = ArgValueCandidates::new(complete::handles))]
    handle: Option<String>,
    /// Maximum number of operations (default: 20), or of what happened to a fact (default: all)
    #[arg(short = 'n', long, value_parser = at_least_one)]
    limit: Option<usize>,
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
            return Ok(asked::past_point(ws, repo.as_deref(), text)?.until(ws));
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
            return told(cli, handle, within, self.limit.unwrap_or(usize::MAX));
        }
        let entries = log::run(cli.ws, self.limit.unwrap_or(OPERATIONS), within)?;
        let text = logged(&entries, within, cli.style, calendar);
        Ok(Output::data(text, json!({ "operations": entries })))
    }
}

/// How many operations the log shows.
const OPERATIONS: usize = 20;

/// One fact, or one or several operations.
fn told(cli: &Cli<'_>, handle: String, within: Within, limit: usize) -> Result<Output, Failure> {
    let calendar = cli.ws.calendar();
    match undo::parse_handle(&handle) {
        Some(Named::One(op)) => {
            let report = operation::run(cli.ws, op)?;
            Ok(Output::data(operation_text(&report, cli.style, calendar), report))
        }
        Some(Named::Range(from, to)) => {
            let mut reports = operation::run_several(cli.ws, from, to)?;
            reports.truncate(limit);
            let text = |report| operation_text(report, cli.style, calendar);
            let text = Said::joined(reports.iter().map(text), "\n");
            Ok(Output::data(text, json!({ "operations": reports })))
        }
        Some(Named::Bare(_)) | None => {
            let mut report = life::run(cli.ws, &handle::meant(cli, handle, None)?)?;
            report.events.retain(|event| within.has(&event.at, operation_of(event)));
            let all = report.events.len();
            if all == 0 {
                let then = match within {
                    Within::Between(..) => "Nothing happened to it at that time.\n",
                    _ => "Nothing had happened to it by then.\n",
                };
                let text = life_text(&report, cli.style, calendar) + then;
                return Ok(Output::data(text, report));
            }
            report.events.truncate(limit);
            let more = cli.style.more(all, report.events.len());
            let more = more.map_or_else(Said::new, |more| said!("  {}\n", more));
            Ok(Output::data(life_text(&report, cli.style, calendar) + more, report))
        }
    }
}

fn operation_of(event: &life::Event) -> Option<u64> {
    match undo::parse_handle(event.op.as_ref()?)? {
        Named::One(op) => Some(op),
        Named::Range(..) | Named::Bare(_) => None,
    }
}

fn logged(entries: &[log::LogEntry], within: Within, style: Style, calendar: &Calendar) -> Said {
    if entries.is_empty() {
        return Said::from(match within {
            Within::All => "Nothing has happened here yet.\n",
            Within::Until(_) | Within::Through(..) => "Nothing had happened here by then.\n",
            Within::Between(..) => "Nothing happened here at that time.\n",
        });
    }
    let mut text = Said::new();
    for entry in entries {
        text.push(head(entry, style, calendar));
        let Meaning { learned, forgotten, edited, .. } = &entry.meaning;
        let several = learned.len() + forgotten.len() + edited.len() > 1;
        if several || is_of_several(&entry.verb) {
            text.push(facts(&entry.meaning, style));
        }
    }
    text
}

/// What was done, when and by whom.
fn head(entry: &log::LogEntry, style: Style, calendar: &Calendar) -> Said {
    let undoes = entry.undoes.map_or_else(Said::new, |op| said!("  ({})", undo::handle(op)));
    let undone = if entry.undone { "  (undone)" } else { "" };
    let project = entry.project.as_ref().map_or_else(Said::new, |folder| said!("  in {}", folder));
    let by = match (&entry.client, &entry.session) {
        (Some(client), Some(session)) => said!("  by {}, session {}", client, session),
        (Some(client), None) => said!("  by {}", client),
        _ => Said::new(),
    };
    let head = said!(
        "{:>5}  {}  {:<9} ",
        undo::handle(entry.op),
        calendar.minute_of_text(&entry.at),
        entry.did
    );
    let about = style.dim(said!("{}{}{}{}", undoes, undone, project, by));
    if style.is_crowded(BEFORE) {
        return said!(
            "{}\n        {}{}\n",
            style.strong(head.trimmed()),
            what(entry, style, 8),
            about
        );
    }
    said!("{}{}{}\n", style.strong(&head), what(entry, style, BEFORE), about)
}

fn operation_text(report: &operation::Report, style: Style, calendar: &Calendar) -> Said {
    let mut text = head(&report.operation, style, calendar);
    if !report.kept {
        text.push("          (the text that it changed is no longer kept)\n");
    }
    for file in &report.changes {
        let sign = match file.change {
            "learned" | "added" => style.learned("+"),
            "forgotten" | "deleted" => style.forgotten("-"),
            _ => style.edited("~"),
        };
        let named = match (&file.handle, &file.was) {
            (Some(handle), _) => said!("fact {}", handle),
            (None, Some(was)) => said!("{} → {}", was, file.path),
            (None, None) => said!("{}", file.path),
        };
        let fields = FieldChange::line(&file.fields);
        let fields =
            if fields.is_empty() { Said::new() } else { style.dim(said!("  ({})", fields)) };
        text.push(said!("          {} {} {}{}\n", sign, file.change, named, fields));
        text.push(both_texts(&file.removed, &file.added, "            ", style));
    }
    text
}

/// The lines that went and those that came, each behind its sign.
fn both_texts(removed: &[String], added: &[String], margin: &'static str, style: Style) -> Said {
    let margin = Said::from(margin);
    let line = |sign: Said, line: &String| said!("{}{} {}\n", margin, sign, line);
    let mut text = Said::new();
    text.extend(removed.iter().map(|gone| line(style.forgotten("-"), gone)));
    text.extend(added.iter().map(|came| line(style.learned("+"), came)));
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
pub(in crate::cli) fn from(from: &life::FactOrigin) -> Option<Said> {
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

fn life_text(life: &life::Life, style: Style, calendar: &Calendar) -> Said {
    let title = style.shown_of(&life.summary, &life.first_line);
    let mut text = style.strong(said!("\"{}\"", title)) + "\n";
    if let Some(line) = from(&life.from) {
        text.push(said!("{}\n", style.dim(line)));
    }
    for event in &life.events {
        let sign = match event.what.as_str() {
            "learned" | "learned again" => style.learned("+"),
            "forgotten" | "replaced" => style.forgotten("-"),
            _ => style.edited("~"),
        };
        let at = calendar.minute_of_text(&event.at);
        let place = style.dim(place(event));
        let detail = style.shown_of(&event.detail, &event.line);
        let (margin, head) = if style.is_crowded(BEFORE_DETAIL) {
            ("      ", said!("  {}  {} {}\n      {}\n", at, sign, event.what, detail))
        } else {
            let head = said!("  {}  {} {:<14} {}\n", at, sign, event.what, detail);
            ("                     ", head)
        };
        text.push(head);
        text.push(other_text(event, detail, margin, style));
        let times = event.times.iter().flat_map(|times| timing::bounds(times, calendar));
        let times: Vec<String> = times.collect();
        if !times.is_empty() {
            text.push(said!("{}{}\n", Said::from(margin), times.join(", ")));
        }
        text.push(said!("{}{}\n", Said::from(margin), place));
    }
    text
}

/// The lines that an edit replaced, and those that came with it, but for the one that is shown.
fn other_text(event: &life::Event, shown: &str, margin: &'static str, style: Style) -> Said {
    let (Some(before), Some(after)) = (&event.before, &event.after) else { return Said::new() };
    let without = |text: &str, other: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| other.lines().all(|known| known != *line));
        lines.map(str::to_owned).collect()
    };
    let (removed, mut added) = (without(before, after), without(after, before));
    added.retain(|line| line != shown);
    both_texts(&removed, &added, margin, style)
}

/// By which operation, in which commit, where and by whom; and whether only a sync tells when.
fn place(event: &life::Event) -> Said {
    let mut place = event.op.as_ref().map_or_else(Said::new, |op| said!("{}, ", op));
    match &event.commit {
        Some(commit) => place.push(said!("{} {}", &commit[..7.min(commit.len())], event.who)),
        None => place.push(said!("not committed, on {}", event.who)),
    }
    let told = event.verb.as_ref().filter(|verb| !is_told(verb));
    place.extend(told.map(|verb| said!(", {}", verb)));
    place.extend(event.agent.as_ref().map(|agent| said!(", by {}", agents::title(agent))));
    if event.time == life::TimeSource::Sync {
        place.push(", known from its sync");
    }
    place
}

/// Whether the event alone says by which verb it came.
fn is_told(verb: &Did) -> bool {
    matches!(verb, Did::Save | Did::Forget | Did::Edit | Did::Pin | Did::Unpin)
}
