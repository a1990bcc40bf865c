//! `co memory pin`, `co memory unpin`: arguments and output. The verb is `facts::pin`.

use super::handles::Handles;
use crate::cli::{
    failure::Failure,
    output::Output,
    style::Style,
    verb::{Cli, Verb},
};
use crate::display::memories;
use crate::facts::pin;
use crate::foreign::{Said, said};
use clap::Args;
use serde_json::json;

/// `co memory pin`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    co pin 12       in every context from now on\n  \
    co pin 3 last   several at once")]
pub struct Pin {
    /// Unpin it
    #[arg(long)]
    off: bool,
    /// Which facts.
    #[command(flatten)]
    facts: Handles,
}

impl Verb for Pin {
    fn name(&self) -> &'static str {
        "memory pin"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let pin = if self.off { pin::Pin::Off } else { pin::Pin::On };
        set(cli, self.facts, pin)
    }
}

/// `co memory unpin`
#[derive(Args, Debug)]
pub struct Unpin {
    /// Which facts.
    #[command(flatten)]
    facts: Handles,
}

impl Verb for Unpin {
    fn name(&self) -> &'static str {
        "memory unpin"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        set(cli, self.facts, pin::Pin::Off)
    }
}

fn set(cli: &Cli<'_>, facts: Handles, pin: pin::Pin) -> Result<Output, Failure> {
    let (scope, mut reports) = (facts.scope, Vec::new());
    for handle in facts.meant(cli)? {
        reports.push(pin::run(cli.ws, &pin::Request { handle, scope, pin })?);
    }
    let text: Said = reports.iter().map(|report| pinned(report, pin, cli.style)).collect();
    // A single fact is a plain object.
    Ok(match <[pin::Report; 1]>::try_from(reports) {
        Ok([one]) => Output::done(text, one),
        Err(several) => Output::done(text, json!({ "memories": several })),
    })
}

fn pinned(report: &pin::Report, pin: pin::Pin, style: Style) -> Said {
    let id = memories::after_fact(&report.fact);
    let summary = &report.fact.summary;
    let mark = style.learned("✓");
    match (report.changed, pin) {
        (true, pin::Pin::On) => said!("{} Pinned fact{}: {}\n", mark, id, summary),
        (true, pin::Pin::Off) => said!("{} Fact{} is no longer pinned: {}\n", mark, id, summary),
        (false, _) => said!("Fact{} unchanged.\n", id),
    }
}
