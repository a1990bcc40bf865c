//! What an exchange of notes did, of each folder and of all.
//!
//! Invariant: a later round adds to what an earlier one reports; nothing that happened is lost.

use crate::identity::note::INDEX;
use serde::Serialize;
use std::path::PathBuf;

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

    pub(super) fn has_changed(&self) -> bool {
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
