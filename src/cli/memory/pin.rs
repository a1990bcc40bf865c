//! `co memory pin`, `co memory unpin`: arguments and output. The verb is `facts::pin`.

use crate::cli::{
    args::scope,
    complete,
    failure::Failure,
    handle,
    output::Output,
    style::Style,
    verb::{Cli, Verb},
};
use crate::display::memories;
use crate::facts::pin;
use crate::foreign::{Said, said};
use crate::index::store::Scope;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co memory pin`
#[derive(Args, Debug)]
pub struct Pin {
    /// Its number (`12`), `12-3fa9`, `sha256:3fa9…`, or `last`: the one learned last here
    #[arg(required = true, value_name = "HANDLE", add = ArgValueCandidates::new(complete::handles))]
    handles: Vec<String>,
    /// Unpin it
    #[arg(long)]
    off: bool,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    scope: Option<Scope>,
}

impl Verb for Pin {
    fn name(&self) -> &'static str {
        "memory pin"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let pin = if self.off { pin::Pin::Off } else { pin::Pin::On };
        set(cli, self.handles, self.scope, pin)
    }
}

/// `co memory unpin`
#[derive(Args, Debug)]
pub struct Unpin {
    /// Its number (`12`), `12-3fa9`, `sha256:3fa9…`, or `last`: the one learned last here
    #[arg(required = true, value_name = "HANDLE", add = ArgValueCandidates::new(complete::handles))]
    handles: Vec<String>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    scope: Option<Scope>,
}

impl Verb for Unpin {
    fn name(&self) -> &'static str {
        "memory unpin"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        set(cli, self.handles, self.scope, pin::Pin::Off)
    }
}

fn set(
    cli: &Cli<'_>,
    typed: Vec<String>,
    scope: Option<Scope>,
    pin: pin::Pin,
) -> Result<Output, Failure> {
    let mut reports = Vec::new();
    for handle in handle::all_meant(cli, typed, scope)? {
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
