//! `skill add` and `skill remove`.
//!
//! Invariant: what a person adds on this laptop is agreed to with it. A skill of the same name is
//! replaced as a whole, in one operation that can be undone.

use super::{SkillError, read::FolderRead};
use crate::identity::{Snapshot, skill::Skill};
use crate::machine::oplog::OpVerb;
use crate::merge::ChangeSet;
use crate::secrets::Allowed;
use crate::workspace::{Error, Workspace, guard, layers, skills};
use serde::Serialize;
use std::path::Path;

/// What an addition does to the identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    New,
    Updated,
    Same,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Added {
    pub name: String,
    pub change: Change,
    pub files: usize,
    /// What in it can run.
    pub programs: Vec<String>,
    /// Files of the folder that are no part of the skill.
    pub left_out: Vec<String>,
}

/// Adds the skill in a folder, or replaces the one of its name.
pub fn add(ws: &Workspace, folder: &Path, allowed: &Allowed) -> Result<Added, Error> {
    layers::refuse_own(ws, folder)?;
    let FolderRead { skill, left_out } = super::read::read(ws, folder)?;
    let change = put(ws, &skill, allowed)?;
    let (programs, files) = (skill.programs(), skill.files.len());
    Ok(Added { name: skill.name, change, files, programs, left_out })
}

/// What putting a skill into the identity would do.
pub(super) fn change_by(all: &[Skill], skill: &Skill) -> Change {
    match all.iter().find(|known| known.name == skill.name) {
        None => Change::New,
        Some(known) if known == skill => Change::Same,
        Some(_) => Change::Updated,
    }
}

/// Writes a sound skill into the identity, and agrees to it.
pub(super) fn put(ws: &Workspace, skill: &Skill, allowed: &Allowed) -> Result<Change, Error> {
    let store = ws.identity()?;
    let write = ws.write(store)?;
    let all = skills::in_identity(store);
    let change = change_by(&all, skill);
    if change != Change::Same {
        let known = all.iter().find(|known| known.name == skill.name);
        let before = known.map_or_else(Snapshot::default, Skill::placed);
        let after = skill.placed();
        let files = ChangeSet::between(&before, &after);
        guard::refuse_change(&files, allowed, "Nothing was added.")?;
        let what = format!("skill {}", skill.name);
        write.operation(OpVerb::Add, what).apply_between(&before, &after, &|_, _| {})?;
    }
    skills::agree(ws, skill)?;
    Ok(change)
}

/// Removes a skill from the identity; its agreed copies stay, so that an undo brings it back whole.
pub fn remove(ws: &Workspace, name: &str) -> Result<(), Error> {
    let store = ws.identity()?;
    let write = ws.write(store)?;
    let found = super::list::find(ws, name)?;
    if let Some(layer) = found.layer {
        return Err(SkillError::OfLayer { name: name.to_owned(), layer }.into());
    }
    let before = found.skill.placed();
    let what = format!("skill {name}");
    let transaction = write.operation(OpVerb::Delete, what);
    transaction.apply_between(&before, &Snapshot::default(), &|_, _| {})
}
