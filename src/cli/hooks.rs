//! `co hook …` and its installation: what git and agents call, and how they come to call it.

use super::{
    args::Hook,
    dispatch::Outcome,
    look::{Look, safe},
    render,
};
use crate::ops::{Exit, Failure, hook, install};
use crate::system::{Machine, files};
use serde_json::json;

/// The most that git writes to a hook's standard input, in bytes: a line per rewritten commit.
const MOST_INPUT: u64 = 16 * 1024 * 1024;

/// Runs a hook.
pub fn run(machine: &Machine, hook: Hook, look: Look) -> Result<Outcome, Failure> {
    match hook {
        Hook::PreCommit { .. } => {
            let report = hook::pre_commit(machine)?;
            let failure = (!report.passed).then(|| {
                Failure::new(Exit::Found, "the commit was stopped: staged files of the identity are not in order")
                    .hint("mend them and `git add` them; `co identity check --fix` mends what it can; `git commit --no-verify` commits all the same")
            });
            let text = if report.findings.is_empty() { String::new() } else { render::checked(&report, look) };
            Ok(Outcome { failure, ..Outcome::data(text, report) })
        }
        Hook::PostMerge { .. } => Ok(ordered(&hook::post_merge(machine)?)),
        Hook::PostRewrite { what } if what.as_deref() == Some("amend") => Ok(ordered(&[])),
        Hook::PostRewrite { .. } => {
            let rewritten = String::from_utf8_lossy(&files::read_stdin(MOST_INPUT)?).into_owned();
            Ok(ordered(&hook::post_rewrite(machine, &rewritten)?))
        }
        Hook::SessionStart => {
            let text = hook::session_start(machine)?;
            Ok(Outcome::data(text.clone(), json!({ "text": text })))
        }
        Hook::Credential { action } => {
            let text =
                if action == "get" { hook::credential(machine, &String::from_utf8_lossy(&files::read_stdin(MOST_INPUT)?))? } else { String::new() };
            Ok(Outcome::data(text, json!({})))
        }
        Hook::MergeDriver { base, ours, theirs, marker, path } => {
            hook::merge_driver(machine, &hook::Versions { base, ours, theirs, marker, path })?;
            Ok(Outcome::data(String::new(), json!({})))
        }
    }
}

fn ordered(paths: &[String]) -> Outcome {
    let text = match paths.len() {
        0 => String::new(),
        count => format!(
            "co: put {} in order after the merge: {}\nThe next `co identity sync` commits it.\n",
            render::plural(count, "file", "files"),
            safe(&(paths.iter().take(5).cloned().collect::<Vec<_>>().join(", ") + if count > 5 { ", …" } else { "" }))
        ),
    };
    Outcome::data(text, json!({ "files": paths }))
}

/// Agents read 2 as "block".
pub fn never_two(failure: Failure) -> Failure {
    if failure.exit == Exit::Usage { Failure { exit: Exit::Other, ..failure } } else { failure }
}

/// `identity install` and `uninstall`
pub fn install(machine: &Machine, way: install::Way, dry_run: bool, look: Look) -> Result<Outcome, Failure> {
    let plan = install::plan(machine, way)?;
    let mut text: String = plan
        .changes
        .iter()
        .map(|change| format!("  {}  {}\n", look.dim(&format!("{:<11}", change.what)), safe(&machine.shown(&change.file))))
        .collect();
    if let Some(driver) = &plan.driver {
        text.push_str(&format!("  {}  merge.co-identity.driver = {}\n", look.dim(&format!("{:<11}", "git config")), safe(driver)));
    }
    if !dry_run {
        install::apply(machine, &plan)?;
        let done = match way {
            install::Way::In => "plain git now merges facts as sync does, and checks before each commit. Undo: `co identity uninstall`.",
            install::Way::Out => "what co had written there is gone.",
        };
        text.push_str(&format!("{} {done}\n", look.learned("✓")));
    }
    let warnings = plan.left_alone.clone();
    Ok(Outcome { warnings, ..Outcome::data(text, plan) })
}
