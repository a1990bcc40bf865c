//! `co hook …`: what git and agents call, and how to make git call it.
//!
//! Invariant: a hook never exits with 2, which agents interpret as "block".

mod install;

use super::{
    failure::{Exit, Failure},
    identity::check::checked,
    output::{Ending, Output},
    style::{ListLength, Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::agent::session;
use crate::machine::files;
use crate::upkeep::git_hook;
use crate::workspace::Workspace;
use clap::Subcommand;
use install::{Install, Uninstall};
use serde_json::json;
use std::path::PathBuf;

/// Limit for a hook's standard input in bytes; git writes one line per rewritten commit.
const MAX_INPUT: u64 = 16 * 1024 * 1024;

/// `co hook`
#[derive(Subcommand, Debug)]
pub enum Hook {
    /// Let plain git merge facts as sync does (merge driver), and check before each commit (hooks)
    #[command(after_help = install::HELP)]
    Install(Install),
    /// Remove the merge driver and the hooks
    Uninstall(Uninstall),
    #[command(flatten)]
    Called(Called),
}

/// What git and agents call; nobody types these.
#[derive(Subcommand, Debug)]
pub enum Called {
    /// Check what is about to be committed (exit 1 stops the commit)
    #[command(hide = true)]
    PreCommit {
        /// What hook managers append; not used
        #[arg(hide = true)]
        files: Vec<String>,
    },
    /// Tidy up the identity after a plain git merge
    #[command(hide = true)]
    PostMerge {
        /// What git appends; not used
        #[arg(hide = true)]
        squash: Option<String>,
    },
    /// Tidy up the identity after a plain git rebase
    #[command(hide = true)]
    PostRewrite {
        /// What git appends; not used
        #[arg(hide = true)]
        what: Option<String>,
    },
    /// Print what an agent should know, at most 10,000 characters
    #[command(hide = true)]
    SessionStart {
        /// The agent that asks: each needs a different format
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
    },
    /// Sync when an agent's session ends: within a time limit, silent when all is well
    #[command(hide = true)]
    SessionEnd {
        /// The agent that asks: it may tell on standard input in which folder it works
        #[arg(long, hide = true)]
        agent: Option<String>,
    },
    /// Note which tool an agent called, from its hook's JSON: only the name, only on this laptop
    #[command(name = "tool-called", hide = true)]
    Tool {
        /// The agent that asks; not used
        #[arg(long, hide = true)]
        agent: Option<String>,
    },
    /// Answer git's request for the login of a remote, from sync.username and sync.password in
    /// settings.json
    #[command(hide = true)]
    Credential {
        /// What git wants: get, store or erase
        action: String,
    },
    /// Merge one file for git (%O %A %B %L %P)
    #[command(hide = true)]
    MergeDriver {
        /// %O
        base: PathBuf,
        /// %A
        ours: PathBuf,
        /// %B
        theirs: PathBuf,
        /// %L
        marker: usize,
        /// %P
        path: String,
    },
}

impl Verb for Hook {
    fn name(&self) -> &'static str {
        match self {
            Hook::Install(verb) => verb.name(),
            Hook::Uninstall(verb) => verb.name(),
            Hook::Called(_) => "hook",
        }
    }

    fn needs(&self) -> Needs {
        match self {
            // A session starts with whatever is available, like `co context`.
            Hook::Called(Called::SessionStart { .. } | Called::Tool { .. }) => Needs::Defaults,
            Hook::Called(Called::SessionEnd { .. }) => Needs::SYNC,
            _ => Needs::PLACE,
        }
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        match self {
            Hook::Install(verb) => verb.run(cli),
            Hook::Uninstall(verb) => verb.run(cli),
            Hook::Called(hook) => answer(cli.ws, hook, cli.style).map_err(never_two),
        }
    }
}

fn answer(ws: &Workspace, hook: Called, style: Style) -> Result<Output, Failure> {
    match hook {
        Called::PreCommit { .. } => {
            let report = git_hook::pre_commit(ws)?;
            let failure: Option<Failure> = (!report.passed).then(|| {
                Failure::new(
                    Exit::Found,
                    "the commit was stopped: staged files of the identity have problems",
                )
                .hint(
                    "fix them and `git add` them; `co check --fix` fixes what it can; `git commit \
                     --no-verify` commits anyway",
                )
            });
            let text = if report.findings.is_empty() {
                Said::new()
            } else {
                checked(&report, ListLength::First, style)
            };
            Ok(Output { ending: Ending::from(failure), ..Output::unbroken(text, report) })
        }
        Called::PostMerge { .. } => Ok(ordered(&git_hook::post_merge(ws)?)),
        Called::PostRewrite { what } if what.as_deref() == Some("amend") => Ok(ordered(&[])),
        Called::PostRewrite { .. } => {
            let rewritten = String::from_utf8_lossy(&files::read_stdin(MAX_INPUT)?).into_owned();
            Ok(ordered(&git_hook::post_rewrite(ws, &rewritten)?))
        }
        Called::SessionStart { agent } => {
            let agent = agent.as_deref();
            let input = if agent.is_some() { session::told() } else { Vec::new() };
            let started = session::start(ws, agent, &input)?;
            let data = json!({ "text": started.text });
            Ok(Output::unbroken(started.answer, data).warned(started.warnings))
        }
        Called::SessionEnd { agent } => {
            let input = if agent.is_some() { session::told() } else { Vec::new() };
            let warnings = session::end(ws, &input);
            Ok(Output { warnings, ..Output::unbroken(Said::new(), json!({})) })
        }
        Called::Tool { .. } => {
            let input = files::read_stdin(MAX_INPUT).unwrap_or_default();
            let there = session::elsewhere(ws, &input)?;
            git_hook::tool_called(there.as_ref().unwrap_or(ws), &input);
            Ok(Output::unbroken(Said::new(), json!({})))
        }
        Called::Credential { action } => {
            let text = if action == "get" {
                git_hook::credential(ws, &String::from_utf8_lossy(&files::read_stdin(MAX_INPUT)?))?
            } else {
                String::new()
            };
            Ok(Output::exact(text, json!({})))
        }
        Called::MergeDriver { base, ours, theirs, marker, path } => {
            let versions = git_hook::Versions { base, ours, theirs, marker, path };
            let warnings = git_hook::merge_driver(ws, &versions)?;
            Ok(Output { warnings, ..Output::unbroken(Said::new(), json!({})) })
        }
    }
}

fn ordered(paths: &[String]) -> Output {
    let text = match paths.len() {
        0 => Said::new(),
        count => said!(
            "co: tidied up {} after the merge: {}\nThe next `co sync` commits it.\n",
            plural(count, "file", "files"),
            (paths.iter().take(5).cloned().collect::<Vec<_>>().join(", ")
                + if count > 5 { ", …" } else { "" })
        ),
    };
    Output::unbroken(text, json!({ "files": paths }))
}

fn never_two(failure: Failure) -> Failure {
    if failure.exit == Exit::Usage { Failure { exit: Exit::Other, ..failure } } else { failure }
}
