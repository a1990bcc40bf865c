//! `co agent doctor`: arguments and output. The verb is `integrations::agent::doctor`.

use crate::cli::{
    complete,
    failure::Failure,
    output::{Ending, Output},
    progress::waiting,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::agent::doctor::{self, Level, Report};
use clap::Args;
use clap_complete::ArgValueCandidates;

pub(in crate::cli) const HELP: &str = "Checks each agent's files, and starts the server with the \
    exact command in its file, in an environment with little more than HOME, as agents do. \
    Changes nothing; exits with 1 if something is wrong.";

/// `co agent doctor`
#[derive(Args, Debug)]
pub struct Doctor {
    /// Agents, by their names in `co agent list` (default: all installed here)
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::agents))]
    pub names: Vec<String>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

impl Verb for Doctor {
    fn name(&self) -> &'static str {
        "agent doctor"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request = doctor::Request { agents: self.names };
        let report =
            waiting(cli, "Testing the agents' servers…", || doctor::run(cli.ws, &request))?;
        let is_bad = report.errors > 0 || (self.strict && report.warnings > 0);
        let text = checked(&report, cli.style);
        Ok(Output { ending: Ending::found(is_bad), ..Output::data(text, report) })
    }
}

fn checked(report: &Report, style: Style) -> Said {
    let mut text = Said::new();
    // As wide as the longest name here, and never narrower than most are.
    let lengths = report.checks.iter().map(|check| check.title.chars().count());
    let room = lengths.max().unwrap_or(0).max(12);
    for check in &report.checks {
        let level = match check.level {
            Level::Ok => style.learned("ok     "),
            Level::Warning => style.edited("warning"),
            Level::Error => style.forgotten("error  "),
        };
        let hint = check.hint.as_ref().map_or_else(Said::new, |hint| {
            if hint.contains('`') { said!("; {}", hint) } else { said!("; `{}`", hint) }
        });
        let title = format!("{:<room$}", check.title);
        let line = said!("{} {:<12} {}{}", title, check.what, check.message, hint);
        text.push(said!("{}  {}\n", level, line));
    }
    if report.checks.is_empty() {
        return Said::from(
            "No agent that co supports is installed here; `co agent list` shows which it \
             supports.\n",
        );
    }
    let count = |count, one, many| (count > 0).then(|| plural(count, one, many));
    let found: Vec<Said> =
        [count(report.errors, "error", "errors"), count(report.warnings, "warning", "warnings")]
            .into_iter()
            .flatten()
            .collect();
    if found.is_empty() { text } else { said!("{}{}.\n", text, Said::joined(found, ", ")) }
}
