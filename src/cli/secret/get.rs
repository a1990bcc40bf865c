//! `co secret get`: arguments and output. The verb is `integrations::secret`.

use crate::cli::{
    complete,
    failure::{Exit, Failure},
    output::Output,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::integrations::secret;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co secret get`
#[derive(Args, Debug)]
pub struct Get {
    /// Its name
    #[arg(add = ArgValueCandidates::new(complete::secret_names))]
    name: String,
}

impl Verb for Get {
    fn name(&self) -> &'static str {
        "secret get"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let got = secret::get(cli.ws, &self.name)?;
        let Ok(value) = std::str::from_utf8(got.value.expose()) else {
            return Err(Failure::new(
                Exit::Other,
                said!(
                    "the value of {} has {} bytes and is not text",
                    self.name,
                    got.value.expose().len()
                ),
            )
            .hint(said!(
                "`secret-tool lookup service co-cli username {} > FILE` writes the bytes",
                self.name
            )));
        };
        // On a terminal, the prompt needs its own line; a pipe gets only the value.
        let data = json!({ "name": got.name, "origin": got.origin, "value": value });
        Ok(Output { warnings: got.warnings, ..Output::exact(value.to_owned(), data) })
    }
}
