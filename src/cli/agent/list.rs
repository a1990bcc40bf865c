//! `co agent list`: arguments and output. The verb is `integrations::agent::list`.

use crate::agents::State;
use crate::cli::{
    ago::since,
    failure::Failure,
    output::Output,
    style::Style,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::agent::list::{self, AgentRow, Has};
use clap::Args;
use serde_json::json;

/// `co agent list`
#[derive(Args, Debug)]
pub struct List {}

impl Verb for List {
    fn name(&self) -> &'static str {
        "agent list"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let rows = list::run(cli.ws)?;
        let text = table(&rows, cli.style);
        Ok(Output::data(text, json!({ "agents": rows })))
    }
}

/// Agents installed here come first.
fn table(rows: &[AgentRow], style: Style) -> Said {
    let (here, others): (Vec<&AgentRow>, Vec<&AgentRow>) =
        rows.iter().partition(|row| row.installed || row.is_connected());
    let head = "agent           connected  instructions  hooks    last read";
    let mut text = said!("{}\n", style.dim(head));
    for row in &here {
        let read = row.seen.read_ago.map_or_else(|| Said::from("never"), since);
        let line = said!(
            "{:<14}  {:<9}  {:<12}  {:<7}  {}",
            row.name,
            if row.plugin && !row.server.is_there() { "plugin" } else { word(&row.server) },
            word(&row.instructions),
            if row.plugin && !row.hooks.is_there() { "plugin" } else { word(&row.hooks) },
            read
        );
        text.push(said!("{}\n", line));
    }
    if here.is_empty() {
        text.push("no agent that co supports is installed here\n");
    }
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|row| row.name).collect();
        text.push(said!("{}\n", style.dim(said!("not installed: {}", names.join(", ")))));
    }
    text
}

fn word(has: &Has) -> &'static str {
    match has {
        Has::No => "-",
        Has::Is(State::Missing) => "no",
        Has::Is(State::Stale) => "old",
        Has::Is(State::Current) => "yes",
        Has::Broken(_) => "broken",
    }
}
