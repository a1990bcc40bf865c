//! `co memory show`, `co show`: arguments and output. The verb is `facts::show`.

use super::handles::Handles;
use crate::cli::{
    failure::Failure,
    identity::log,
    output::Output,
    style::Style,
    times::Times,
    verb::{Cli, Needs, Verb},
};
use crate::facts::{life::FactOrigin, show};
use crate::foreign::{Foreign, Said, said};
use crate::identity::{Held, handle::Shared};
use crate::index::store::PlacedFact;
use crate::machine::Context;
use crate::workspace::named;
use clap::Args;
use serde_json::json;

/// `co memory show`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    co show 12     the fact with this number, and where it comes from\n  \
    co show last   the one that was learned last")]
pub struct Show {
    /// Which facts.
    #[command(flatten)]
    facts: Handles,
    /// Of another time.
    #[command(flatten)]
    times: Times,
}

impl Verb for Show {
    fn name(&self) -> &'static str {
        "memory show"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let time = self.times.asked(cli)?;
        let ws = time.ws(cli);
        let mut all = Vec::new();
        let scope = self.facts.scope;
        for handle in self.facts.meant(cli)? {
            let (store, placed) = show::find(ws, &handle, scope)?;
            let held = show::held(ws, &store, &placed.memory);
            all.push((placed, held));
        }
        let text = |fact: &(PlacedFact, Held)| {
            let text = Foreign(fact.0.memory.text()).quote("  ");
            said!("{}\n{}", head(fact, cli.ws, cli.style), text)
        };
        let exact = |fact: &(PlacedFact, Held)| {
            let (head, placed) = (head(fact, cli.ws, cli.style).into_string(), &fact.0);
            format!("{head}\n{}\n", placed.memory.text())
        };
        let exacts: Vec<String> = all.iter().map(exact).collect();
        let text = time.heading(cli.style) + Said::joined(all.iter().map(text), "\n");
        let report = |(placed, held): &(PlacedFact, Held)| {
            let shared = named::shared(ws, placed);
            show::Report::of((placed, held.clone()), shared, cli.ws.calendar())
        };
        // A single fact is a plain object.
        let data = match all.as_slice() {
            [one] => json!(report(one)),
            several => {
                let facts: Vec<show::Report> = several.iter().map(report).collect();
                json!({ "memories": facts })
            }
        };
        let warnings = time.unknown().into_iter().collect();
        Ok(Output { exact: Some(exacts.join("\n")), warnings, ..Output::data(text, data) })
    }
}

fn head((placed, held): &(PlacedFact, Held), context: &Context, style: Style) -> Said {
    let memory = &placed.memory;
    let handle = memory.handle(placed.scope, Shared::Yes);
    let calendar = context.calendar();
    let mut head = said!("fact {}  learned {}", handle, memory.day(calendar));
    if let Some(updated) = memory.updated {
        head.push(said!(", changed {}", calendar.day_in_file(updated)));
    }
    if memory.pinned {
        head.push(", pinned");
    }
    head.extend(held.marks.iter().map(|mark| said!(", {}", mark)));
    let due = memory.times.as_deref().and_then(|times| times.stale_after);
    head.extend(due.map(|due| said!(", to be checked after {}", due.words(calendar))));
    if !memory.tags.is_empty() {
        head.push(said!("  [{}]", memory.tags.join(", ")));
    }
    let from = log::from(&FactOrigin::of(memory)).map_or_else(Said::new, |line| line + "\n");
    let file = style.dim(context.shown(&placed.file));
    said!("{}\n{}{}\n", style.strong(head), style.dim(from), file)
}
