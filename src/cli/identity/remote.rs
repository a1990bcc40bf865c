//! `co identity remote`: arguments and output.

use crate::cli::{
    failure::{Exit, Failure},
    output::{self, Output},
    progress::announced,
    prompt,
    remotes::{PUBLIC, identity_of, in_spite_of_key, password_in},
    seal::key,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::git::{url, without_credentials};
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
    /// Read the recovery key or passphrase of a sealed remote from a file, `-` for standard input
    #[arg(long, value_name = "FILE", requires = "url")]
    key: Option<String>,
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
            let plan = planned(cli, &url, self.key.as_deref())?;
            if let (Some(whose), false) = (&plan.joins, self.yes) {
                agreed(cli, whose)?;
            }
            init::set_remote(cli.ws, &plan)?;
            let shown = without_credentials(url::shown(&plan.url));
            let how = if plan.sealed.is_some() { ", sealed" } else { "" };
            let mark = cli.style.learned("✓");
            let text = said!("{} The remote is {}{}. Next: `co sync`.\n", mark, shown, how);
            let mut warnings = password_in(&url);
            warnings.extend(plan.is_public.then(|| PUBLIC.to_owned()));
            warnings.extend(in_spite_of_key(cli.ws, &plan.url));
            warnings.extend(plan.unseen.as_ref().map(|why| why.to_string()));
            let data = json!({ "url": shown, "joins": plan.joins });
            return Ok(Output { warnings, ..Output::done(text, data) });
        }
        let git = status::run(cli.ws)?.git;
        let sealed = git.as_ref().is_some_and(|git| git.sealed);
        let url = git.and_then(|git| git.url).ok_or_else(|| {
            Failure::new(Exit::NotFound, "no remote is set")
                .hint("`co identity remote URL` sets one")
        })?;
        if sealed {
            let data = json!({ "url": url, "sealed": true });
            let text = said!("{} (sealed)\n", url);
            return Ok(Output { text, ..Output::exact(format!("{url}\n"), data) });
        }
        Ok(Output::exact(format!("{url}\n"), json!({ "url": url })))
    }
}

/// The plan, after the key of a sealed remote was asked for.
fn planned(cli: &Cli<'_>, url: &str, key: Option<&str>) -> Result<init::RemotePlan, Failure> {
    let mut key = key::named(cli, key)?;
    loop {
        let look = || init::plan_remote(cli.ws, url, key.as_ref());
        match announced(cli, "Checking the remote…", look) {
            Err(error) if key.is_none() && cli.asks && init::is_sealed(&error) => {
                key = Some(key::asked_to_keep(cli, url)?);
            }
            other => return Ok(other?),
        }
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
    prompt::agree("Set it anyway (the next sync merges both into one identity)")
}
