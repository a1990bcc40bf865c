//! `co identity remote`: arguments and output.

use crate::cli::{
    failure::{Exit, Failure},
    output::{self, Output},
    progress::announced,
    prompt,
    remotes::{PUBLIC, identity_of, password_in},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::git::without_credentials;
use crate::transfer::init;
use crate::upkeep::status;
use crate::workspace::recognise::RemoteIdentity;
use clap::Args;
use serde_json::json;

pub(in crate::cli) const HELP: &str = "\
    co checks the remote before setting it: one that contains something other than an identity is \
    refused; if it contains an identity, the next sync merges the two.";

/// `co identity remote`
#[derive(Args, Debug)]
pub struct Remote {
    /// The URL of a git repository
    url: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

impl Verb for Remote {
    fn name(&self) -> &'static str {
        "identity remote"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if let Some(url) = self.url {
            let look = || init::plan_remote(cli.ws, &url);
            let plan = announced(cli, "Checking the remote…", look)?;
            if let (Some(whose), false) = (&plan.joins, self.yes) {
                agreed(cli, whose)?;
            }
            init::set_remote(cli.ws, &plan)?;
            let shown = without_credentials(&plan.url);
            let text =
                said!("{} The remote is {}. Next: `co sync`.\n", cli.style.learned("✓"), shown);
            let mut warnings = password_in(&url);
            warnings.extend(plan.is_public.then(|| PUBLIC.to_owned()));
            warnings.extend(plan.unseen.as_ref().map(|why| why.to_string()));
            let data = json!({ "url": shown, "joins": plan.joins });
            return Ok(Output { warnings, ..Output::done(text, data) });
        }
        let git = status::run(cli.ws)?.git;
        let url = git.and_then(|git| git.url).ok_or_else(|| {
            Failure::new(Exit::NotFound, "no remote is set")
                .hint("`co identity remote URL` sets one")
        })?;
        Ok(Output::exact(format!("{url}\n"), json!({ "url": url })))
    }
}

/// Two identities are merged only if a person agrees.
fn agreed(cli: &Cli<'_>, whose: &RemoteIdentity) -> Result<(), Failure> {
    let holds = said!("that remote contains {}", identity_of(whose));
    if !cli.asks {
        return Err(Failure::new(Exit::Declined, holds)
            .hint("use `--yes` to set it anyway; the next sync merges both into one identity"));
    }
    output::say(&said!("{}\n", holds));
    if prompt::confirm("Set it anyway (the next sync merges both into one identity)")? {
        Ok(())
    } else {
        Err(prompt::declined())
    }
}
