//! `co identity move`: arguments and output. The verb is `ops::relocate`.

use crate::cli::failure::{Exit, Failure};
use crate::cli::{
    init::publishing,
    output::{self, Output},
    progress::Steps,
    prompt,
    style::plural,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::ops::relocate;
use clap::Args;

pub(in crate::cli) const HELP: &str = "\
    In a folder of a larger repository (dotfiles), the identity has no `.git` of its own, and is \
    committed there separately.\n\
    Nothing is deleted: the old folder is kept, with its history. To go back, move that folder \
    back into place and remove identity_path from settings.json.";

/// `co identity move`
#[derive(Args, Debug)]
pub struct Move {
    /// A new or empty folder; in a folder with other files, co creates `co-identity`
    dir: String,
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

impl Verb for Move {
    fn name(&self) -> &'static str {
        "identity move"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let plan = relocate::plan(cli.context, &self.dir)?;
        let shown = |path: &std::path::Path| cli.context.shown(path);
        let committed = match &plan.inside {
            Some(root) => {
                let pushed = publishing(&plan.pushes_to);
                said!("  git     committed separately in {}{}\n", shown(root), pushed)
            }
            None => Said::from("  git     no repository there\n"),
        };
        let left = plan
            .leaves
            .as_ref()
            .map_or_else(Said::new, |url| said!("  remote  {} stays with the old folder\n", url));
        let text = said!(
            "  copy    {} → {}\n{}{}  keep    the old folder, with its history: {}\n",
            plural(plan.files, "file", "files"),
            shown(&plan.to),
            committed,
            left,
            shown(&plan.aside)
        );
        if self.dry_run {
            return Ok(Output::done(text, plan));
        }
        if !self.yes {
            if !cli.asks {
                let message = "moving needs confirmation, and there is no terminal to ask on";
                return Err(Failure::new(Exit::Declined, message)
                    .hint("use `--yes` to confirm, `--dry-run` to preview"));
            }
            output::say(&text);
            if !prompt::confirm("Proceed")? {
                return Err(prompt::declined());
            }
        }
        let steps = Steps::new(cli);
        let applied = relocate::apply(cli.context, &plan, &|step| steps.at(step));
        steps.end();
        let synced = applied?;
        let again = match (&plan.inside, &plan.leaves) {
            (None, _) => "Next: `co init` turns it into a git repository.\n",
            (Some(_), Some(_)) => {
                "The other laptops still sync with the old remote: run `co identity move` there, \
                 too.\n"
            }
            (Some(_), None) => "",
        };
        let done = said!(
            "{} Your identity is now in {}. The old folder was kept: {}\n{}",
            cli.style.learned("✓"),
            shown(&plan.to),
            shown(&plan.aside),
            again
        );
        // The move is done; problems of the first sync there are reported with it.
        let (ending, warnings) = match synced {
            None => (None, Vec::new()),
            Some(Ok(report)) => (report.stayed_behind(), report.warnings),
            Some(Err(failure)) => (Some(failure), Vec::new()),
        };
        Ok(Output { ending: ending.into(), warnings, ..Output::done(done, plan) })
    }
}
