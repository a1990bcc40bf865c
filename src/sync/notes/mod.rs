//! Shares the notes that agents keep in their own folders between laptops.
//!
//! Invariant: a three-way merge of the agent's folder, its content at the last exchange, and the
//! identity. The identity is written first, then the folder, then the last exchange, so that a kill
//! in between loses nothing. A file is replaced only if it still has the content that was read. An
//! agent takes part only with a person's consent, an excluded project never.

mod exchange;
mod folder;
mod index;
mod last_exchange;
pub mod other_agents;
pub mod overview;
mod places;
mod rewritten;
mod settled;

use crate::agents::{self, Agent};
use crate::identity::{note::INDEX, project::Project};
use crate::machine::{Context, files, lock};
use crate::workspace::{Error, Workspace, config, layers, recovery};
use places::NotesFolder;
pub use places::WorkTree;

use serde::Serialize;
use std::{path::PathBuf, time::Duration};

/// Which projects' notes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotesScope {
    /// The current project.
    Here,
    /// Every project for which an agent has notes on this laptop.
    All,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// An entry for each agent's folder, even if nothing changed.
    pub folders: Vec<Exchanged>,
    /// Agents' folders whose project is not known.
    pub unknown: Vec<PathBuf>,
    /// Why nothing was done at all.
    pub trouble: Option<String>,
}

/// What happened between one folder and the identity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exchanged {
    pub agent: &'static str,
    #[serde(skip)]
    pub title: &'static str,
    /// The folder below `agents/`.
    #[serde(skip)]
    pub kept: &'static str,
    pub project: String,
    #[serde(skip)]
    pub short: String,
    pub folder: PathBuf,
    /// Whether it belongs to the current work tree.
    #[serde(skip)]
    pub is_here: bool,
    pub notes: usize,
    /// Whether the identity was changed, even if only in an index.
    #[serde(skip)]
    pub wrote: bool,
    /// Notes that arrived in the agent's folder, and how many were deleted there.
    pub arrived: Vec<String>,
    pub brought: usize,
    pub removed: usize,
    /// How many notes were taken from the agent, and how many it deleted.
    pub taken: usize,
    pub deleted: usize,
    /// How many notes the agent rewrote or deleted at once, if these were many, and the operation
    /// that took them.
    pub rewritten: usize,
    pub operation: Option<String>,
    /// Notes that changed on both sides, and are kept in both versions.
    pub both: Vec<String>,
    /// Notes that the part of the index that the agent reads does not list, for want of room.
    pub unlisted: Vec<String>,
    pub withheld: Vec<Withheld>,
    /// Why the folder was skipped or not written completely.
    pub trouble: Option<String>,
}

/// A note that is not shared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Withheld {
    pub file: String,
    pub why: String,
}

impl Report {
    pub fn changes(&self) -> impl Iterator<Item = &Exchanged> {
        self.folders.iter().filter(|one| one.has_changed())
    }

    /// Whether notes in the identity were changed.
    pub fn has_written(&self) -> bool {
        self.folders.iter().any(|one| one.wrote)
    }

    /// Combined with a later report.
    pub fn then(self, later: Report) -> Report {
        let mut folders = self.folders;
        for one in later.folders {
            match folders.iter().position(|earlier| earlier.folder == one.folder) {
                Some(at) => folders[at] = folders[at].clone().then(one),
                None => folders.push(one),
            }
        }
        Report { folders, unknown: later.unknown, trouble: later.trouble.or(self.trouble) }
    }

    /// What a person has to know.
    pub fn warnings(&self) -> Vec<String> {
        let of = |one: &Exchanged| {
            let place = format!("notes of {} on {}", one.title, one.short);
            let withheld = one.withheld.iter();
            let withheld = withheld.map(|held| format!("{place}: {}: {}", held.file, held.why));
            let trouble = one.trouble.iter().map(|why| format!("{place}: {why}"));
            // Once, when they arrive.
            let full = Some(one).filter(|one| one.brought > 0).and_then(Exchanged::full);
            let full = full.map(|why| format!("{place}: {why}"));
            withheld.chain(trouble).chain(full).collect::<Vec<String>>()
        };
        let whole = self.trouble.iter().map(|why| format!("notes of agents: {why}"));
        whole.chain(self.folders.iter().flat_map(of)).collect()
    }
}

impl Exchanged {
    pub fn is_equal(&self) -> bool {
        !self.has_changed()
    }

