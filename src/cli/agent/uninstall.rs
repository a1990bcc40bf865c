//! `co agent uninstall`: arguments, output, and the order: skills first (`integrations::skills`),
//! then files, then the sharing of notes (`sync::notes`). The verb is
//! `integrations::agent::uninstall`.

use super::{
    edits::{self, PartChange},
    install::left_alone,
};
use crate::agents;
use crate::cli::{
    complete,
    failure::Failure,
    output::Output,
    skill::followed,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::{
    agent::uninstall::{self, Plan},
    skills,
};
use crate::sync::notes::{self, Sharing};
use clap::Args;
use clap_complete::ArgValueCandidates;

pub(super) const HELP: &str = "A file that was not changed since is restored byte for byte; from a \
    changed one, only co's entry, block and hooks are removed. Links to your skills are removed, too. \
    What another agent still reads stays.";

/// `co agent uninstall`
#[derive(Args, Debug)]
pub struct Uninstall {
    /// Agents, by their names in `co agent list`
    #[arg(value_name = "NAME", required_unless_present = "all", add = ArgValueCandidates::new(complete::agents))]
    pub names: Vec<String>,
    /// All agents that have any part of co
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Only show what would change, as a diff
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

impl Verb for Uninstall {
    fn name(&self) -> &'static str {
        "agent uninstall"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let names = self.names.clone();
        let plan = uninstall::plan(cli.ws, &uninstall::Request { agents: self.names });
        // An agent that has co as a plugin has no other part of it.
        if plan.is_err() && !self.dry_run && skills::are_placed(cli.ws, &names) {
            let done = skills::uninstall(cli.ws, &names)?;
            return Ok(Output::done(followed::told(&done, cli), done));
        }
        let plan = plan?;
        if self.dry_run {
            let text = edits::diff(&plan.files, PartChange::Remove, cli.ws, cli.style);
            let data = edits::planned(&plan.agents, &plan.files, PartChange::Remove, cli.ws);
            return Ok(ended(Output::data(text, data), &plan));
        }
        if !self.yes {
            edits::agreed(&plan.files, cli)?;
        }
        // First, so that folders that co created for both are empty afterwards.
        let without = skills::uninstall(cli.ws, &names)?;
        uninstall::apply(cli.ws, &plan)?;
        notes::share(cli.ws, &plan.agents, Sharing::Off)?;
        let line = |name: &&str| {
            let (mark, title) = (cli.style.learned("✓"), agents::title(name));
            said!("{} {}: disconnected.\n", mark, title)
        };
        let text: Said = plan.agents.iter().map(line).collect();
        let text = text + followed::told(&without, cli) + &edits::notes(&plan.notes, cli.style);
        Ok(ended(Output::done(text, plan.clone()), &plan))
    }
}

fn ended(output: Output, plan: &Plan) -> Output {
    Output { ending: plan.refused.first().map(left_alone).into(), ..output }
}
