//! `co knowledge seed`: arguments and output. The verb is `documents::seed`.

use crate::cli::{
    args::Allow,
    failure::Failure,
    output::Output,
    style::plural,
    verb::{Cli, Verb},
};
use crate::documents::seed::{self, Again};
use crate::foreign::{Said, said};
use crate::knowledge::Topic;
use clap::Args;

pub(super) const HELP: &str = "The seed folder is seed-knowledge/ beside settings.json. Each .md \
    file is a document: its name is the topic, an optional first line `tags: a,b` its tags, the \
    rest its text. Existing topics are never overwritten, and deleted ones do not come back \
    unless you use --again.";

/// `co knowledge seed`
#[derive(Args, Debug)]
pub struct Seed {
    /// Reload files whose documents were deleted
    #[arg(long)]
    pub again: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Seed {
    fn name(&self) -> &'static str {
        "knowledge seed"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let again = if self.again { Again::Yes } else { Again::No };
        let request = seed::Request { again, allowed: self.allow.rules()? };
        let report = seed::run(cli.ws, &request)?;
        let line = |topic: &Topic| said!("{} Loaded {}\n", cli.style.learned("✓"), topic);
        let mut text: Said = report.loaded.iter().map(line).collect();
        if report.loaded.is_empty() {
            let kept = match report.kept.len() {
                0 => Said::new(),
                kept => said!("; {} already there", plural(kept, "topic is", "topics are")),
            };
            let folder = cli.ws.shown(&report.folder);
            text.push(said!("Nothing new in {}{}\n", folder, kept));
        }
        let warnings = report.refused.clone();
        Ok(Output { warnings, ..Output::done(text, report) })
    }
}
