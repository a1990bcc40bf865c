//! `co doctor`: whether everything works, and how to fix what does not. The verb is
//! `upkeep::doctor`; its part for agents: `cli::agent::doctor`.

use super::{
    agent::doctor::{self as agents, Doctor as Agents},
    explain::explain,
    failure::Failure,
    output::{Ending, Output},
    progress::waiting,
    style::{Style, plural},
    verb::{Cli, Needs, Verb, group},
};
use crate::foreign::{Said, said};
use crate::upkeep::doctor::{self, Check, Level, Remedy, Report};
use clap::Args;

pub(super) const HELP: &str = "Checks settings, identity folder, git, the remote and its login, \
    hooks, keyring, search index, clock, and agents. Changes nothing; exits with 1 if something \
    is wrong. `co doctor agents` shows more about agents.";

/// `co doctor`
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Doctor {
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// A part of it.
    #[command(subcommand)]
    pub part: Option<Part>,
}

group! {
    /// The parts that can be looked at alone.
    pub enum Part {
        /// Start each agent's server as the agent does, and check its files
        #[command(after_help = agents::HELP)]
        Agents(Agents),
    }
}

impl Verb for Doctor {
    fn name(&self) -> &'static str {
        self.part.as_ref().map_or("doctor", Verb::name)
    }

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if let Some(part) = self.part {
            return part.run(cli);
        }
        let report = waiting(cli, "Checking…", || doctor::run(cli.ws));
        let report = report.explained(|error| explain(error).hints.into_iter().next());
        let is_bad = report.errors > 0 || (self.strict && report.warnings > 0);
        let text = report_text(&report, cli);
        Ok(Output { ending: Ending::found(is_bad), ..Output::data(text, report) })
    }
}

fn report_text(report: &Report, cli: &Cli<'_>) -> Said {
    let lines: Said = report.checks.iter().map(|check| line(check, cli.style)).collect();
    let count = |count, one, many| (count > 0).then(|| plural(count, one, many));
    let found =
        [count(report.errors, "error", "errors"), count(report.warnings, "warning", "warnings")];
    let found: Vec<Said> = found.into_iter().flatten().collect();
    if found.is_empty() {
        said!("{}co {}: everything works.\n", lines, report.version)
    } else {
        said!("{}co {}: {}.\n", lines, report.version, Said::joined(found, ", "))
    }
}

fn line(check: &Check, style: Style) -> Said {
    let (mark, level) = match check.level {
        Level::Ok => (style.learned("✓"), ""),
        Level::Warning => (style.edited("!"), "warning: "),
        Level::Error => (style.forgotten("✗"), "error: "),
    };
    let first = said!("{} {:<9} {}{}\n", mark, check.area.name(), level, check.message);
    let mend = check.mend.as_ref().map_or_else(Said::new, |mend| {
        let mend = match mend {
            Remedy::Command(command) => said!("`{}`", command),
            Remedy::Sentence(sentence) => said!("{}", sentence),
            // Already explained.
            Remedy::Explanation { error, .. } => said!("{}", error),
        };
        said!("            {} {}\n", style.dim("→"), mend)
    });
    first + &mend
}
