//! `co memory confirm`, `co confirm`: arguments and output. The verb is `facts::confirm`.

use super::handles::Handles;
use crate::cli::{
    failure::Failure,
    output::Output,
    style::Style,
    verb::{Cli, Verb},
};
use crate::display::memories;
use crate::facts::confirm::{self, Confirmed};
use crate::foreign::Said;
use crate::identity::FactView;
use clap::Args;
use serde_json::json;

pub(in crate::cli) const HELP: &str = "\
    The text does not change. If a fact has a date to check it, the next one is set as far ahead \
    as the last; a fact that another one replaced holds again. `co list` marks the facts that are \
    due with \"unchecked since\".\n\
    \n\
    Examples:\n  \
    co confirm 12     fact 12 is still true\n  \
    co confirm last   so is the one that was learned last";

/// `co memory confirm`
#[derive(Args, Debug)]
pub struct Confirm {
    /// Which facts.
    #[command(flatten)]
    facts: Handles,
}

impl Verb for Confirm {
    fn name(&self) -> &'static str {
        "memory confirm"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let scope = self.facts.scope;
        let request = confirm::Request { handles: self.facts.meant(cli)?, scope };
        let confirmed = confirm::run(cli.ws, &request)?;
        let title =
            |fact: &FactView| cli.style.shown_of(&fact.summary, &fact.first_line).to_owned();
        let lines = confirmed.iter().map(|one| memories::confirmed(one, &title(&one.fact)));
        let text = cli.style.ticked(&lines.collect::<Said>(), Style::learned);
        let warnings: Vec<String> = confirmed.iter().filter_map(not_now).collect();
        // A single fact is a plain object.
        let output = match <[Confirmed; 1]>::try_from(confirmed) {
            Ok([one]) => Output::done(text, one),
            Err(several) => Output::done(text, json!({ "memories": several })),
        };
        Ok(Output { warnings, ..output })
    }
}

/// What to say of a fact that holds at another time.
fn not_now(confirmed: &Confirmed) -> Option<String> {
    let handle = &confirmed.fact.handle;
    match confirmed.fact.held.standing? {
        "over" => Some(format!(
            "fact {handle} is still over; `co edit {handle} --until none` removes its end"
        )),
        "not-yet" => Some(format!(
            "fact {handle} does not hold yet; `co edit {handle} --from none` lets it hold now"
        )),
        _ => None,
    }
}
