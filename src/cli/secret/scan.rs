//! `co secret scan`: arguments and output. The verb is `upkeep::scan`.

use crate::cli::{
    args::Allow,
    failure::Failure,
    output::{Ending, Output},
    progress::waiting,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::machine::Context;
use crate::secrets::ALLOW;
use crate::upkeep::scan;
use clap::Args;

pub(super) const HELP: &str = "\
    Without a path, scans the identity. Exits with 1 if something is found. `co help secrets` \
    lists the rules. With --history, every version in every commit, branch, tag and stash is \
    read, and findings come with the steps to remove them.";

/// `co secret scan`
#[derive(Args, Debug)]
pub struct Scan {
    /// A file or folder; with --history, a path in the identity
    pub path: Option<String>,
    /// Scan every version in every commit, instead of the files
    #[arg(long)]
    pub history: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Scan {
    fn name(&self) -> &'static str {
        "secret scan"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let history = self.history;
        let request = scan::Request { path: self.path, history, allow: self.allow.rules };
        let report = waiting(cli, "Scanning for secrets…", || scan::run(cli.ws, &request))?;
        let text = scanned(&report, history, cli.ws, cli.style);
        let ending = Ending::found(!report.secrets.is_empty() || !report.unreadable.is_empty());
        let warnings = report.unreadable.clone();
        Ok(Output { ending, warnings, ..Output::data(text, report) })
    }
}

fn scanned(report: &scan::Report, history: bool, context: &Context, style: Style) -> Said {
    let mut text = Said::new();
    for place in &report.secrets {
        let commit = place.commit.as_ref().map_or_else(Said::new, |commit| said!("{}:", commit));
        let line = place.secret.line.map_or_else(Said::new, |line| said!(":{}", line));
        let head = style.strong(said!("{}{}{}", commit, place.path, line));
        text.push(said!(
            "  {}  {} {}  {}\n",
            head,
            place.secret.what,
            style.dim(said!("[{}]", place.secret.rule)),
            place.secret.excerpt
        ));
    }
    let what = if history {
        plural(report.files, "version", "versions")
    } else {
        plural(report.files, "file", "files")
    };
    if report.secrets.is_empty() && !report.unreadable.is_empty() {
        text.push(said!(
            "{}; no secret found in what could be read; {} could not be read.\n",
            what,
            report.unreadable.len()
        ));
    } else if report.secrets.is_empty() {
        text.push(said!("{} {}, no secret found.\n", style.learned("✓"), what));
    } else {
        text.push(said!("{} in {}.\n", plural(report.secrets.len(), "secret", "secrets"), what));
    }
    if !report.removal.is_empty() {
        text.push(
            "\nWhat is committed stays in history until history is rewritten. Proceed in this \
             order:\n\n",
        );
        for (at, step) in report.removal.iter().enumerate() {
            // A command stands in a line of its own, to be copied.
            let mut lines = step.lines();
            text.push(said!("  {}. {}\n", at + 1, lines.next().unwrap_or_default()));
            lines.for_each(|command| text.push(said!("     {}\n", command)));
        }
    } else if !report.secrets.is_empty() {
        text.push(said!(
            "Keep values in the keyring (`co secret set NAME`) and write {{{{secret:NAME}}}}; \
             `{}` on a line allows it.\n",
            ALLOW
        ));
    }
    if let Some(log) = &report.log {
        let log = context.shown(log);
        text.push(said!(
            "co's undo log, {}, contains earlier file contents, including a secret. If you delete \
             it, you lose undo, and nothing else.\n",
            log
        ));
    }
    text
}
