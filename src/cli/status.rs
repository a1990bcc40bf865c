//! `co status`

use super::{
    home::{agent, since},
    output::Output,
    style::{Style, plural, safe},
    verb::{Cli, Needs, Verb},
};
use crate::ops::{Failure, status};
use crate::system::{Context, context::Source};
use clap::Args;

/// `co status`
#[derive(Args, Debug)]
pub struct Status {}

impl Verb for Status {
    fn name(&self) -> &'static str {
        "status"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = status::run(cli.context)?;
        Ok(Output::data(screen(&report, cli.context, cli.style), report))
    }
}

fn screen(report: &status::Report, context: &Context, style: Style) -> String {
    let source = match report.source {
        Source::Flag => " (--identity)",
        Source::Environment => " (CO_IDENTITY_PATH)",
        Source::Settings => " (settings.json)",
        Source::Default => "",
    };
    let mut rows = vec![("identity", format!("{}{source}", context.shown(&report.identity)))];
    if let Some(resolved) = &report.resolved {
        rows.push(("", format!("→ {}", context.shown(resolved))));
    }
    if !report.exists {
        rows.push(("", "not there yet: `co init`".to_owned()));
    } else {
        if let Some(name) = &report.name {
            rows.push(("name", safe(name)));
        }
        let c = report.counts;
        rows.push((
            "holds",
            format!(
                "{}, {}, {}",
                plural(c.memories, "memory", "memories"),
                plural(c.traits, "trait", "traits"),
                plural(c.documents, "document", "documents")
            ),
        ));
        git_rows(report, context, &mut rows);
    }
    match report.missing_secrets.as_slice() {
        [] => {}
        names => rows.push((
            "secrets",
            safe(&format!(
                "{} missing here: {}; `co secret status`",
                names.len(),
                names.join(", ")
            )),
        )),
    }
    let agents: Vec<String> = report.agents.iter().map(agent).collect();
    match agents.is_empty() {
        true if report.exists => {
            rows.push(("agents", "none connected; `co agent install --all`".to_owned()));
        }
        true => {}
        false => agents.iter().enumerate().for_each(|(at, agent)| {
            rows.push((if at == 0 { "agents" } else { "" }, safe(agent)));
        }),
    }
    if let Some(project) = &report.project {
        rows.push(("project", context.shown(project)));
    }
    rows.iter()
        .map(|(name, value)| format!("{}  {}\n", style.dim(&format!("{name:>10}")), value))
        .collect()
}

fn no_repository(report: &status::Report) -> String {
    match &report.cloud {
        Some(service) => format!(
            "no repository: {service} syncs this folder, and would damage one; `co identity move` \
             takes it elsewhere"
        ),
        None => "no repository; `co init` makes one".to_owned(),
    }
}

fn git_rows(report: &status::Report, context: &Context, rows: &mut Vec<(&'static str, String)>) {
    let Some(git) = &report.git else {
        rows.push(("git", no_repository(report)));
        return;
    };
    let place = git.prefix.as_ref().map_or_else(
        || "own repository".to_owned(),
        |prefix| format!("{prefix} in {}", context.shown(&git.root)),
    );
    let branch =
        git.branch.as_ref().map_or_else(String::new, |branch| format!(", branch {branch}"));
    rows.push(("git", safe(&format!("{place}{branch}"))));
    if let Some(problem) = &git.problem {
        rows.push(("", safe(problem)));
    }
    let remote = match (&git.remote, &git.url) {
        (Some(remote), Some(url)) => format!("{remote} ({url})"),
        _ => "none; `co identity remote URL` names one".to_owned(),
    };
    rows.push(("remote", safe(&remote)));
    let todo = match (git.uncommitted.len(), git.unpublished) {
        (0, 0) if git.remote.is_none() => "everything is committed, nothing published".to_owned(),
        (0, 0) => "everything is committed and published".to_owned(),
        (files, _) if git.remote.is_none() => {
            format!("{} to commit: `co sync`", plural(files, "file", "files"))
        }
        (files, commits) => {
            format!(
                "{} to commit, {} to push: `co sync`",
                plural(files, "file", "files"),
                plural(commits, "commit", "commits")
            )
        }
    };
    let met = git.last_sync_ago.map_or_else(String::new, |ago| format!("; last {}", since(ago)));
    rows.push(("sync", format!("{todo}{met}")));
    if let Some(gone) = &git.facts_gone {
        rows.push(("", format!("{}; {}", gone.described(), gone.hint())));
    }
    if !git.look.is_empty() {
        rows.push(("look at", safe(&git.look.join(", "))));
    }
    if !git.held_back.is_empty() {
        let files = plural(git.held_back.len(), "file stays", "files stay");
        rows.push(("", format!("{files} behind: `co check` says why")));
    }
}
