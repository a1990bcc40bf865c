//! `co identity move`: arguments and output. The verb is `transfer::relocate`.

use crate::cli::{
    failure::Failure,
    init::publishing,
    output::Output,
    progress::Steps,
    prompt,
    style::plural,
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::git::IgnoredAround;
use crate::transfer::relocate::{self, MoveMethod, Plan};
use clap::Args;
use std::path::Path;

pub(in crate::cli) const HELP: &str = "\
    The folder moves with everything in it, its own repository and remote included; `co undo` \
    moves it back.\n\
    If the new folder is in a larger repository (dotfiles), only the identity's files are copied, \
    because one repository should not contain another. They get a commit of their own there, and \
    the old folder is kept, with its history. To go back, move that folder back into place and remove identity_path \
    from settings.json.";

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
        let plan = relocate::plan(cli.ws, &self.dir)?;
        let text = told(cli, &plan);
        if self.dry_run {
            return Ok(Output::done(text, plan));
        }
        if !self.yes {
            prompt::agree_to(cli, &text, "Proceed", prompt::UNASKED_MOVE)?;
        }
        let steps = Steps::new(cli);
        let applied = relocate::apply(cli.ws, &plan, &|step| steps.at(step));
        steps.end();
        let relocate::Applied { synced, warnings: mut left } = applied?;
        let done = said!(
            "{} Your identity is now in {}. {}{}",
            cli.style.learned("✓"),
            cli.ws.shown(&plan.to),
            what_next(cli, &plan),
            not_carried(cli, &plan)
        );
        // The move is done; problems of the first sync there are reported with it.
        let (ending, warnings) = match synced {
            None => (None, Vec::new()),
            Some(Ok(report)) => (report.stayed_behind(), report.warnings),
            Some(Err(failure)) => (Some(failure), Vec::new()),
        };
        left.extend(warnings);
        Ok(Output { ending: ending.into(), warnings: left, ..Output::done(done, plan) })
    }
}

/// What would be done.
fn told(cli: &Cli<'_>, plan: &Plan) -> Said {
    let shown = |path: &Path| cli.ws.shown(path);
    let (from, to) = (shown(&plan.from), shown(&plan.to));
    let files = plural(plan.files, "file", "files");
    let mut text = match &plan.method {
        MoveMethod::Whole { repository: true, .. } => {
            said!("  move    {} → {} ({}, with its repository and history)\n", from, to, files)
        }
        MoveMethod::Whole { .. } => said!("  move    {} → {} ({})\n", from, to, files),
        MoveMethod::Copy { .. } => said!("  copy    {} → {}\n", files, to),
    };
    match (&plan.inside, &plan.ignored_by, &plan.method) {
        (Some(root), ..) => {
            let pushed = publishing(&plan.pushes_to);
            text.push(said!("  git     committed separately in {}{}\n", shown(root), pushed));
        }
        (None, Some(around), MoveMethod::Whole { repository: true, .. }) => text.push(said!(
            "  git     stays a repository of its own: {} ignores that folder\n",
            shown(&around.root)
        )),
        (None, Some(around), _) => text
            .push(said!("  git     not committed: {} ignores that folder\n", shown(&around.root))),
        (None, None, MoveMethod::Whole { repository: true, .. }) => {
            if let Some(upstream) = &plan.pushes_to {
                text.push(said!("  remote  still {}\n", upstream.url));
            }
        }
        (None, None, _) => text.push(said!("  git     no repository there\n")),
    }
    match &plan.method {
        MoveMethod::Whole { moved, .. } => {
            if let Some(link) = &moved.link {
                text.push(said!("  link    {} will point there\n", shown(link)));
            }
        }
        MoveMethod::Copy { aside, leaves, within, stays } => {
            if let Some(url) = leaves {
                text.push(said!("  remote  {} stays with the old folder\n", url));
            }
            text.push(said!("  keep    the old folder: {}\n", shown(aside)));
            text.push(left_behind(stays));
            if let Some(root) = within {
                text.push(said!("  leave   {}\n", left_to_commit(&shown(root), &shown(aside))));
            }
        }
    }
    text
}

/// co commits nothing in a repository that the identity leaves.
fn left_to_commit(root: &str, aside: &str) -> Said {
    said!(
        "{} still has the old files: remove them there yourself; `git add -A` would commit {}, so \
         move that out of {} first",
        root,
        aside,
        root
    )
}

/// How many names to list.
const NAMED: usize = 5;

/// What a copy does not take along.
fn left_behind(stays: &[String]) -> Said {
    let names: Vec<String> = stays
        .iter()
        .take(NAMED)
        .map(|name| if name == ".git" { ".git with its history".to_owned() } else { name.clone() })
        .collect();
    let more = match stays.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if names.is_empty() {
        Said::new()
    } else {
        said!("          not copied: {}{}\n", names.join(", "), more)
    }
}

/// That the repository around the new folder does not have the identity's files, and why.
fn not_carried(cli: &Cli<'_>, plan: &Plan) -> Said {
    let Some(IgnoredAround { root, rule, .. }) = &plan.ignored_by else { return Said::new() };
    let so = if matches!(plan.method, MoveMethod::Whole { repository: true, .. }) {
        "it keeps a repository of its own"
    } else {
        "nothing is committed there"
    };
    let (root, file) = (cli.ws.shown(root), cli.ws.shown(&rule.file));
    said!("{} ignores it ({}:{}), so {}.\n", root, file, rule.line, so)
}

fn what_next(cli: &Cli<'_>, plan: &Plan) -> Said {
    match (&plan.method, &plan.inside) {
        (MoveMethod::Whole { repository: true, .. }, _) => Said::from("`co undo` moves it back.\n"),
        (MoveMethod::Whole { .. }, _) => Said::from(
            "`co undo` moves it back.\nNext: `co init` turns it into a git repository.\n",
        ),
        (MoveMethod::Copy { aside, leaves, within, .. }, inside) => {
            let again = match (inside, leaves) {
                (None, _) => "Next: `co init` turns it into a git repository.\n",
                (Some(_), Some(_)) => {
                    "The other laptops still sync with the old remote: run `co identity move DIR` \
                     there, too.\n"
                }
                (Some(_), None) => "",
            };
            let aside = cli.ws.shown(aside);
            let within = within.as_ref().map_or_else(Said::new, |root| {
                said!("{}.\n", left_to_commit(&cli.ws.shown(root), &aside))
            });
            said!("The old folder was kept: {}\n", aside) + &within + again
        }
    }
}
