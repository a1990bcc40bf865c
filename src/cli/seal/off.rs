//! `co seal off`: arguments and output. The verb is `transfer::seal::off`.

use super::first_sync::{content, follow, reported};
use crate::cli::{
    failure::Failure,
    output::Output,
    progress::{Steps, announced},
    prompt,
    remotes::PUBLIC,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::transfer::seal::off;
use clap::Args;

/// `co seal off`
#[derive(Args, Debug)]
pub struct Off {
    /// The URL of an empty repository
    url: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

impl Verb for Off {
    fn name(&self) -> &'static str {
        "seal off"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let url = prompt::empty_repository(cli, self.url)?;
        let look = || off::plan(cli.ws, &url);
        let plan = announced(cli, "Checking the remote…", look)?;
        if !self.yes {
            let question = said!(
                "Push everything unsealed to {}, and stop syncing with {}",
                plan.shown,
                plan.old
            );
            let would = said!("everything would be pushed unsealed to {}", plan.shown);
            prompt::agree_to_loss(cli, question, &would, "use `--yes`".to_owned())?;
        }
        let steps = Steps::new(cli);
        let applied = off::apply(cli.ws, &plan, &|step| steps.at(step));
        steps.end();
        let report = applied?;
        let text = said!(
            "{} No longer sealed: {} has {}, readable by its host. {} stays as it is; the other \
             laptops follow with `{}`.\n",
            cli.style.learned("✓"),
            report.url,
            content(cli),
            report.old,
            follow(cli, &report.url)
        );
        let mut output = reported(text, report, |report| &report.sync);
        output.warnings.extend(plan.is_public.then(|| PUBLIC.to_owned()));
        Ok(output)
    }
}
