//! `co seal add`: arguments and output. The verb is `transfer::seal::keys`.

use super::key;
use crate::cli::{
    failure::Failure,
    output::Output,
    progress::announced,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::transfer::seal::keys;
use clap::Args;

/// `co seal add`
#[derive(Args, Debug)]
pub struct Add {
    /// Read the recovery key or passphrase from a file, `-` for standard input
    #[arg(long, value_name = "FILE")]
    key: Option<String>,
}

impl Verb for Add {
    fn name(&self) -> &'static str {
        "seal add"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let mut given = key::named(cli, self.key.as_deref())?;
        if given.is_none() && !keys::has_key(cli.ws)? {
            given = Some(key::asked_to_keep(cli, &keys::url(cli.ws)?)?);
        }
        let is_asked_for = given.is_none() && cli.asks;
        let add = |given| announced(cli, "Opening the remote…", || keys::add(cli.ws, given));
        let report = match add(given) {
            Err(error) if is_asked_for && keys::was_removed(&error) => {
                add(Some(key::asked_to_keep(cli, &keys::url(cli.ws)?)?))
            }
            done => done,
        }?;
        let name = report.laptop.as_ref().map_or_else(Said::new, |name| said!(" ({})", name));
        let text = if report.changed {
            said!(
                "{} This laptop{} now has the key to {}.\n",
                cli.style.learned("✓"),
                name,
                report.url
            )
        } else {
            said!("This laptop{} already has the key to {}.\n", name, report.url)
        };
        Ok(Output::done(text, report))
    }
}
