//! Notes that agents write by themselves, the same in their own folders on every laptop.
//!
//! Invariant: three-way between the agent's folder, what was seen there last, and the identity, by
//! the one merge; the identity is written first, then the agent's folder, then what was seen, so
//! that a kill in between costs nothing. A file is replaced only where it holds what was read. An
//! agent takes part only where a person agreed, and a project that is excluded never.

mod exchange;
mod folder;
pub mod look;
pub mod other_agents;
mod places;
mod seen;

use places::NotesFolder;
pub use places::WorkTree;

use super::{Error, config, store::Store, sync};
use crate::agents::{self, Agent};
use crate::identity::project::Project;
use crate::system::{Context, files, lock};
use serde::Serialize;
use std::{path::PathBuf, time::Duration};

/// Which projects' notes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Of the project around the folder of the call.
    Here,
    /// Of every project that an agent has notes of on this laptop.
    All,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// A line for each folder of an agent, also where nothing changed.
    pub folders: Vec<Exchanged>,
    /// Folders of agents whose project is not known.
    pub unknown: Vec<PathBuf>,
    /// Why nothing at all was done.
    pub trouble: Option<String>,
}

/// What happened between one folder and the identity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exchanged {
    pub agent: &'static str,
    #[serde(skip)]
    pub title: &'static str,
    pub project: String,
    #[serde(skip)]
    pub short: String,
    pub folder: PathBuf,
    /// Whether it is that of the work tree around the folder of the call.
    #[serde(skip)]
    pub is_here: bool,
    pub notes: usize,
    /// Whether the identity was changed, be it in an index alone.
    #[serde(skip)]
    pub wrote: bool,
    /// Notes that came from elsewhere into the agent's folder, and that went away there.
    pub arrived: Vec<String>,
    pub brought: usize,
    pub removed: usize,
    /// Notes that the agent wrote, and that it deleted.
    pub taken: usize,
    pub deleted: usize,
    /// Notes that were changed on both sides, and of which both texts are there.
    pub both: Vec<String>,
    pub withheld: Vec<Withheld>,
    /// Why the folder was left alone, or not all of it was written.
    pub trouble: Option<String>,
}

/// A note that stays where it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Withheld {
    pub file: String,
    pub why: String,
}

impl Report {
    pub fn changes(&self) -> impl Iterator<Item = &Exchanged> {
        self.folders.iter().filter(|one| one.has_changed())
    }

    /// Whether the identity has other notes now.
    pub fn has_written(&self) -> bool {
        self.folders.iter().any(|one| one.wrote)
    }

    /// With what happened later.
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
            withheld.chain(trouble).collect::<Vec<String>>()
        };
        let whole = self.trouble.iter().map(|why| format!("notes of agents: {why}"));
        whole.chain(self.folders.iter().flat_map(of)).collect()
    }
}

impl Exchanged {
    pub fn is_equal(&self) -> bool {
        !self.has_changed()
    }

    fn has_changed(&self) -> bool {
        self.brought + self.removed + self.taken + self.deleted > 0
    }

    /// What happened in a second turn.
    fn then(self, later: Exchanged) -> Exchanged {
        Exchanged {
            wrote: self.wrote || later.wrote,
            arrived: [self.arrived, later.arrived.clone()].concat(),
            brought: self.brought + later.brought,
            removed: self.removed + later.removed,
            taken: self.taken + later.taken,
            deleted: self.deleted + later.deleted,
            both: [self.both, later.both.clone()].concat(),
            ..later
        }
    }
}

/// Several folders of one project hear of each other in the second turn.
const TURNS: usize = 3;
/// For another co that is at it.
const WAIT: Duration = Duration::from_secs(5);

/// The agents whose notes travel.
pub fn shared(context: &Context) -> Vec<&'static Agent> {
    let share = &context.settings.agents.notes.share;
    let is_shared = |agent: &&Agent| share.iter().any(|name| name == agent.name);
    agents::ALL.iter().filter(|agent| agent.writes.notes.is_some()).filter(is_shared).collect()
}

/// Of these agents, those whose notes could be shared and are not.
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

/// Shares the notes of these agents from now on, or no more; returns those that can be and were not
/// yet, or were. The notes themselves stay, here and in the identity.
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

/// Makes the agents' folders and the identity equal.
pub fn run(context: &Context, which: Which) -> Result<Report, Error> {
    let agents = shared(context);
    if agents.is_empty() {
        return Ok(Report::default());
    }
    let store = Store::identity(context)?;
    // Not from a work tree that a sync left half-written.
    sync::recover(context);
    let own = store.state.join("notes");
    files::make_dir(&own)?;
    let _lock = lock::folder(&own, WAIT)?;
    let found = places::find(context, &own, &agents, which);
    found.remember(&own);
    let mut report = Report { unknown: found.unknown, ..Report::default() };
    for _ in 0..TURNS {
        let turn = found.places.iter().map(|place| exchange::run(context, &store, &own, place));
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
