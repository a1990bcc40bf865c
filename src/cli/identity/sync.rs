//! `co identity sync`: arguments and output. The verb is `sync`.

use super::{
    every::{self, Every},
    sync_layers, sync_text, timed,
};
use crate::cli::{
    args::Allow,
    failure::Failure,
    output::Output,
    skill::followed,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::timer::Interval;
use crate::sync;
use crate::workspace::layers;
use clap::Args;

pub(in crate::cli) const HELP: &str = "\
    Merges never stop for a conflict: facts are combined, identical facts are kept once, a fact \
    forgotten after it was learned stays forgotten, and if both sides edited the same lines, both \
    texts are kept. Works in a repository of its own, and in a folder or symlinked folder of a \
    larger one (dotfiles), where only the identity is committed.\n\
    \n\
    Forgetting does not erase git's history: a forgotten fact can still be found there. `co help \
    dotfiles` shows how to purge one.\n\
    \n\
    Examples:\n  \
    co sync               now\n  \
    co sync --every 15m   by itself from now on; `--every off` stops it";

/// `co identity sync`
#[derive(Args, Debug)]
pub struct Sync {
    /// Permanently forget facts whose files were removed without `co forget`
    #[arg(long)]
    pub accept_deletions: bool,
    /// Fail (exit 8) if the remote cannot be reached
    #[arg(long)]
    pub require_remote: bool,
    /// Sync by itself from now on, with the timer of this system; `off` stops that
    #[arg(long, value_name = "SPAN|off", value_parser = every::typed)]
    pub every: Option<Every>,
    /// A run of that timer: it asks nothing, says a failure once, and waits after failures.
    #[arg(long, hide = true, value_name = "SPAN", value_parser = Interval::parse)]
    pub timed: Option<Interval>,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Sync {
    fn name(&self) -> &'static str {
        "identity sync"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if let Some(every) = self.every {
            return every::run(cli, every);
        }
        let publishes = layers::publishes(cli.ws);
        // Nobody asked the timer to publish what a person is still working on.
        let own_commits = match self.timed {
            Some(_) => sync::OwnCommits::Unpublished,
            None => sync::OwnCommits::Along,
        };
        let request = sync::Request {
            own_commits,
            accept_deletions: self.accept_deletions,
            require_remote: self.require_remote,
            allowed: self.allow.rules()?,
            direction: if publishes { sync::Direction::Both } else { sync::Direction::Fetch },
        };
        if let Some(every) = self.timed {
            return timed::run(cli, every, &request);
        }
        let own = sync_layers::one(cli, cli.ws, &request).map_err(Failure::from);
        let others = sync_layers::all(cli, &request);
        match own {
            Ok(report) => Ok(sync_layers::beside(of_identity(cli, &report), report, others, cli)),
            Err(failure) if others.is_empty() => Err(failure),
            Err(failure) => Ok(sync_layers::without(failure, others, cli)),
        }
    }
}

/// What is printed of the identity of this call.
fn of_identity(cli: &Cli<'_>, report: &sync::Report) -> Said {
    let mut text = sync_text::synced(report, cli.style) + followed::after_sync(cli);
    if cli.verbose {
        for decision in &report.decisions {
            let line = said!("{}: {}", decision.path, decision.why);
            text.push(said!("  {}\n", cli.style.dim(&line)));
        }
    }
    text
}
