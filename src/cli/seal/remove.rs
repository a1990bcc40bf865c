//! `co seal remove`: arguments and output. The verb is `transfer::seal::keys`.

use crate::cli::{
    failure::Failure,
    output::Output,
    progress::announced,
    prompt,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::transfer::seal::keys;
use clap::Args;

pub(super) const HELP: &str = "\
    That laptop cannot read what is pushed from then on; it keeps what it has. Also take away its \
    right to push, where the repository is hosted. If it may be in other hands, change the \
    recovery key as well, so that no new laptop takes what it made up: `co seal recovery --new`.";

/// `co seal remove`
#[derive(Args, Debug)]
pub struct Remove {
    /// The laptop's name, as `co seal status` shows it
    name: String,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

impl Verb for Remove {
    fn name(&self) -> &'static str {
        "seal remove"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        keys::removable(cli.ws, &self.name)?;
        if !self.yes {
            let question = said!("Close what is pushed from now on to {}", self.name);
            let would = said!("what is pushed from now on would be closed to {}", self.name);
            prompt::agree_to_loss(cli, question, &would, "use `--yes`".to_owned())?;
        }
        let report = announced(cli, "Changing the key…", || keys::remove(cli.ws, &self.name))?;
        let text = said!(
            "{} {} does not get the new key. It can still read what it already had: take away its \
             right to push, and if it may be in other hands, run `co seal recovery --new`.\n",
            cli.style.forgotten("✓"),
            self.name
        );
        Ok(Output::done(text, report))
    }
}
