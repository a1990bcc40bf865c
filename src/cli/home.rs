//! `co` without a verb: the current state, and what to do next.

use super::{
    ago::since,
    failure::Failure,
    output::Output,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::agents;
use crate::foreign::{Said, said};
use crate::integrations::{
    agent::{
        list::AgentRow,
        writes::{self, Write},
    },
    timer::Standing,
};
use crate::machine::Context;
use crate::sync;
use crate::upkeep::status;
use clap::Args;

/// How many agents are listed.
const SHOWN: usize = 3;

/// `co`
#[derive(Args, Debug)]
pub struct Home {}

impl Verb for Home {
    fn name(&self) -> &'static str {
        "status"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = status::run(cli.ws)?;
        // Each of these writes is shown only once.
        writes::mark_reported(cli.ws, &report.saved);
        Ok(Output::data(home(&report, cli.ws, cli.style), report))
    }
}

fn home(report: &status::Report, context: &Context, style: Style) -> Said {
    if !report.exists {
        return Said::from(
            "No identity on this laptop yet.\n  co init       create one (about a \
             minute; you can undo everything)\n  co init URL   clone yours from its git remote\n",
        );
    }
    let facts = plural(report.counts.memories, "fact", "facts");
    // A sync and an export count these, too.
    let others = match report.not_held {
        0 => Said::new(),
        1 => Said::from(" and 1 that does not hold now"),
        others => said!(" and {} that do not hold now", others),
    };
    let head =
        said!("{} · {}{} · {}", style.strong(whose(report)), facts, others, standing(report));
    let head = match report.to_review {
        0 => head,
        waiting => said!("{} · {} to review: `co review`", head, waiting),
    };
    let git = report.git.as_ref();
    let gone = git.and_then(|git| git.facts_gone.as_ref()).map(sync::Gone::described);
    let look = git.iter().flat_map(|git| &git.merges_to_review).cloned().chain(gone);
    let look = look.collect::<Vec<String>>().join(", ");
    let look = if look.is_empty() { Said::new() } else { said!("look at  {}\n", look) };
    let agents = if report.agents.is_empty() {
        Said::from("agents   none connected: `co agent install --all`\n")
    } else {
        let mut latest: Vec<&AgentRow> = report.agents.iter().collect();
        latest.sort_by_key(|row| row.seen.read_ago.unwrap_or(i64::MAX));
        let shown: Vec<Said> = latest.iter().take(SHOWN).map(|row| agent(row)).collect();
        let more = match latest.len().saturating_sub(SHOWN) {
            0 => Said::new(),
            more => said!("   and {} more", more),
        };
        said!("agents   {}{}\n", Said::joined(shown, "   "), more)
    };
    let saved = saved(&report.saved, style);
    let check = unchecked(report).map_or_else(Said::new, |line| said!("check    {}\n", line));
    let timer = report.timer.as_ref().filter(|timer| timer.is_in_trouble());
    let timer = timer.map(|timer| said!("sync     {}\n", by_itself(timer, context)));
    let next = "next     co learn \"…\"   co recall \"…\"   co sync   (`co --help` lists all)";
    let timer = timer.unwrap_or_default();
    said!("{}\n{}{}{}{}{}{}\n", head, timer, agents, saved, look, check, style.dim(next))
}

/// Whose identity this is: where a layer stands in for the person's own, that goes before any name.
fn whose(report: &status::Report) -> Said {
    match (report.layer, &report.name) {
        (Some(layer), _) => said!("The layer {}, not your own identity", layer),
        (None, Some(name)) => said!("{}", name),
        (None, None) => Said::from("Your identity"),
    }
}

/// How this laptop syncs by itself.
pub(super) fn by_itself(timer: &Standing, context: &Context) -> Said {
    let often = said!("every {} ({})", timer.in_words, timer.system.in_words());
    if let Some(missing) = &timer.missing {
        let again = said!("`co sync --every {}` sets it up again", timer.every);
        return said!("not by itself any more: {} is gone; {}", context.shown(missing), again);
    }
    let last = timer.worked_ago.map(|ago| said!("last worked {}", since(ago)));
    match (last, &timer.why) {
        (None, None) => said!("{}, has not run yet", often),
        (Some(last), None) => said!("{}, {}", often, last),
        (None, Some(why)) => said!("{}, has not worked yet: {}; `co sync` tries now", often, why),
        (Some(last), Some(why)) => {
            said!("{}, {}, not since: {}; `co sync` tries now", often, last, why)
        }
    }
}

/// How many facts should have been checked by now; `None` if none should. The review asks about
/// others as well, which only reading all facts would tell.
pub(super) fn unchecked(report: &status::Report) -> Option<Said> {
    let facts = plural(report.unchecked, "fact is", "facts are");
    let them = if report.unchecked == 1 { "it" } else { "them" };
    let line = || said!("{} unchecked: `co review --stale` asks about {}", facts, them);
    (report.unchecked > 0).then(line)
}

/// Facts that agents saved without asking anyone.
fn saved(writes: &[Write], style: Style) -> Said {
    let line = |write: &Write| {
        let title = agents::title(&write.client);
        said!("saved    {} ({})\n", style.fit(&write.what, 30), title)
    };
    let mut text: Said = writes.iter().take(SHOWN).map(line).collect();
    if writes.len() > SHOWN {
        text.push(said!("         and {} more: `co log`\n", writes.len() - SHOWN));
    }
    text
}

/// An agent, with the time it was last active.
pub(super) fn agent(row: &AgentRow) -> Said {
    let read = match row.seen.read_ago {
        Some(ago) => said!(" read {}", since(ago)),
        None => Said::from(" never read"),
    };
    let wrote = match (row.seen.wrote_today, row.seen.wrote_ago) {
        (0, None) => Said::new(),
        (0, Some(ago)) => said!(", wrote {}", since(ago)),
        (today, _) => said!(", wrote {} today", today),
    };
    said!("{} ✓{}{}", row.title, read, wrote)
}

/// The state of the identity compared with its remote.
fn standing(report: &status::Report) -> Said {
    let Some(git) = &report.git else { return Said::from("not in a repository: `co init`") };
    let behind = match git.held_back.len() {
        0 => Said::new(),
        held => said!(" · {} held back: `co check`", plural(held, "file", "files")),
    };
    said!("{}{}", of_remote(git), behind)
}

fn of_remote(git: &status::Git) -> Said {
    if let Some(problem) = &git.problem {
        return said!("{}", problem);
    }
    let commit = plural(git.uncommitted.len(), "file", "files");
    match (&git.remote, git.uncommitted.is_empty(), git.unpublished) {
        (None, true, _) => Said::from("no remote: `co identity remote URL`"),
        (None, false, _) => said!("{} to commit, no remote: `co identity remote URL`", commit),
        (Some(remote), true, 0) => {
            let ago = git.last_sync_ago.map_or_else(Said::new, |ago| said!(", {}", since(ago)));
            said!("in sync with {}{}", remote, ago)
        }
        (Some(remote), ..) => said!("not yet in sync with {}: `co sync`", remote),
    }
}
