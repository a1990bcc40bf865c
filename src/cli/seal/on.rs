//! `co seal on`: arguments and output. The verb is `transfer::seal::on`.

use super::key;
use crate::cli::{
    failure::{Exit, Failure},
    output::{self, Output},
    progress::{Steps, announced},
    prompt,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::transfer::seal::on;
use clap::Args;

pub(super) const HELP: &str = "\
    The identity on this laptop stays plain markdown and git; what is published is encrypted before \
    it leaves, and opened before it is merged. The URL must be an empty repository: what was \
    published in plain before stays readable until its repository is deleted.\n\
    \n\
    Without the recovery key and without any laptop nobody can read it again. `co help sealed` \
    says what the host still sees.\n\
    \n\
    Examples:\n  \
    co seal on git@github.com:me/sealed.git\n  \
    co seal on /srv/sealed.git --key-out key.txt --yes";

/// `co seal on`
#[derive(Args, Debug)]
pub struct On {
    /// The URL of an empty repository
    url: String,
    /// Write the recovery key to a new file, instead of showing it
    #[arg(long, value_name = "FILE")]
    key_out: Option<String>,
    /// Also set a passphrase that opens it
    #[arg(long)]
    passphrase: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

impl Verb for On {
    fn name(&self) -> &'static str {
        "seal on"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let passphrase = if self.passphrase { Some(key::passphrase(cli)?) } else { None };
        let request = on::Request { url: self.url, passphrase };
        let plan = announced(cli, "Checking the remote…", || on::plan(cli.ws, &request))?;
        if !self.yes {
            agreed(cli, &plan)?;
        }
        if !plan.given {
            key::hand_over(cli, &plan.recovery, self.key_out.as_deref())?;
        }
        let steps = Steps::new(cli);
        let applied = on::apply(cli.ws, plan, &|step| steps.at(step));
        steps.end();
        let report = applied?;
        let mut text = said!(
            "{} Sealed: {} now has what nobody can read without a key. On another laptop: `co init \
             {}`.\n",
            cli.style.learned("✓"),
            report.url,
            report.url
        );
        if let Some(old) = &report.old {
            text.push(said!(
                "What was published to {} before stays readable there until that repository is \
                 deleted; other laptops join with `co identity remote {}`.\n",
                old,
                report.url
            ));
        }
        let warnings = report.sync.warnings.clone();
        Ok(Output { warnings, ..Output::done(text, report) })
    }
}

fn agreed(cli: &Cli<'_>, plan: &on::Plan) -> Result<(), Failure> {
    if !cli.asks {
        return Err(Failure::new(
            Exit::Declined,
            said!("{} would become the remote; there is no terminal to ask on", plan.shown),
        )
        .hint("use `--yes`, with `--key-out FILE` for the recovery key"));
    }
    output::say(&said!("  seal    into {}, which is empty\n", plan.shown));
    if let Some(old) = &plan.old {
        output::say(&said!(
            "  leave   {} as it is: readable, and no longer synced from here\n",
            old
        ));
    }
    if prompt::confirm("Proceed")? { Ok(()) } else { Err(prompt::declined()) }
}
