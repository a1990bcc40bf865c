//! `co seal recovery`: arguments and output. The verb is `transfer::seal::recovery`.

use super::key;
use crate::cli::{
    failure::Failure,
    output::Output,
    progress::announced,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::transfer::seal::{keys, recovery};
use clap::Args;

pub(super) const HELP: &str = "\
    Without `--new` it asks for the recovery key or passphrase and says whether it opens what is on \
    the remote; nothing changes. With `--new`, the old recovery key opens nothing that is pushed \
    from then on.";

const UNPUBLISHED: &str = "the new recovery key counts only if `co seal recovery` says that it \
    opens the remote; until then the old one does";

/// `co seal recovery`
#[derive(Args, Debug)]
pub struct Recovery {
    /// Make a new recovery key
    #[arg(long)]
    new: bool,
    /// Read the recovery key or passphrase to try from a file, `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "new")]
    key: Option<String>,
    /// Write the new recovery key to a new file, instead of showing it
    #[arg(long, value_name = "FILE", requires = "new")]
    key_out: Option<String>,
    /// Also set a passphrase that opens it
    #[arg(long, requires = "new")]
    passphrase: bool,
}

impl Verb for Recovery {
    fn name(&self) -> &'static str {
        "seal recovery"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if !self.new {
            let given = match key::named(cli, self.key.as_deref())? {
                Some(given) => given,
                None => key::asked(cli, &keys::url(cli.ws)?)?,
            };
            let look = || recovery::try_key(cli.ws, given);
            let report = announced(cli, "Trying it…", look)?;
            let text = said!("{} It opens {}.\n", cli.style.learned("✓"), report.url);
            return Ok(Output::done(text, report));
        }
        let mut plan = recovery::plan(cli.ws)?;
        if self.passphrase {
            plan = plan.with_passphrase(&key::passphrase(cli)?)?;
        }
        key::hand_over(cli, &plan.recovery, self.key_out.as_deref())?;
        let report = announced(cli, "Changing the key…", || recovery::apply(cli.ws, plan));
        // It was handed over already.
        let report = report.map_err(|error| Failure::from(error).hint(UNPUBLISHED))?;
        let mut text = said!(
            "{} The new recovery key opens {}; the old one opens nothing that is pushed from now on.\n",
            cli.style.learned("✓"),
            report.url
        );
        if report.passphrase_ended {
            text.push(
                "Nor does the passphrase: `co seal recovery --new --passphrase` sets another.\n",
            );
        }
        Ok(Output::done(text, report))
    }
}
