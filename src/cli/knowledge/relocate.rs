//! `co knowledge move` and `co knowledge migrate`: arguments and output. The verb is
//! `documents::relocate`.

use crate::cli::{
    args::scope,
    complete,
    failure::Failure,
    output::Output,
    prompt,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::documents::relocate::{self, Plan, Report, Request};
use crate::foreign::{Said, said};
use crate::index::store::Scope;
use clap::Args;
use clap_complete::ArgValueCandidates;

pub(super) const HELP: &str = "Sorts by type, else by content: people go to people/, \
    decisions to decisions/, meetings to meetings/ with their date, how-to guides to reference/, \
    what begins with a project's name to its folder, what a service wrote to integrations/. The \
    rest stays. `co undo` reverts it.";

/// `co knowledge move`
#[derive(Args, Debug)]
pub struct Move {
    /// The topic, or a folder
    #[arg(value_name = "FROM", add = ArgValueCandidates::new(complete::documents))]
    pub from: String,
    /// The new topic; with a trailing `/`, the new folder
    #[arg(value_name = "TO")]
    pub to: String,
    /// How it is done.
    #[command(flatten)]
    pub options: RelocateOptions,
}

/// `co knowledge migrate`
#[derive(Args, Debug)]
pub struct Migrate {
    /// How it is done.
    #[command(flatten)]
    pub options: RelocateOptions,
}

/// What both have.
#[derive(Args, Debug)]
pub struct RelocateOptions {
    /// Only show what would move
    #[arg(short = 'n', long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
}

impl Verb for Move {
    fn name(&self) -> &'static str {
        "knowledge move"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let scope = self.options.scope;
        let plan = relocate::plan(cli.ws, &Request::Move { from: self.from, to: self.to, scope })?;
        // A single named document is what they want.
        let is_agreed = self.options.yes || plan.report().moved.len() == 1;
        carried_out(cli, &plan, self.options.dry_run, is_agreed)
    }
}

impl Verb for Migrate {
    fn name(&self) -> &'static str {
        "knowledge migrate"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let plan = relocate::plan(cli.ws, &Request::Migrate { scope: self.options.scope })?;
        carried_out(cli, &plan, self.options.dry_run, self.options.yes)
    }
}

fn carried_out(
    cli: &Cli<'_>,
    plan: &Plan,
    dry_run: bool,
    is_agreed: bool,
) -> Result<Output, Failure> {
    let report = plan.report();
    let stage = match (dry_run, is_agreed) {
        (true, _) => Stage::Preview,
        (false, true) => Stage::Move,
        (false, false) => Stage::Question,
    };
    let shown = shown(&report, stage, cli.style);
    if report.moved.is_empty() {
        return Ok(Output::done(said!("{}Nothing moves.\n", shown), report));
    }
    if dry_run {
        return Ok(Output::done(shown, report));
    }
    if !is_agreed {
        prompt::agree_to(cli, &shown, "Proceed", prompt::UNASKED_MOVE)?;
    }
    let report = relocate::apply(cli.ws, plan)?;
    let moved = plural(report.moved.len(), "document", "documents");
    let links = match report.links.len() {
        0 => Said::new(),
        links => said!(", links updated in {}", plural(links, "file", "files")),
    };
    let list = if is_agreed { shown } else { Said::new() };
    let text =
        said!("{}{} Moved {}{}. Undo: `co undo`.\n", list, cli.style.learned("✓"), moved, links);
    Ok(Output::done(text, report))
}

/// How many moves are listed if there are too many.
const MAX: usize = 12;

/// What the list of the moves is shown for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Preview,
    Question,
    Move,
}

fn shown(report: &Report, stage: Stage, style: Style) -> Said {
    let most = if stage == Stage::Preview { usize::MAX } else { MAX };
    let first = || report.moved.iter().take(most);
    let width = first().map(|moved| moved.from.to_string().chars().count()).max();
    let width = width.unwrap_or(0);
    let mut text = Said::new();
    for moved in first() {
        let why = moved.why.as_ref().map_or_else(Said::new, |why| said!("  {}", why));
        let from = Said::column(&moved.from.to_string(), width);
        text.push(said!("  {} → {}{}\n", from, moved.to, style.dim(why)));
    }
    // A preview does not list what has moved already.
    let preview = if stage == Stage::Move { "" } else { PREVIEW };
    text.push(more(report.moved.len(), most, style, preview));
    for topic in report.stay.iter().take(most) {
        let why = style.dim("  stays: unclear where it belongs");
        text.push(said!("  {}{}\n", topic, why));
    }
    text.push(more(report.stay.len(), most, style, PREVIEW));
    text
}

/// Where the rest of a list is.
const PREVIEW: &str = "; `--dry-run` shows all";

fn more(all: usize, shown: usize, style: Style, rest: &'static str) -> Said {
    let line = |more| said!("  {}{}\n", more, style.dim(rest));
    style.more(all, shown).map(line).unwrap_or_default()
}
