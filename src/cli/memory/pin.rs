//! `co memory pin`

use super::number;
use crate::cli::{
    args::{ScopeArg, scope},
    complete,
    output::Output,
    style::safe,
    verb::{Cli, Verb},
};
use crate::ops::{Failure, pin};
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory pin`
#[derive(Args, Debug)]
pub struct Pin {
    /// Its number (`12`), `12-3fa9` or `sha256:3fa9…`
    #[arg(add = ArgValueCandidates::new(complete::handles))]
    handle: String,
    /// Take the pin out again
    #[arg(long)]
    off: bool,
    /// Only in this scope
    #[arg(long)]
    scope: Option<ScopeArg>,
}

impl Verb for Pin {
    fn name(&self) -> &'static str {
        "memory pin"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let pin = if self.off { pin::Pin::Off } else { pin::Pin::On };
        let request = pin::Request { handle: self.handle, scope: scope(self.scope), pin };
        let report = pin::run(cli.context, &request)?;
        let id = number(report.id, report.scope);
        let summary = safe(&report.summary);
        let mark = cli.style.learned("✓");
        let text = match (report.changed, pin) {
            (true, pin::Pin::On) => format!("{mark} Pinned memory{id}: {summary}\n"),
            (true, pin::Pin::Off) => format!("{mark} Memory{id} is no longer pinned: {summary}\n"),
            (false, _) => format!("Memory{id} is as it was.\n"),
        };
        Ok(Output::done(text, report))
    }
}
