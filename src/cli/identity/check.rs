//! `co identity check`

use crate::cli::args::Allow;
use crate::cli::{
    output::{Ending, Output},
    progress::waiting,
    style::{Style, plural, safe},
    verb::{Cli, Needs, Verb},
};
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

pub(in crate::cli) fn checked(report: &check::Report, style: Style) -> String {
    let mut text = String::new();
    for path in &report.fixed {
        text.push_str(&format!("{} {}\n", style.learned("fixed"), safe(path)));
    }
    for decision in &report.decisions {
        let line = format!("    {}: {}", decision.path, decision.why);
        text.push_str(&format!("{}\n", style.dim(&safe(&line))));
    }
    for finding in &report.findings {
        let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
        let severity = match finding.severity {
            Severity::Error => style.forgotten("error"),
            Severity::Warning => style.edited("warning"),
        };
        let fix = if finding.fixable { style.dim("  (fixable)") } else { String::new() };
        let place = style.strong(&safe(&format!("identity/{}{line}", finding.path)));
        text.push_str(&format!(
            "{place}  {severity} {}{fix}\n    {}\n",
            style.dim(&format!("[{}]", finding.code.as_str())),
            safe(&finding.message)
        ));
    }
    let count = report.findings.len();
    if count == 0 {
        text.push_str(&format!("{} {} files, nothing wrong.\n", style.learned("✓"), report.files));
        return text;
    }
    let tail = match report.to_fix {
        0 => ".".to_owned(),
        files => {
            let files = plural(files, "file", "files");
            format!("; `co check --fix` mends {files}.")
        }
    };
    let noun = if count == 1 { "problem" } else { "problems" };
    text.push_str(&format!("{count} {noun} in {}{tail}\n", plural(report.files, "file", "files")));
    text
}
