//! `co identity diff`: arguments and output. The verb is `transfer::diff`.

use super::diff_text;
use crate::cli::{
    failure::Failure,
    output::{Ending, Output},
    progress::{announced, waiting},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::identity::shell;
use crate::machine::files;
use crate::merge::import::ImportMode;
use crate::transfer::diff;
use clap::Args;

pub(in crate::cli) const HELP: &str = "\
    SOURCE is an archive (- for standard input), a folder, the remote (origin), or a git revision \
    (HEAD~3). For an archive or folder, shows exactly what `co identity import` would change; for \
    the remote, what a sync would bring in; for a commit, what has changed here since. With \
    --exit-code, exits with 1 if anything differs.\n\
    \n\
    Examples:\n  \
    co diff origin   what the next sync brings in\n  \
    co diff HEAD~1   what changed since the commit before the last";

/// `co identity diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// What to compare with
    pub source: Option<String>,
    /// Show what `import --replace` would change
    #[arg(long)]
    pub replace: bool,
    /// Show what `import --restore-forgotten` would change
    #[arg(long, conflicts_with = "replace")]
    pub restore_forgotten: bool,
    /// Show one line per file
    #[arg(long, conflicts_with = "patch")]
    pub stat: bool,
    /// Show the files line by line, as `git diff` does
    #[arg(short = 'p', long)]
    pub patch: bool,
    /// Exit with 1 if anything differs
    #[arg(long)]
    pub exit_code: bool,
}

impl Verb for Diff {
    fn name(&self) -> &'static str {
        "identity diff"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let mode = mode(self.replace, self.restore_forgotten);
        let request = diff::Request { source: self.source.clone(), mode };
        let (message, compare) = ("Comparing…", || diff::run(cli.ws, &request));
        // Anything but a file may be a remote, whose ssh may ask.
        let is_file = |source: &String| files::exists(&cli.ws.typed_path(source));
        let report = if self.source.as_ref().is_none_or(is_file) {
            waiting(cli, message, compare)
        } else {
            announced(cli, message, compare)
        }?;
        let text = match (self.stat, self.patch) {
            (true, _) => diff_text::stat(&report, cli.style),
            (_, true) => diff_text::patch_shown(&report, cli.style),
            _ => {
                diff_text::review(&report, cli.style, cli.ws.calendar())
                    + self.next_command(&report)
            }
        };
        let exact = self.patch.then(|| diff_text::patch(&report));
        let ending = Ending::found(self.exit_code && !report.is_empty());
        let warnings = report.warnings.clone();
        let output = Output::lazy(text, move || report.json()).redacted();
        Ok(Output { ending, warnings, exact, ..output })
    }
}

impl Diff {
    fn next_command(&self, report: &diff::Report) -> Said {
        if report.direction != diff::Direction::Import || report.is_empty() {
            return Said::new();
        }
        let option = match mode(self.replace, self.restore_forgotten) {
            ImportMode::Replace => "--replace",
            ImportMode::RestoreForgotten => "--merge --restore-forgotten",
            ImportMode::Merge => "--merge",
        };
        let source = self.source.as_deref().unwrap_or_default();
        let plain = |letter: char| letter.is_alphanumeric() || "-_./~+@:".contains(letter);
        let source =
            if source.chars().all(plain) { source.to_owned() } else { shell::quoted(source) };
        said!("\n`co identity import {} {}` applies exactly this.\n", source, option)
    }
}

pub(super) fn mode(replace: bool, restore_forgotten: bool) -> ImportMode {
    match (replace, restore_forgotten) {
        (true, _) => ImportMode::Replace,
        (false, true) => ImportMode::RestoreForgotten,
        (false, false) => ImportMode::Merge,
    }
}
