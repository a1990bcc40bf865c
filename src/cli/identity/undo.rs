//! `co undo` and `co redo`, also as `co identity undo` and `co identity redo`: arguments and
//! output. The verb is `undo`; what an undo changes is listed in `undo_text`.

use super::undo_text::changes;
use crate::cli::{
    complete,
    failure::{Exit, Failure},
    output::{self, Output},
    prompt,
    skill::followed,
    style::{ListLength, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::agent::writes;
use crate::undo;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::{Value, json};
use std::slice;

pub(in crate::cli) const HELP: &str = "\
    Changes that were not pushed are undone byte for byte. Pushed changes are undone on all your \
    laptops with the next sync: undoing a save forgets the fact, undoing a forget learns it again. \
    Undoing a merge restores the versions from this laptop that were replaced; what came from \
    other laptops stays, unless `--accept-deletions` undoes it everywhere. `co redo` reverts the \
    last undo.\n\
    \n\
    Examples:\n  \
    co undo --dry-run   show what would be undone\n  \
    co undo             undo the last operation on this laptop";

pub(in crate::cli) const REDO_HELP: &str = "\
    Reverses the last undo. If that undo has already reached other laptops, so does the redo, with \
    the next sync.";

/// Of what others may have.
fn passed_on(plans: &[undo::Plan]) -> &'static str {
    match plans.iter().map(|plan| plan.published).max().unwrap_or_default() {
        undo::Published::No => "",
        undo::Published::Exported => " An export still has it.",
        undo::Published::Pushed => {
            " It was already pushed: the next `co sync` passes this on to other laptops."
        }
    }
}

/// `co undo`
#[derive(Args, Debug)]
pub struct Undo {
    /// An operation from `co log`: `o7`; or several: `o5..o7`
    #[arg(value_parser = named, add = ArgValueCandidates::new(complete::operations))]
    op: Option<undo::Named>,
    /// Only show what would be undone
    #[arg(long)]
    dry_run: bool,
    /// Undo everything that this agent session wrote (its ID is in `co log`)
    #[arg(long, value_name = "ID", conflicts_with = "op", add = ArgValueCandidates::new(complete::sessions))]
    session: Option<String>,
    /// Also undo what came from other laptops
    #[arg(long)]
    accept_deletions: bool,
    /// Show every line that changes, not only the first ones
    #[arg(long)]
    patch: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

/// `co redo`
#[derive(Args, Debug)]
pub struct Redo {
    /// The undone operation, from `co log`: `o7`
    #[arg(value_parser = named, add = ArgValueCandidates::new(complete::operations))]
    op: Option<undo::Named>,
    /// Only show what would be redone
    #[arg(long)]
    dry_run: bool,
    /// Show every line that changes, not only the first ones
    #[arg(long)]
    patch: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

fn named(text: &str) -> Result<undo::Named, String> {
    undo::parse_handle(text)
        .ok_or_else(|| "write the operation as `co log` shows it: o7".to_owned())
}

/// A number alone is a fact everywhere else, so both readings are offered, and none is taken.
fn bare(cli: &Cli<'_>, verb: &str, number: u64) -> Failure {
    let words = said!("`{}` is not an operation; `co log` numbers them o1, o2 and so on", number);
    let mut failure = Failure::new(Exit::Usage, words);
    let newest = match verb {
        "undo" => "`co undo` undoes the last operation",
        _ => "`co redo` reverses the last undo",
    };
    let Ok(readings) = undo::readings(cli.ws, number) else { return failure.hint(newest) };
    if verb == "undo"
        && let Some((from, to)) = readings.last
    {
        let (from, to) = (undo::handle(from), undo::handle(to));
        failure = failure.hint(match number {
            1 => format!("the last operation: `co undo {to}`"),
            _ => format!("the last {number} operations: `co undo {from}..{to}`"),
        });
    }
    if let Some(fact) = readings.fact {
        failure = failure.hint(format!("fact {number} ({fact}): `co forget {number}`"));
    }
    if failure.hints.is_empty() { failure.hint(newest) } else { failure }
}

impl Verb for Undo {
    fn name(&self) -> &'static str {
        "identity undo"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if let Some(session) = &self.session {
            return self.session(cli, session);
        }
        let op = match self.op {
            Some(undo::Named::Range(from, to)) => return self.range(cli, from, to),
            Some(undo::Named::Bare(number)) => return Err(bare(cli, "undo", number)),
            Some(undo::Named::One(op)) => Some(op),
            None => None,
        };
        let direction = undo::Direction::Undo;
        let request = undo::Request { op, direction, accept_deletions: self.accept_deletions };
        let request =
            if self.yes || self.dry_run { request } else { or_the_one_before(cli, request)? };
        take_back(cli, &request, Flags { dry_run: self.dry_run, yes: self.yes, patch: self.patch })
    }
}

impl Undo {
    fn session(&self, cli: &Cli<'_>, session: &str) -> Result<Output, Failure> {
        let writes = writes::of_session(cli.ws, session)?;
        let line =
            |one: &writes::Write| said!("  {} {} {}\n", undo::handle(one.op), one.verb, one.what);
        let several = Several {
            ops: writes.iter().map(|one| one.op).collect(),
            named: said!("{} of session {}", writes[0].client, writes[0].session),
            what: format!("{} of {}", writes[0].session, writes[0].client),
            list: writes.iter().map(line).collect(),
        };
        self.several(cli, &several, json!({ "operations": writes }))
    }

    fn range(&self, cli: &Cli<'_>, from: u64, to: u64) -> Result<Output, Failure> {
        let found = undo::between(cli.ws, from, to)?;
        let range = format!("{}..{}", undo::handle(from), undo::handle(to));
        let several = Several {
            ops: found.iter().map(|(op, _)| *op).collect(),
            named: said!("{}", range),
            what: range,
            list: found.iter().map(|(_, described)| said!("  {}\n", described)).collect(),
        };
        let ops = several.ops.clone();
        self.several(cli, &several, json!({ "operations": ops }))
    }

    /// Undoes all of them as one operation. Skips those of which nothing is left.
    fn several(&self, cli: &Cli<'_>, several: &Several, data: Value) -> Result<Output, Failure> {
        let Several { ops, named, what, list } = several;
        let count = plural(ops.len(), "operation", "operations");
        if self.dry_run {
            let text = said!("would undo {} of {}\n{}", count, named, list);
            return Ok(Output::done(text, data));
        }
        if cli.asks && !self.yes {
            output::say(&said!("would undo {} of {}\n{}", count, named, list));
            prompt::agree("Proceed")?;
        }
        let accept_deletions = self.accept_deletions;
        let request = undo::Request { accept_deletions, ..Default::default() };
        let plans = undo::plan_several(cli.ws, ops, what, &request)?;
        let applied: Result<Vec<_>, _> =
            plans.iter().map(|plan| undo::apply(cli.ws, plan)).collect();
        let warnings = applied?.concat();
        let done: usize = plans.iter().map(|plan| 1 + plan.also.len()).sum();
        let others = passed_on(&plans);
        let left = match ops.len() - done {
            0 => Said::new(),
            gone => said!(" {} more had nothing left to undo.", gone),
        };
        let count = plural(done, "operation", "operations");
        let mark = cli.style.learned("✓");
        let text = said!(
            "{} Undone {} of {}.{}{} `co redo` restores them.\n{}",
            mark,
            count,
            named,
            left,
            others,
            list
        ) + followed::lines(cli);
        Ok(Output { warnings, ..Output::done(text, data) })
    }
}

/// Operations that are undone together.
struct Several {
    /// Newest first.
    ops: Vec<u64>,
    named: Said,
    /// Their description in the log.
    what: String,
    list: Said,
}

impl Verb for Redo {
    fn name(&self) -> &'static str {
        "identity redo"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let op = match self.op {
            Some(undo::Named::Bare(number)) => return Err(bare(cli, "redo", number)),
            Some(undo::Named::Range(..)) => {
                let words = "redo takes one operation; one undo of several is one operation";
                return Err(
                    Failure::new(Exit::Usage, words).hint("`co redo` reverses the last undo")
                );
            }
            Some(undo::Named::One(op)) => Some(op),
            None => None,
        };
        let direction = undo::Direction::Redo;
        let request = undo::Request { op, direction, ..undo::Request::default() };
        take_back(cli, &request, Flags { dry_run: self.dry_run, yes: self.yes, patch: self.patch })
    }
}

#[derive(Clone, Copy)]
struct Flags {
    dry_run: bool,
    yes: bool,
    patch: bool,
}

/// If the newest operation has nothing to undo, a person may mean the one before.
fn or_the_one_before(cli: &Cli<'_>, request: undo::Request) -> Result<undo::Request, Failure> {
    if !cli.asks || request.op.is_some() {
        return Ok(request);
    }
    let Some(passed) = undo::passed(cli.ws, &request)? else { return Ok(request) };
    let Some(older) = &passed.older else { return Ok(request) };
    output::say(&said!("{}\n", passed));
    prompt::agree(said!("Try the one before, {}", undo::handle(older.op)))?;
    Ok(undo::Request { op: Some(older.op), ..request })
}

fn take_back(cli: &Cli<'_>, request: &undo::Request, flags: Flags) -> Result<Output, Failure> {
    let plan = undo::plan(cli.ws, request)?;
    let (would, done) = match request.direction {
        undo::Direction::Undo => ("would undo", "Undone"),
        undo::Direction::Redo => ("would redo", "Redone"),
    };
    let named = match request.direction {
        undo::Direction::Undo => {
            said!("{}, {}: {}", undo::handle(plan.op), plan.verb.to_string(), plan.what)
        }
        undo::Direction::Redo => match plan.again {
            Some(again) => said!("{}, {}", undo::handle(again), plan.what),
            None => said!("{}", plan.what),
        },
    };
    let shown = if flags.patch { ListLength::All } else { ListLength::First };
    let changes = changes(&plan, cli.style, shown);
    if flags.dry_run {
        return Ok(Output::done(said!("{} {}\n{}", would, named, changes), plan));
    }
    // Without a terminal it is done at once: an undo can itself be undone.
    if cli.asks && !flags.yes {
        output::say(&said!("{} {}\n{}", would, named, changes));
        prompt::agree("Proceed")?;
    }
    let warnings = undo::apply(cli.ws, &plan)?;
    let back = match request.direction {
        undo::Direction::Undo => " `co redo` reverses this undo.",
        undo::Direction::Redo => "",
    };
    let others = passed_on(slice::from_ref(&plan));
    let shown = if cli.asks && !flags.yes { Said::new() } else { changes };
    let mark = cli.style.learned("✓");
    let dot = if named.as_str().ends_with(['.', '…', '!', '?']) { "" } else { "." };
    let text = said!("{} {} {}{}{}{}\n{}", mark, done, named, dot, back, others, shown);
    let text = text + followed::lines(cli);
    Ok(Output { warnings, ..Output::done(text, plan) })
}
