//! `co identity check`

use crate::cli::args::Allow;
use crate::cli::{
    output::{Ending, Output},
    progress::waiting,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::identity::Severity;
use crate::ops::{Failure, check};
use clap::Args;

pub(in crate::cli) const HELP: &str = "\
    Exit 1 when something is wrong. `co help findings` explains each code.";

/// `co identity check`
#[derive(Args, Debug)]
pub struct Check {
    /// Only these files or folders of the identity
    pub paths: Vec<String>,
    /// Mend what can be mended
    #[arg(long, conflicts_with_all = ["staged", "history"])]
    pub fix: bool,
    /// What the next `git commit` would commit, instead of the files
    #[arg(long, conflicts_with = "history")]
    pub staged: bool,
    /// Every version in every commit, instead of the files
    #[arg(long)]
    pub history: bool,
    /// Fail on warnings, too
    #[arg(long)]
    pub strict: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Check {
    fn name(&self) -> &'static str {
        "identity check"
    }

    fn needs(&self) -> Needs {
        if self.fix { Needs::PLACE } else { Needs::Defaults }
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let what = match (self.staged, self.history) {
            (true, _) => check::What::Staged,
            (_, true) => check::What::History,
            _ => check::What::Files,
        };
        let request = check::Request {
            paths: self.paths,
            strict: self.strict,
            fix: self.fix,
            what,
            allowed: self.allow.rules()?,
        };
        let report = waiting(cli, "Checking…", || check::run(cli.context, &request))?;
        let ending = Ending::found(!report.passed);
        Ok(Output { ending, ..Output::data(checked(&report, cli.style), report) })
    }
}

pub(in crate::cli) fn checked(report: &check::Report, style: Style) -> Said {
    let mut text = Said::new();
    for path in &report.fixed {
        text.push(said!("{} {}\n", style.learned("fixed"), path));
    }
    for decision in &report.decisions {
        let line = said!("    {}: {}", decision.path, decision.why);
        text.push(said!("{}\n", style.dim(&line)));
    }
    for finding in &report.findings {
        let line = finding.line.map_or_else(Said::new, |line| said!(":{}", line));
        let severity = match finding.severity {
            Severity::Error => style.forgotten("error"),
            Severity::Warning => style.edited("warning"),
        };
        let fix = if finding.fixable { style.dim("  (fixable)") } else { Said::new() };
        let place = style.strong(said!("identity/{}{}", finding.path, line));
        text.push(said!(
            "{}  {} {}{}\n    {}\n",
            place,
            severity,
            style.dim(said!("[{}]", finding.code.as_str())),
            fix,
            finding.message
        ));
    }
    let count = report.findings.len();
    if count == 0 {
        text.push(said!("{} {} files, nothing wrong.\n", style.learned("✓"), report.files));
        return text;
    }
    let tail = match report.to_fix {
        0 => Said::from("."),
        files => {
            let files = plural(files, "file", "files");
            said!("; `co check --fix` mends {}.", files)
        }
    };
    let noun = if count == 1 { "problem" } else { "problems" };
    text.push(said!("{} {} in {}{}\n", count, noun, plural(report.files, "file", "files"), tail));
    text
}
