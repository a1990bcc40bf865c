//! `co secret rm`: arguments and output. The verb is `integrations::secret`.

use crate::cli::{
    complete,
    failure::Failure,
    output::Output,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::secret;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co secret rm`
#[derive(Args, Debug)]
pub struct Rm {
    /// Its name
    #[arg(add = ArgValueCandidates::new(complete::secret_names))]
    name: String,
}

impl Verb for Rm {
    fn name(&self) -> &'static str {
        "secret rm"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let count = secret::remove(cli.ws, &self.name)?;
        let entries = if count > 1 {
            said!(" ({} entries, from several programs)", count)
        } else {
            Said::new()
        };
        let text = said!(
            "{} Removed {} from the keyring{}.\n",
            cli.style.forgotten("✓"),
            self.name,
            entries
        );
        Ok(Output::done(text, json!({ "name": self.name, "entries": count })))
    }
}
