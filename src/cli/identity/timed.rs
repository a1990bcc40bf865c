//! A run of the timer that `co sync --every` sets up. When it is its turn: `integrations::timer`.
//!
//! Invariant: it prints nothing but a failure that needs the person, and that once; what passes by
//! itself is no failure of the unit that runs it.

use super::sync_layers;
use crate::cli::{failure::Failure, output::Output, verb::Cli};
use crate::integrations::timer::{self, Course, Interval, Outcome, Skip};
use crate::sync::Request;
use serde::Serialize;

#[derive(Serialize)]
struct Run {
    /// Why nothing was done.
    skipped: Option<Skip>,
    /// Why it did not work.
    why: Option<String>,
}

pub(super) fn run(cli: &Cli<'_>, every: Interval, request: &Request) -> Result<Output, Failure> {
    let skipped = timer::skipped(cli.ws);
    if skipped.is_some() {
        return Ok(Output::done("", Run { skipped, why: None }));
    }
    let own = sync_layers::one(cli, cli.ws, request);
    let others = sync_layers::all(cli, request);
    let outcome = match (Outcome::of(&own), others.iter().find_map(|layer| layer.trouble())) {
        (Outcome::Worked, Some(why)) => Outcome::OfLayer(why),
        (outcome, _) => outcome,
    };
    let is_news = timer::ended(cli.ws, every, &outcome);
    let lasts = matches!(outcome, Outcome::Failed(_, Course::Lasts));
    match own {
        Err(error) if is_news && lasts => Err(Failure::from(error)),
        _ => {
            let why = match outcome {
                Outcome::Worked => None,
                Outcome::Busy(why) | Outcome::Failed(why, _) | Outcome::OfLayer(why) => Some(why),
            };
            Ok(Output::done("", Run { skipped, why }))
        }
    }
}
