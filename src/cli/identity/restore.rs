//! `co identity restore`: arguments and output. The verb is `transfer::restore`.

use crate::cli::{
    args::Allow,
    failure::Failure,
    output::Output,
    style::Style,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::transfer::restore::{self, RestoreScope};
use clap::Args;

pub(in crate::cli) const HELP: &str = "\
    Without --from, restores from the last commit. Changes made since are overwritten; with \
    --missing, only missing files are restored. `co undo` reverts it.\n\
    \n\
    Examples:\n  \
    co identity restore profile.md\n  \
    co identity restore --missing\n  \
    co identity restore --from HEAD~3 traits/";

/// `co identity restore`
#[derive(Args, Debug)]
pub struct Restore {
    /// Files or folders of the identity
    #[arg(required_unless_present = "missing")]
    pub paths: Vec<String>,
    /// Restore only missing files; without a path, all of them
    #[arg(long)]
    pub missing: bool,
    /// The commit to restore from
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
        let scope = if self.missing { RestoreScope::Missing } else { RestoreScope::All };
        let paths = if self.paths.is_empty() { vec![".".to_owned()] } else { self.paths };
        let request =
            restore::Request { paths, scope, from: self.from, allowed: self.allow.rules()? };
        let report = restore::run(cli.ws, &request)?;
        Ok(Output::done(restored(&report, scope, cli.style), report))
    }
}

fn restored(report: &restore::Report, scope: RestoreScope, style: Style) -> Said {
    let line = |path: &String| said!("{} {}\n", style.learned("restored"), path);
    match scope {
        _ if !report.restored.is_empty() => {}
        RestoreScope::All => {
            return Said::from("Nothing to restore; all files match that commit.\n");
        }
        RestoreScope::Missing => return Said::from("Nothing is missing.\n"),
    }
    said!("{}Undo: `co undo`.\n", report.restored.iter().map(line).collect::<Said>())
}
