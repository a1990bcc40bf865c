//! `co identity undo`

use crate::cli::{
    output::Output,
    style::{Style, safe},
    verb::{Cli, Verb},
};
use crate::ops::{Failure, undo};
use clap::Args;

/// What the help says below the options.
pub(super) const HELP: &str = "What was not published comes back byte for byte. What was published is \
            taken back for everybody with the next sync:\nundo of a save forgets, undo of a forget learns again. `co identity undo OP` with the number of an undo does it again.";

/// `co identity undo`
#[derive(Args, Debug)]
pub struct Undo {
    /// The number of an operation, from `co identity log`
    op: Option<u64>,
    /// Also let facts go that came from other laptops
    #[arg(long)]
    accept_deletions: bool,
}

impl Verb for Undo {
    fn name(&self) -> &'static str {
        "identity undo"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request = undo::Request { op: self.op, accept_deletions: self.accept_deletions };
        let report = undo::run(cli.context, &request)?;
        Ok(Output::done(undone(&report, cli.style), report))
    }
}

/// `identity undo`
fn undone(report: &undo::Report, style: Style) -> String {
    let mut text = format!(
        "{} Took back {} ({} {}).\n",
        style.learned("✓"),
        report.op,
        report.verb,
        safe(&report.what)
    );
    let mut line = |sign: &str, fact: &str| text.push_str(&format!("  {sign} {}\n", safe(fact)));
    report.meaning.learned.iter().for_each(|fact| line(&style.learned("+"), &fact.summary));
    report.meaning.forgotten.iter().for_each(|fact| line(&style.forgotten("-"), &fact.summary));
    report.meaning.edited.iter().for_each(|fact| line(&style.edited("~"), &fact.now.summary));
    if report.published {
        text.push_str(
            "It was published: the next `co identity sync` takes it back on the other laptops.\n",
        );
    }
    text
}
