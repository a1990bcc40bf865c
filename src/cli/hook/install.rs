//! `co hook install` and `uninstall`: arguments and output. The verb is `integrations::git_hooks`.

use crate::cli::{
    failure::Failure,
    output::Output,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::git_hooks::{self, HookSetup};
use clap::Args;

pub(super) const HELP: &str = "\
    Writes to the identity's repository: `merge.co-identity` in its \
    configuration, and lines between markers in pre-commit, post-merge and post-rewrite. Existing \
    hooks stay and run as before; core.hooksPath is honoured; a hook that is not a shell script \
    is left alone and reported. `co hook uninstall` restores everything byte for byte.\n\
    \n\
    With other hook managers:\n  \
    pre-commit, prek   - repo: https://…/co    hooks: [{id: co-identity}]\n  \
    husky              echo 'co hook pre-commit' >> .husky/pre-commit\n  \
    lefthook           pre-commit: {commands: {co: {run: co hook pre-commit}}}";

/// `co hook install`
#[derive(Args, Debug)]
pub struct Install {
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
}

/// `co hook uninstall`
#[derive(Args, Debug)]
pub struct Uninstall {
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
}

impl Verb for Install {
    fn name(&self) -> &'static str {
        "hook install"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        set_up(cli, HookSetup::Install, self.dry_run)
    }
}

impl Verb for Uninstall {
    fn name(&self) -> &'static str {
        "hook uninstall"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        set_up(cli, HookSetup::Uninstall, self.dry_run)
    }
}

fn set_up(cli: &Cli<'_>, setup: HookSetup, dry_run: bool) -> Result<Output, Failure> {
    // The attributes would be a change of a layer that is only read here.
    if setup == HookSetup::Install {
        cli.ws.refuse_read_only(cli.ws.identity()?)?;
    }
    let plan = git_hooks::plan(cli.ws, setup)?;
    let mut text: Said = plan
        .changes
        .iter()
        .map(|change| {
            said!(
                "  {}  {}\n",
                cli.style.dim(said!("{:<11}", change.what)),
                cli.ws.shown(&change.file)
            )
        })
        .collect();
    if let Some(driver) = &plan.driver {
        text.push(said!(
            "  {}  merge.co-identity.driver = {}\n",
            cli.style.dim(said!("{:<11}", "git config")),
            driver
        ));
    }
    if !dry_run {
        git_hooks::apply(cli.ws, &plan)?;
        let done = match setup {
            HookSetup::Install if plan.left_alone.is_empty() => {
                "plain git now merges facts as sync does, and checks before each commit. Undo: \
                 `co hook uninstall`."
            }
            HookSetup::Install => {
                "plain git now merges facts as sync does; hooks that were left alone run no \
                 check. Undo: `co hook uninstall`."
            }
            HookSetup::Uninstall => "Removed everything that co had installed in the repository.",
        };
        text.push(said!("{} {}\n", cli.style.learned("✓"), done));
    }
    let warnings = plan.left_alone.clone();
    Ok(Output { warnings, ..Output::data(text, plan) })
}
