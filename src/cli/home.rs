//! `co` alone: where things stand, and what comes next.

use super::{
    output::Output,
    style::{Style, plural, safe},
    verb::{Cli, Needs, Verb},
};
use crate::ops::{Failure, agent::list::Row, status, sync};
use clap::Args;

/// How many agents are named.
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
    let git = report.git.as_ref();
    let gone = git.and_then(|git| git.facts_gone.as_ref()).map(sync::Gone::described);
    let look = git.iter().flat_map(|git| &git.look).cloned().chain(gone);
    let look = look.collect::<Vec<String>>().join(", ");
    let look = if look.is_empty() { look } else { format!("look at  {}\n", safe(&look)) };
    let agents = match report.agents.is_empty() {
        true => "agents   none connected: `co agent install --all`\n".to_owned(),
        false => {
            let mut latest: Vec<&Row> = report.agents.iter().collect();
            latest.sort_by_key(|row| row.seen.read_ago.unwrap_or(i64::MAX));
            let shown: Vec<String> = latest.iter().take(SHOWN).map(|row| agent(row)).collect();
            let more = match latest.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!("   and {more} more"),
            };
            format!("agents   {}{more}\n", safe(&shown.join("   ")))
        }
    };
    let next = "next     co learn \"…\"   co recall \"…\"   co sync   (`co --help` has all)";
    format!("{head}\n{agents}{look}{}\n", style.dim(next))
}

/// An agent with when it was last here.
pub(super) fn agent(row: &Row) -> String {
    let read = match row.seen.read_ago {
        Some(ago) => format!(" read {}", since(ago)),
        None => " never read".to_owned(),
    };
    let wrote = match (row.seen.wrote_today, row.seen.wrote_ago) {
        (0, None) => String::new(),
        (0, Some(ago)) => format!(", wrote {}", since(ago)),
        (today, _) => format!(", wrote {today} today"),
    };
    format!("{} ✓{read}{wrote}", row.title)
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
        (Some(remote), true, 0) => {
            let ago = git.last_sync_ago.map_or_else(String::new, |ago| format!(", {}", since(ago)));
            format!("in sync with {}{ago}", safe(remote))
        }
        (Some(remote), ..) => format!("not yet in sync with {}: `co sync`", safe(remote)),
    }
}

/// A time span as people say it.
pub(super) fn since(micros: i64) -> String {
    // To the nearest minute.
    let minutes = (micros + 30_000_000) / 60_000_000;
    let count = |count: i64, one: &str, many: &str| {
        format!("{} ago", plural(usize::try_from(count).unwrap_or(0), one, many))
    };
    match minutes {
        ..1 => "just now".to_owned(),
        1..120 => count(minutes, "minute", "minutes"),
        120..2_880 => count(minutes / 60, "hour", "hours"),
        _ => count(minutes / 1_440, "day", "days"),
    }
}
