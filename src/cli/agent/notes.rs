//! `co agent notes`: arguments and output; also the lines about notes in the output of a sync. The
//! verb is `sync::notes::overview`.

use crate::cli::{
    failure::Failure,
    output::Output,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::sync::notes::{self, Exchanged, NotesScope, overview};
use clap::Args;

pub(super) const HELP: &str = "Claude Code writes notes about each project into a separate \
    folder. When they are shared, every sync and every session keeps that folder identical on all \
    your laptops: a project is identified by its git remote, so that a clone at any path has the \
    same notes; a folder outside any repository, by its path below your home folder. For notes \
    changed on two laptops, both texts are kept.\n\
    \n\
    `co agent install claude-code --notes` shares them, --no-notes stops sharing. To keep \
    projects on this laptop only: `co config set agents.notes.exclude 'github.com/acme/*'`.";

/// `co agent notes`
#[derive(Args, Debug)]
pub struct Notes {
    /// Show only the project of this folder, with its notes
    #[arg(long)]
    pub project: bool,
}

impl Verb for Notes {
    fn name(&self) -> &'static str {
        "agent notes"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let scope = if self.project { NotesScope::Here } else { NotesScope::All };
        let overview = overview::run(cli.ws, scope)?;
        let text = shown(&overview, cli);
        Ok(Output::data(text, overview))
    }
}

fn shown(overview: &overview::NotesOverview, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let mut text = Said::new();
    for agent in &overview.agents {
        let state = if agent.shared {
            Said::from("shared between your laptops")
        } else {
            said!("not shared; `co agent install {} --notes` shares them", agent.name)
        };
        text.push(said!("{}: {}\n", agent.title, state));
    }
    for one in &overview.folders {
        let what = if one.is_equal() { Said::from("up to date here") } else { moves(one) };
        let place = style.dim(said!("({})", cli.ws.shown(&one.folder)));
        let count = plural(one.notes, "note", "notes");
        text.push(said!("  {}  {}, {}  {}\n", one.project, count, what, place));
        for held in &one.withheld {
            text.push(said!("    stays here: {}: {}\n", held.file, held.why));
        }
        if one.rewritten > 0 {
            let notes = plural(one.rewritten, "note", "notes");
            text.push(said!("    {} rewritten at once: one operation, one `co undo`\n", notes));
        }
        for why in one.trouble.iter().cloned().chain(one.full()) {
            text.push(said!("    {}\n", why));
        }
    }
    for one in &overview.elsewhere {
        let count = plural(one.notes, "note", "notes");
        text.push(said!("  {}  {} of {}, none here yet\n", one.project, count, one.agent));
    }
    for project in &overview.excluded {
        text.push(said!("  {}  stays here: excluded\n", project));
    }
    for folder in &overview.unknown {
        let folder = cli.ws.shown(folder);
        let why = "unknown project; start the agent in it once";
        text.push(said!("  {}  {}\n", folder, style.dim(why)));
    }
    if !overview.notes.is_empty() {
        text.push(said!("\nNotes about {}:\n", overview.project));
    }
    for note in &overview.notes {
        text.push(said!("  {}  {}  {}\n", note.agent, note.file, style.dim(&note.says)));
    }
    text
}

/// What would happen at the next sync.
fn moves(one: &Exchanged) -> Said {
    let parts = [
        (one.brought, "to receive"),
        (one.removed, "to delete here"),
        (one.taken, "to send"),
        (one.deleted, "to delete everywhere"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| said!("{} {}", count, what));
    Said::joined(parts, ", ")
}

/// One line per folder whose notes a sync moved, and one for notes of unknown projects.
pub(in crate::cli) fn lines(report: &notes::Report, style: Style) -> Said {
    let mut text: Said = report.changes().map(|one| line(one, report, style)).collect();
    if !report.unknown.is_empty() {
        let folders = plural(report.unknown.len(), "folder", "folders");
        let line = said!("{} without a known project: start the agent there once", folders);
        text.push(said!("  {:<16}{}\n", "notes", line));
    }
    text
}

fn line(one: &Exchanged, report: &notes::Report, style: Style) -> Said {
    let parts = [
        (one.brought, style.learned("+"), "received"),
        (one.removed, style.forgotten("-"), "removed"),
        (one.taken, Said::from(">"), "sent"),
        (one.deleted, Said::from(">"), "deleted here"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let mut parts: Vec<Said> = parts
        .map(|(count, sign, what)| said!("{} {} {}", sign, plural(count, "note", "notes"), what))
        .collect();
    if one.rewritten > 0 {
        let back = one.operation.as_ref();
        let back = back.map_or_else(Said::new, |op| said!(" (`co undo {}` takes that back)", op));
        let notes = plural(one.rewritten, "note", "notes");
        parts.push(said!("{} rewritten at once{}", notes, back));
    }
    if !one.both.is_empty() {
        parts.push(said!("both texts kept in {}", one.both.join(", ")));
    }
    let clones = report.folders.iter().filter(|other| other.project == one.project).count();
    let place = match clones {
        1 => Said::new(),
        _ => said!("  {}", style.dim(one.folder.to_string_lossy())),
    };
    said!("  {:<16}{}: {}{}\n", one.title, one.short, Said::joined(parts, ", "), place)
}
