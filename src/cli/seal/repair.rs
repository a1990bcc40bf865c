//! `co seal repair`: arguments and output. The verb is `transfer::seal::keys`.

use crate::cli::{
    failure::{Exit, Failure},
    output::Output,
    progress::announced,
    prompt,
    style::plural,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::transfer::seal::keys;
use clap::Args;
use serde_json::json;

/// `co seal repair`
#[derive(Args, Debug)]
pub struct Repair {
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

impl Verb for Repair {
    fn name(&self) -> &'static str {
        "seal repair"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if !self.yes {
            if !cli.asks {
                let message = "it would push what the host lost; there is no terminal to ask on";
                return Err(Failure::new(Exit::Declined, message).hint("use `--yes`"));
            }
            if !prompt::confirm("Push what the host lost, from what this laptop has seen")? {
                return Err(prompt::declined());
            }
        }
        let count = announced(cli, "Comparing with the remote…", || keys::repair(cli.ws))?;
        let text = match count {
            0 => Said::from("The remote has all that this laptop has seen.\n"),
            count => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                let pushes = plural(count, "push", "pushes");
                said!(
                    "{} The remote has {} back. Next: `co sync`.\n",
                    cli.style.learned("✓"),
                    pushes
                )
            }
        };
        Ok(Output::done(text, json!({ "pushes": count })))
    }
}
