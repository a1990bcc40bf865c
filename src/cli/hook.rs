//! `co hook …`: what git and agents call.
//!
//! Invariant: a hook never ends with 2, which agents read as "block".

use super::{
    identity::check::checked,
    output::{Ending, Output},
    style::{Style, plural, safe},
    verb::{Cli, Verb},
};
use crate::ops::{Exit, Failure, hook};
use crate::system::{Context, files};
use clap::Subcommand;
use serde_json::json;
use std::path::PathBuf;

/// Limit for a hook's standard input in bytes; git writes one line per rewritten commit.
const MOST_INPUT: u64 = 16 * 1024 * 1024;

/// `co hook`
#[derive(Subcommand, Debug)]
pub enum Hook {
    /// Check what is about to be committed (exit 1 stops the commit)
    PreCommit {
        /// What hook managers append; not used
        #[arg(hide = true)]
        files: Vec<String>,
    },
    /// Put the identity in order after plain git merged
    PostMerge {
        /// What git appends; not used
        #[arg(hide = true)]
        squash: Option<String>,
    },
    /// Put the identity in order after plain git rebased
    PostRewrite {
        /// What git appends; not used
        #[arg(hide = true)]
        what: Option<String>,
    },
    /// Print what an agent should know, at most 10,000 characters
    SessionStart,
    /// Answer git's question for the login of a remote, from sync.username and sync.password in
    /// settings.json
    Credential {
        /// What git wants: get, store or erase
        action: String,
    },
    /// Merge one file for git (%O %A %B %L %P)
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
        "hook"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        run(cli.context, self, cli.style).map_err(never_two)
    }
}

fn run(context: &Context, hook: Hook, style: Style) -> Result<Output, Failure> {
    match hook {
        Hook::PreCommit { .. } => {
            let report = hook::pre_commit(context)?;
            let failure: Option<Failure> = (!report.passed).then(|| {
                Failure::new(
                    Exit::Found,
                    "the commit was stopped: staged files of the identity \
                    are not in order",
                )
                .hint(
                    "mend them and `git add` them; `co identity check --fix` mends what it \
                        can; `git commit --no-verify` commits all the same",
                )
            });
            let text =
                if report.findings.is_empty() { String::new() } else { checked(&report, style) };
            Ok(Output { ending: Ending::from(failure), ..Output::data(text, report) })
        }
        Hook::PostMerge { .. } => Ok(ordered(&hook::post_merge(context)?)),
        Hook::PostRewrite { what } if what.as_deref() == Some("amend") => Ok(ordered(&[])),
        Hook::PostRewrite { .. } => {
            let rewritten = String::from_utf8_lossy(&files::read_stdin(MOST_INPUT)?).into_owned();
            Ok(ordered(&hook::post_rewrite(context, &rewritten)?))
        }
        Hook::SessionStart => {
            let (text, warnings) = hook::session_start(context)?;
            let data = json!({ "text": text });
            Ok(Output { warnings, ..Output::data(text, data) })
        }
        Hook::Credential { action } => {
            let text = if action == "get" {
                hook::credential(
                    context,
                    &String::from_utf8_lossy(&files::read_stdin(MOST_INPUT)?),
                )?
            } else {
                String::new()
            };
            Ok(Output::data(text, json!({})))
        }
        Hook::MergeDriver { base, ours, theirs, marker, path } => {
            hook::merge_driver(context, &hook::Versions { base, ours, theirs, marker, path })?;
            Ok(Output::data(String::new(), json!({})))
        }
    }
}

fn ordered(paths: &[String]) -> Output {
    let text = match paths.len() {
        0 => String::new(),
        count => format!(
            "co: put {} in order after the merge: {}\nThe next `co identity sync` commits it.\n",
            plural(count, "file", "files"),
            safe(
                &(paths.iter().take(5).cloned().collect::<Vec<_>>().join(", ")
                    + if count > 5 { ", …" } else { "" })
            )
        ),
    };
    Output::data(text, json!({ "files": paths }))
}

fn never_two(failure: Failure) -> Failure {
    if failure.exit == Exit::Usage { Failure { exit: Exit::Other, ..failure } } else { failure }
}