    /// Which notes the agent does not see because its index is full.
    pub fn full(&self) -> Option<String> {
        const NAMED: usize = 5;
        let named = self.unlisted.iter().take(NAMED).cloned().collect::<Vec<String>>().join(", ");
        let more = match self.unlisted.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let title = self.title;
        (!self.unlisted.is_empty()).then(|| {
            format!("{INDEX} is full, so {title} does not see {named}{more}; ask it to tidy up")
        })
    }

    fn has_changed(&self) -> bool {
        self.brought + self.removed + self.taken + self.deleted > 0
    }

    /// Combined with the result of a later round.
    fn then(self, later: Exchanged) -> Exchanged {
        let mut unlisted = [self.unlisted, later.unlisted].concat();
        unlisted.sort();
        unlisted.dedup();
        Exchanged {
            wrote: self.wrote || later.wrote,
            arrived: [self.arrived, later.arrived.clone()].concat(),
            brought: self.brought + later.brought,
            removed: self.removed + later.removed,
            taken: self.taken + later.taken,
            deleted: self.deleted + later.deleted,
            rewritten: self.rewritten + later.rewritten,
            operation: self.operation.or(later.operation.clone()),
            both: [self.both, later.both.clone()].concat(),
            unlisted,
            ..later
        }
    }
}

/// With several folders for one project, each gets the others' changes in the second round.
const TURNS: usize = 3;
/// How long to wait for another co that holds the lock.
const WAIT: Duration = Duration::from_secs(5);

/// The agents whose notes are shared.
pub fn shared(context: &Context) -> Vec<&'static Agent> {
    let share = &context.settings.agents.notes.share;
    let is_shared = |agent: &&Agent| share.iter().any(|name| name == agent.name);
    agents::ALL.iter().filter(|agent| agent.writes.notes.is_some()).filter(is_shared).collect()
}

/// Those of these agents whose notes could be shared and are not.
pub fn not_shared(context: &Context, names: &[&'static str]) -> Vec<&'static Agent> {
    let shared = shared(context);
    let is_shared = |agent: &Agent| shared.iter().any(|one| one.name == agent.name);
    let able = agents::ALL.iter().filter(|agent| agent.writes.notes.is_some() && !is_shared(agent));
    able.filter(|agent| names.contains(&agent.name)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    On,
    Off,
}

/// Starts or stops sharing the notes of these agents; returns those for which that changed. The
/// notes themselves stay, in the folders and in the identity.
pub fn share(
    context: &Context,
    names: &[&'static str],
    sharing: Sharing,
) -> Result<Vec<&'static Agent>, Error> {
    let mut changed = match sharing {
        Sharing::On => not_shared(context, names),
        Sharing::Off => shared(context),
    };
    changed.retain(|agent| names.contains(&agent.name));
    if changed.is_empty() {
        return Ok(changed);
    }
    let mut share = context.settings.agents.notes.share.clone();
    share.retain(|name| !changed.iter().any(|agent| agent.name == name));
    if sharing == Sharing::On {
        share.extend(changed.iter().map(|agent| agent.name.to_owned()));
    }
    config::set_shared_notes(context, &share)?;
    Ok(changed)
}

pub fn is_excluded(context: &Context, project: &Project) -> bool {
    context.settings.agents.notes.exclude.iter().any(|pattern| project.matches(pattern))
}

/// Synchronizes the agents' folders with the identity.
pub fn run(ws: &Workspace, scope: NotesScope) -> Result<Report, Error> {
    let agents = shared(ws);
    // What agents note of a person's projects is none of a team's.
    if agents.is_empty() || layers::is_of_team(ws) {
        return Ok(Report::default());
    }
    let store = ws.identity()?;
    // Never read a work tree that an interrupted sync left half-written; for a hook,
    // nothing has recovered it yet.
    recovery::recover(ws);
    let own = store.state.join("notes");
    files::make_dir(&own)?;
    let _lock = lock::folder(&own, WAIT)?;
    let found = places::find(ws, store, &agents, scope);
    found.remember(&own);
    let mut report = Report { unknown: found.unknown, ..Report::default() };
    for _ in 0..TURNS {
        let turn = found.places.iter().map(|place| exchange::exchange(ws, store, &own, place));
        let (unknown, trouble) = (report.unknown.clone(), None);
        let turn = Report { folders: turn.collect(), unknown, trouble };
        let is_moved = |one: &Exchanged| one.has_changed() || one.wrote;
        let is_done = !turn.folders.iter().any(is_moved) || found.places.len() < 2;
        report = report.then(turn);
        if is_done {
            break;
        }
    }
    Ok(report)
}
