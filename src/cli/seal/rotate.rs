//! `co seal rotate`: arguments and output. The verb is `transfer::seal::keys`.

use crate::cli::{
    failure::Failure,
    output::Output,
    progress::announced,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::transfer::seal::keys;
use clap::Args;

/// `co seal rotate`
#[derive(Args, Debug)]
pub struct Rotate {}

impl Verb for Rotate {
    fn name(&self) -> &'static str {
        "seal rotate"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = announced(cli, "Changing the key…", || keys::rotate(cli.ws))?;
        let text = said!(
            "{} What is pushed from now on needs a new key, which all laptops and the recovery key \
             get. What was pushed before opens as before.\n",
            cli.style.learned("✓")
        );
        Ok(Output::done(text, report))
    }
}
