//! `co identity restore`

use crate::cli::args::Allow;
use crate::cli::{
    output::Output,
    style::{Style, safe},
    verb::{Cli, Verb},
};
use crate::ops::{Failure, restore};
use clap::Args;

pub(super) const HELP: &str = "\
    Without --from it is the last commit. `co undo` takes it back.\n\
    \n\
    Examples:\n  \
    co identity restore profile.md\n  \
    co identity restore --from HEAD~3 traits/";

/// `co identity restore`
#[derive(Args, Debug)]
pub struct Restore {
    /// Files or folders of the identity
    #[arg(required = true)]
    pub paths: Vec<String>,
    /// The commit to take them from
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub from: String,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Restore {
    fn name(&self) -> &'static str {
        "identity restore"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request =
            restore::Request { paths: self.paths, from: self.from, allowed: self.allow.rules()? };
        let report = restore::run(cli.context, &request)?;
        Ok(Output::done(restored(&report, cli.style), report))
    }
}

fn restored(report: &restore::Report, style: Style) -> String {
    let line = |path: &String| format!("{} {}\n", style.learned("restored"), safe(path));
    if report.restored.is_empty() {
        return "All of it is as it was there.\n".to_owned();
    }
    format!("{}Undo: `co undo`.\n", report.restored.iter().map(line).collect::<String>())
}
