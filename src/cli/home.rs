//! `co` alone: where things stand, and what comes next.

use super::{
    output::Output,
    style::{Style, plural, safe},
    verb::{Cli, Verb},
};
use crate::ops::{Failure, status};
use clap::Args;

/// `co`
#[derive(Args, Debug)]
pub struct Home {}

impl Verb for Home {
    fn name(&self) -> &'static str {
        "status"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = status::run(cli.context)?;
        Ok(Output::data(home(&report, cli.style), report))
    }
}

fn home(report: &status::Report, style: Style) -> String {
    if !report.exists {
        return "No identity on this laptop yet.\n  co init       create one (a minute, everything \
                can be taken back)\n  co init URL   you have one: bring it here\n"
            .to_owned();
    }
    let name = report.name.as_ref().map_or_else(|| "Your identity".to_owned(), |name| safe(name));
    let counts = report.counts;
    let head = format!(
        "{} · {} · {}",
        style.strong(&name),
        plural(counts.memories, "memory", "memories"),
        standing(report)
    );
    let next = "next  co learn \"…\"   co recall \"…\"   co sync   (`co --help` has all)";
    format!("{head}\n{}\n", style.dim(next))
}

/// The state of the identity compared with its remote.
fn standing(report: &status::Report) -> String {
    let Some(git) = &report.git else { return "in no repository: `co init`".to_owned() };
    let behind = match git.held_back.len() {
        0 => String::new(),
        held => format!(" · {} behind: `co check`", plural(held, "file stays", "files stay")),
    };
    format!("{}{behind}", of_remote(git))
}

fn of_remote(git: &status::Git) -> String {
    if let Some(problem) = &git.problem {
        return safe(problem);
    }
    let commit = plural(git.uncommitted.len(), "file", "files");
    match (&git.remote, git.uncommitted.is_empty(), git.unpublished) {
        (None, true, _) => "no remote: `co identity remote URL`".to_owned(),
        (None, false, _) => format!("{commit} to commit, no remote: `co identity remote URL`"),
        (Some(remote), true, 0) => format!("in sync with {}", safe(remote)),
        (Some(remote), ..) => format!("not yet in sync with {}: `co sync`", safe(remote)),
    }
}
