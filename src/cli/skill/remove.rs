//! `co skill remove`: arguments and output. The verb is `integrations::skills::remove`.

use super::followed;
use crate::cli::{
    complete,
    failure::Failure,
    output::Output,
    verb::{Cli, Verb},
};
use crate::foreign::said;
use crate::integrations::skills;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co skill remove`
#[derive(Args, Debug)]
pub struct Remove {
    /// A skill, by its name in `co skill list`
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::skills))]
    pub skill: String,
}

impl Verb for Remove {
    fn name(&self) -> &'static str {
        "skill remove"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        skills::remove(cli.ws, &self.skill)?;
        let mark = cli.style.forgotten("✓");
        let mut text = said!("{} Removed skill {}.\n", mark, self.skill);
        text.push(followed::lines(cli));
        text.push(said!("{}\n", cli.style.dim("Undo: `co undo`.")));
        Ok(Output::done(text, json!({ "removed": self.skill })))
    }
}
