//! `co skill add`: arguments and output. The verb is `integrations::skills::add`.

use super::followed;
use crate::cli::{
    args::Allow,
    failure::Failure,
    output::Output,
    style::plural,
    verb::{Cli, Verb},
};
use crate::foreign::said;
use crate::integrations::skills::{self, Change};
use clap::Args;
use std::path::PathBuf;

pub(super) const HELP: &str = "The folder needs a SKILL.md of the Agent Skills standard, whose \
    `name` becomes the name of the skill. Its files are copied byte for byte; a skill of that name \
    is replaced, and `co undo` brings it back. What you add here, your agents on this laptop may \
    use at once; on your other laptops it waits in `co review`.";

/// `co skill add`
#[derive(Args, Debug)]
pub struct Add {
    /// A folder with a SKILL.md
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Add {
    fn name(&self) -> &'static str {
        "skill add"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let folder = cli.ws.cwd.join(&self.folder);
        let done = skills::add(cli.ws, &folder, &self.allow.rules()?)?;
        let mark = cli.style.learned("✓");
        let files = plural(done.files, "file", "files");
        let mut text = match done.change {
            Change::New => said!("{} Added skill {} ({}).\n", mark, done.name, files),
            Change::Updated => said!("{} Updated skill {} ({}).\n", mark, done.name, files),
            Change::Same => said!("{} Skill {} is already there.\n", mark, done.name),
        };
        text.push(followed::programs(&done.programs));
        let left = |path: &String| said!("  left out {}\n", path);
        text.extend(done.left_out.iter().map(left));
        text.push(followed::lines(cli));
        if done.change != Change::Same {
            text.push(said!("{}\n", cli.style.dim("Undo: `co undo`.")));
        }
        Ok(Output::done(text, done))
    }
}
