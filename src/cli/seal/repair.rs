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
use crate::git::sealed::Repaired;
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
                let message =
                    "it would push what the host lost, but there is no terminal to ask on";
                return Err(Failure::new(Exit::Declined, message).hint("use `--yes`"));
            }
            let question = "Push what the host lost, and remove what no laptop of yours put there";
            prompt::agree(question)?;
        }
        let found = announced(cli, "Comparing with the remote…", || keys::repair(cli.ws))?;
        let mark = cli.style.learned("✓");
        let (text, count) = match found {
            Repaired::Whole => (Said::from("The remote has all that this laptop has seen.\n"), 0),
            Repaired::Back(count) => {
                (said!("{} The remote has {} back. Next: `co sync`.\n", mark, pushes(count)), count)
            }
            Repaired::Cleared => {
                let text =
                    said!("{} What somebody else put there is gone. Next: `co sync`.\n", mark);
                (text, 0)
            }
            Repaired::Parted(count) => {
                let text = said!(
                    "{} Other laptops went on without {} that this laptop saw. Next: `co sync`, \
                     which merges both.\n",
                    mark,
                    pushes(count)
                );
                (text, count)
            }
        };
        Ok(Output::done(text, json!({ "pushes": count })))
    }
}

fn pushes(count: u64) -> Said {
    plural(usize::try_from(count).unwrap_or(usize::MAX), "push", "pushes")
}
