//! `co skill adopt`: arguments and output. The verb is `integrations::skills::adopt`.

use super::followed;
use crate::cli::{
    args::Allow,
    failure::Failure,
    output::Output,
    prompt,
    style::plural,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::skills::{
    Change,
    adopt::{self, Adopted, Found, Plan},
};
use clap::Args;
use serde_json::json;

pub(super) const HELP: &str = "Looks where the agents that co knows keep skills \
    (~/.agents/skills, ~/.claude/skills …) and adds to the identity what it lacks, or has in an \
    older version. The agents' own folders stay as they are. If an agent has changed one of your \
    skills in its own folder, adopt takes that change into the identity.";

/// `co skill adopt`
#[derive(Args, Debug)]
pub struct Adopt {
    /// Skills, by the names of their folders; without any, all
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Only show what would be added
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Adopt {
    fn name(&self) -> &'static str {
        "skill adopt"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let plan = adopt::plan(cli.ws, &self.names)?;
        let shown = listed(&plan, cli);
        if self.dry_run || plan.found.is_empty() {
            return Ok(Output::data(shown, json!({ "dry_run": self.dry_run, "plan": plan })));
        }
        if !self.yes {
            let count = plural(plan.found.len(), "skill", "skills");
            let unasked = said!("{} would be added, but there is no terminal to ask on", count);
            prompt::agree_to(cli, &shown, said!("Add {}", count), unasked)?;
        }
        let done = adopt::apply(cli.ws, &plan, &self.allow.rules()?)?;
        let text = adopted(&done, cli) + followed::lines(cli);
        Ok(Output::done(text, json!({ "plan": plan, "left_out": done.left_out })))
    }
}

fn adopted(done: &Adopted, cli: &Cli<'_>) -> Said {
    let mut text = Said::new();
    // A skill of the same name is replaced, whoever wrote either: said by name.
    for (what, names) in [("Added", &done.added), ("Updated", &done.updated)] {
        if !names.is_empty() {
            let count = plural(names.len(), "skill", "skills");
            let mark = cli.style.learned("✓");
            text.push(said!("{} {} {}: {}.\n", mark, Said::from(what), count, names.join(", ")));
        }
    }
    text.extend(done.left_out.iter().map(|why| said!("  left out {}\n", why)));
    match done.added.len() + done.updated.len() {
        0 => {}
        1 => text.push(said!("{}\n", cli.style.dim("Undo: `co undo`."))),
        _ => text.push(said!("{}\n", cli.style.dim("Undo: `co undo`, once for each skill."))),
    }
    text
}

fn listed(plan: &Plan, cli: &Cli<'_>) -> Said {
    let one = |found: &Found| {
        let sign = if found.change == Change::New { "+" } else { "~" };
        let from = cli.ws.shown(&found.from);
        said!("  {} {}  ({})\n{}", sign, found.name, from, followed::programs(&found.programs))
    };
    let mut text: Said = plan.found.iter().map(one).collect();
    text.extend(plan.left_out.iter().map(|why| said!("  left out {}\n", why)));
    text
}
