//! `co seal on`: arguments and output. The verb is `transfer::seal::on`.

use super::{
    first_sync::{follow, join, reported},
    key,
};
use crate::cli::{
    failure::{Exit, Failure},
    output::{self, Output},
    progress::{Steps, announced},
    prompt,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::said;
use crate::transfer::seal::on::{self, Note};
use clap::Args;

pub(super) const HELP: &str = "\
    The identity on this laptop stays plain markdown and git; what is pushed is encrypted before \
    it leaves, and opened before it is merged. The URL must be an empty repository: what was \
    pushed before stays readable until its repository is deleted.\n\
    \n\
    If the recovery key and all laptops are lost, nobody can read it again. `co help sealed` says \
    what the host still sees.\n\
    \n\
    Examples:\n  \
    co seal on git@github.com:me/sealed.git\n  \
    co seal on /srv/sealed.git --key-out key.txt --yes";

/// `co seal on`
#[derive(Args, Debug)]
pub struct On {
    /// The URL of an empty repository
    url: Option<String>,
    /// Write the recovery key to a new file, instead of showing it
    #[arg(long, value_name = "FILE")]
    key_out: Option<String>,
    /// Also set a passphrase that opens it
    #[arg(long)]
    passphrase: bool,
    /// Leave a note in the old repository, so that other laptops stop there
    #[arg(long)]
    leave_note: bool,
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
        let url = prompt::empty_repository(cli, self.url)?;
        let mut plan = announced(cli, "Checking the remote…", || on::plan(cli.ws, &url))?;
        let mut note = if self.leave_note { Note::Leave } else { Note::None };
        if !self.yes {
            note = agreed(cli, &plan, note)?;
        }
        if self.passphrase {
            plan = plan.with_passphrase(&key::passphrase(cli)?)?;
        }
        if !plan.given {
            key::hand_over(cli, &plan.recovery, self.key_out.as_deref())?;
        }
        let steps = Steps::new(cli);
        let applied = on::apply(cli.ws, plan, note, &|step| steps.at(step));
        steps.end();
        let report = applied?;
        let mut text = said!(
            "{} Sealed: without a key, nobody can read what {} has. {}\n",
            cli.style.learned("✓"),
            report.url,
            join(cli, &report.url)
        );
        if let Some(old) = &report.old {
            text.push(said!(
                "What was pushed to {} before stays readable there until that repository is \
                 deleted; the laptops that sync there follow with `{}`.\n",
                old,
                follow(cli, &report.url)
            ));
        }
        Ok(reported(text, report, |report| &report.sync))
    }
}

/// With whether a note is left in the old repository.
fn agreed(cli: &Cli<'_>, plan: &on::Plan, note: Note) -> Result<Note, Failure> {
    if !cli.asks {
        return Err(Failure::new(
            Exit::Declined,
            said!("{} would become the remote, but there is no terminal to ask on", plan.shown),
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
    let asks = plan.old.is_some() && note == Note::None;
    let leaves =
        asks && prompt::confirm("Leave a note there, so that other laptops stop and join")?;
    prompt::agree("Proceed")?;
    Ok(if leaves { Note::Leave } else { note })
}
