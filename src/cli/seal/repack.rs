//! `co seal repack`: arguments and output. The verb is `transfer::seal::keys`.

use crate::cli::{
    failure::Failure,
    output::Output,
    progress::announced,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::transfer::seal::keys;
use clap::Args;

/// `co seal repack`
#[derive(Args, Debug)]
pub struct Repack {}

impl Verb for Repack {
    fn name(&self) -> &'static str {
        "seal repack"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = announced(cli, "Repacking the remote…", || keys::repack(cli.ws))?;
        let text =
            said!("{} One pack on {} holds everything now.\n", cli.style.learned("✓"), report.url);
        Ok(Output::done(text, report))
    }
}
