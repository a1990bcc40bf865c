//! `co status`: arguments and output. The verb is `upkeep::status`.

use super::{
    ago::since,
    failure::Failure,
    home::{agent, by_itself, unchecked},
    output::Output,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::machine::{Context, context::IdentitySource};
use crate::sync;
use crate::upkeep::status;
use clap::Args;

/// `co status`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    co status          for a person\n  \
    co status --json   for a script")]
pub struct Status {}

impl Verb for Status {
    fn name(&self) -> &'static str {
        "status"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = status::run(cli.ws)?;
        Ok(Output::data(screen(&report, cli.ws, cli.style), report))
    }
}

fn screen(report: &status::Report, context: &Context, style: Style) -> Said {
    let source = match report.source {
        IdentitySource::Flag => " (--identity)",
        IdentitySource::Environment => " (CO_IDENTITY_PATH)",
        IdentitySource::Settings => " (settings.json)",
        // Which one, the row of the layer says.
        IdentitySource::Default | IdentitySource::Layer => "",
    };
    let mut rows = vec![("identity", said!("{}{}", context.shown(&report.identity), source))];
    if let Some(layer) = report.layer {
        rows.push(("", said!("the layer {}, not your own identity", layer)));
    }
    if let Some(resolved) = &report.resolved {
        rows.push(("", said!("→ {}", context.shown(resolved))));
    }
    if !report.exists {
        rows.push(("", Said::from("does not exist yet: `co init`")));
    } else {
        if let Some(name) = &report.name {
            rows.push(("name", said!("{}", name)));
        }
        content_rows(report, &mut rows);
        git_rows(report, context, &mut rows);
        let timer = report.timer.as_ref();
        rows.extend(timer.map(|timer| ("by itself", by_itself(timer, context))));
    }
    match report.missing_secrets.as_slice() {
        [] => {}
        names => rows.push((
            "secrets",
            said!("{} missing here: {}; `co secret status`", names.len(), names.join(", ")),
        )),
    }
    let agents: Vec<Said> = report.agents.iter().map(agent).collect();
    match agents.is_empty() {
        true if report.exists => {
            rows.push(("agents", Said::from("none connected; `co agent install --all`")));
        }
        true => {}
        false => agents.iter().enumerate().for_each(|(at, agent)| {
            rows.push((if at == 0 { "agents" } else { "" }, agent.clone()));
        }),
    }
    layer_rows(report, &mut rows);
    if let Some(project) = &report.project {
        rows.push(("project", context.shown(project).into()));
    }
    rows.iter()
        .map(|(name, value)| said!("{}  {}\n", style.dim(said!("{:>10}", name)), value))
        .collect()
}

fn content_rows(report: &status::Report, rows: &mut Vec<(&'static str, Said)>) {
    let c = report.counts;
    rows.push((
        "contains",
        said!(
            "{}, {}, {}",
            plural(c.memories, "fact", "facts"),
            plural(c.traits, "trait", "traits"),
            plural(c.documents, "document", "documents")
        ),
    ));
    if report.not_held > 0 {
        let more = plural(report.not_held, "more fact does", "more facts do");
        rows.push(("", said!("{} not hold now: `co list --all`", more)));
    }
    rows.extend(unchecked(report).map(|line| ("", line)));
    if report.unreadable > 0 {
        let files = plural(report.unreadable, "file of a fact", "files of facts");
        rows.push(("", said!("{} cannot be read: `co check` says why", files)));
    }
}

fn layer_rows(report: &status::Report, rows: &mut Vec<(&'static str, Said)>) {
    let beside = report.layers.iter().filter(|layer| !layer.instead);
    for (at, layer) in beside.enumerate() {
        let facts = plural(layer.counts.memories, "fact", "facts");
        let access = if layer.write { "writable" } else { "read-only" };
        let row = said!("{}: {}, {}", layer.name, facts, access);
        rows.push((if at == 0 { "layers" } else { "" }, row));
    }
}

fn no_repository(report: &status::Report) -> Said {
    match &report.cloud {
        Some(service) => said!(
            "no repository: {} syncs this folder, and would damage one; `co identity move DIR` \
             moves it elsewhere",
            service
        ),
        None => Said::from("no repository; `co init` creates one"),
    }
}

fn remote_rows(git: &status::Git, rows: &mut Vec<(&'static str, Said)>) {
    let remote = match (&git.remote, &git.url) {
        (Some(remote), Some(url)) if git.sealed => said!("{} ({}, sealed)", remote, url),
        (Some(remote), Some(url)) => said!("{} ({})", remote, url),
        _ => Said::from("none; `co identity remote URL` sets one"),
    };
    rows.push(("remote", said!("{}", remote)));
    if !git.plain_remotes.is_empty() {
        let names = git.plain_remotes.join(", ");
        rows.push(("", said!("not sealed: {}; what git pushes there can be read", names)));
    }
    // What is named below it is neither.
    let is_all = git.ignored.is_empty() && git.held_back.is_empty();
    let all = if is_all { "everything" } else { "everything else" };
    let todo = match (git.uncommitted.len(), git.unpublished) {
        (0, 0) if git.remote.is_none() => said!("{} is committed, nothing pushed", all),
        (0, 0) => said!("{} is committed and pushed", all),
        (files, _) if git.remote.is_none() => {
            said!("{} to commit: `co sync`", plural(files, "file", "files"))
        }
        (files, commits) => {
            said!(
                "{} to commit, {} to push: `co sync`",
                plural(files, "file", "files"),
                plural(commits, "commit", "commits")
            )
        }
    };
    let met = git.last_sync_ago.map_or_else(Said::new, |ago| said!("; last {}", since(ago)));
    rows.push(("sync", said!("{}{}", todo, met)));
}

fn git_rows(report: &status::Report, context: &Context, rows: &mut Vec<(&'static str, Said)>) {
    let Some(git) = &report.git else {
        rows.push(("git", no_repository(report)));
        return;
    };
    let place = git.prefix.as_ref().map_or_else(
        || Said::from("own repository"),
        |prefix| said!("{} in {}", prefix, context.shown(&git.root)),
    );
    let branch = git.branch.as_ref().map_or_else(Said::new, |branch| said!(", branch {}", branch));
    rows.push(("git", said!("{}{}", place, branch)));
    if let Some(problem) = &git.problem {
        rows.push(("", said!("{}", problem)));
    }
    if let Some(nested) = &git.nested {
        rows.push(("", said!("{}", nested)));
    }
    // Without a branch, it is not known which remote it has.
    if git.problem.is_none() {
        remote_rows(git, rows);
    }
    if let Some(gone) = &git.facts_gone {
        rows.push(("", said!("{}; {}", gone.described(), gone.hint())));
    }
    if !git.merges_to_review.is_empty() {
        rows.push(("look at", said!("{}", git.merges_to_review.join(", "))));
    }
    rows.extend(sync::some_that_stay(&git.ignored).iter().map(|line| ("", said!("{}", line))));
    if !git.held_back.is_empty() {
        let files = plural(git.held_back.len(), "file", "files");
        rows.push(("", said!("{} held back: `co check` says why", files)));
    }
}
