//! The options that say when a fact holds and what it replaces, of the verbs that write one.
//!
//! Invariant: each is passed on as it was typed; only `last` is looked up, and a handle that is
//! nothing is refused. The dates are read by `facts::timing`.

use crate::cli::{complete, failure::Failure, handle, verb::Cli};
use crate::facts::{show::ShowError, timing::TypedTimes};
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `--until`, `--from`, `--check-after`, `--replaces`.
#[derive(Args, Debug, Clone, Default)]
pub struct TimeOptions {
    /// The last day on which it holds (friday, "in 2 weeks", 2026-12-24); `none` removes the date
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// The first day on which it holds; `none` removes the date
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// When to ask again whether it holds: after a time (90d, 6mo, 1y) or on a date; `none` removes
    /// it
    #[arg(long, value_name = "SPAN|DATE")]
    pub check_after: Option<String>,
    /// A fact that this one replaces; may be given several times; `none` removes earlier ones
    #[arg(long, value_name = "HANDLE", add = ArgValueCandidates::new(complete::handles))]
    pub replaces: Vec<String>,
}

impl TimeOptions {
    pub(super) fn typed(self, cli: &Cli<'_>) -> Result<TypedTimes, Failure> {
        let TimeOptions { until, from, check_after, replaces } = self;
        let is_blank = |typed: &&String| typed.split([',', ' ']).all(str::is_empty);
        if let Some(blank) = replaces.iter().find(is_blank) {
            return Err(ShowError::NoHandle { text: blank.clone() }.into());
        }
        let replaces = handle::all_meant(cli, replaces, None)?;
        Ok(TypedTimes { from, until, check_after, replaces })
    }

    pub(super) fn is_empty(&self) -> bool {
        let dates = [&self.until, &self.from, &self.check_after];
        self.replaces.is_empty() && dates.iter().all(|date| date.is_none())
    }
}
