//! `co handoff`: arguments and output. The verb is `integrations::handoff`.

use super::{
    failure::Failure,
    output::Output,
    style::Style,
    verb::{Cli, Verb},
};
use crate::foreign::{Foreign, MARGIN, Said, said};
use crate::identity::handoff::Work;
use crate::integrations::handoff::{self, Report, Shown};
use clap::Args;
use serde_json::json;

pub(super) const HELP: &str = "A hand-off says where a piece of work stands, for the next session \
    of any agent in the same project, on any laptop. Agents leave one with the tool save_handoff. \
    There is one for each branch; a new one replaces it, and it is over after 14 days. Projects in \
    agents.notes.exclude have none.\n\
    \n  \
    co handoff                          what the next session here is given\n  \
    co handoff --goal \"Ship the importer\" --next \"Write the tests\"\n  \
    co handoff --clear                  remove it; `co undo` brings it back";

/// `co handoff`
#[derive(Args, Debug)]
pub struct Handoff {
    /// Leave one: what the work is for
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// What is done
    #[arg(long, value_name = "TEXT", requires = "goal")]
    done: Option<String>,
    /// What comes next
    #[arg(long, value_name = "TEXT", requires = "goal")]
    next: Option<String>,
    /// What is not decided
    #[arg(long, value_name = "TEXT", requires = "goal")]
    question: Option<String>,
    /// A file that the work is in; may be given several times
    #[arg(long = "file", value_name = "PATH", requires = "goal")]
    files: Vec<String>,
    /// The branch (default: the current one)
    #[arg(long, value_name = "NAME", requires = "goal")]
    branch: Option<String>,
    /// Remove the one that the next session here would get
    #[arg(long, conflicts_with = "goal")]
    clear: bool,
}

impl Verb for Handoff {
    fn name(&self) -> &'static str {
        "handoff"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if self.clear {
            let gone = handoff::clear(cli.ws)?;
            let (mark, branch) = (cli.style.learned("✓"), branch(gone.branch.as_ref()));
            let text = said!("{} Removed the hand-off of {}{}\n", mark, gone.project, branch);
            return Ok(Output::done(text, json!({ "removed": gone })));
        }
        let Some(goal) = self.goal else {
            let found = handoff::find(cli.ws)?;
            let text = found.as_ref().map_or_else(
                || Said::from("No hand-off is left for this project.\n"),
                |found| shown(found, cli.style),
            );
            return Ok(Output::data(text, json!({ "handoff": found })));
        };
        let work = Work {
            goal,
            done: self.done.unwrap_or_default(),
            next: self.next.unwrap_or_default(),
            questions: self.question.unwrap_or_default(),
            files: self.files,
        };
        let report = handoff::save(cli.ws, &handoff::Request { work, branch: self.branch })?;
        Ok(Output::done(saved(&report, cli.style), report))
    }
}

fn shown(found: &Shown, style: Style) -> Said {
    let branch = branch(found.branch.as_ref());
    let place = style.dim(said!("({}{})", found.project, branch));
    said!("{}  {}\n\n{}", found.from, place, Foreign(&found.text).quote(MARGIN))
}

/// Behind the name of a project, which may have one for each branch.
fn branch(name: Option<&String>) -> Said {
    name.map_or_else(Said::new, |name| said!(", branch {}", name))
}

fn saved(report: &Report, style: Style) -> Said {
    let branch = branch(report.branch.as_ref());
    let instead = if report.replaced { ", instead of the last one" } else { "" };
    let mark = style.learned("✓");
    said!("{} Left for the next session in {}{}{}\n", mark, report.project, branch, instead)
}
