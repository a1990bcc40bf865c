//! `co agent notes`

use crate::cli::{
    output::Output,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::ops::{
    Failure,
    notes::{self, Exchanged, Which, look},
};
use clap::Args;

pub(super) const HELP: &str = "Claude Code writes notes about each project into a folder of its \
    own. When they are shared, every sync and every session keeps that folder equal on all your \
    laptops: the project is told by its git remote, so that a clone at any path has the same \
    notes. What was changed on two laptops keeps both texts.\n\
    \n\
    `co agent install claude-code --notes` shares them, --no-notes stops that. Projects that must \
    not leave this laptop: `co config set agents.notes.exclude 'github.com/acme/*'`.";

/// `co agent notes`
#[derive(Args, Debug)]
pub struct Notes {
    /// Only the project of this folder, with its notes
    #[arg(long)]
    pub project: bool,
}

impl Verb for Notes {
    fn name(&self) -> &'static str {
        "agent notes"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let which = if self.project { Which::Here } else { Which::All };
        let looked = look::run(cli.context, which)?;
        let text = shown(&looked, cli);
        Ok(Output::data(text, looked))
    }
}

fn shown(looked: &look::Looked, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let mut text = Said::new();
    for agent in &looked.agents {
        let state = match agent.shared {
            true => Said::from("shared between your laptops"),
            false => said!("not shared; `co agent install {} --notes` shares them", agent.name),
        };
        text.push(said!("{}: {}\n", agent.title, state));
    }
    for one in &looked.folders {
        let what = if one.is_equal() { Said::from("equal here") } else { moves(one) };
        let place = style.dim(said!("({})", cli.context.shown(&one.folder)));
        let count = plural(one.notes, "note", "notes");
        text.push(said!("  {}  {}, {}  {}\n", one.project, count, what, place));
        for held in &one.withheld {
            text.push(said!("    stays here: {}: {}\n", held.file, held.why));
        }
        if let Some(why) = &one.trouble {
            text.push(said!("    {}\n", why));
        }
    }
    for one in &looked.elsewhere {
        let count = plural(one.notes, "note", "notes");
        text.push(said!("  {}  {} of {}, none here yet\n", one.project, count, one.agent));
    }
    if looked.is_excluded {
        text.push(said!("  {}  excluded by agents.notes.exclude\n", looked.project));
    }
    for folder in &looked.unknown {
        let folder = cli.context.shown(folder);
        let why = "project unknown; start the agent in it once";
        text.push(said!("  {}  {}\n", folder, style.dim(why)));
    }
    if !looked.notes.is_empty() {
        text.push(said!("\nNotes about {}:\n", looked.project));
    }
    for note in &looked.notes {
        text.push(said!("  {}  {}  {}\n", note.agent, note.file, style.dim(&note.says)));
    }
    text
}

/// What would happen at the next sync.
fn moves(one: &Exchanged) -> Said {
    let parts = [
        (one.brought, "to come"),
        (one.removed, "to go here"),
        (one.taken, "to send"),
        (one.deleted, "to go everywhere"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| said!("{} {}", count, what));
    Said::joined(parts, ", ")
}

/// A line for each project whose notes a sync moved.
pub(in crate::cli) fn lines(report: &notes::Report, style: Style) -> Said {
    let line = |one: &Exchanged| {
        let (plus, minus) = (style.learned("+"), style.forgotten("-"));
        let mut parts = Vec::new();
        if one.brought > 0 {
            let notes = plural(one.brought, "note", "notes");
            parts.push(said!("{} {} of {} from your other laptops", plus, notes, one.short));
        }
        if one.removed > 0 {
            let notes = plural(one.removed, "note", "notes");
            parts.push(said!("{} {} of {} deleted on another laptop", minus, notes, one.short));
        }
        if one.taken > 0 {
            let notes = plural(one.taken, "note", "notes");
            parts.push(said!("{} of {} taken from here", notes, one.short));
        }
        if one.deleted > 0 {
            let notes = plural(one.deleted, "note", "notes");
            parts.push(said!("{} of {} deleted by {}", notes, one.short, one.title));
        }
        if !one.both.is_empty() {
            parts.push(said!("both texts kept in {}", one.both.join(", ")));
        }
        said!("  {:<16}{}\n", one.title, Said::joined(parts, ", "))
    };
    report.changes().map(line).collect()
}
