//! `skill adopt`: takes over the skills that agents on this laptop have.
//!
//! Invariant: the agents' own folders are read and left as they are. What is adopted is on this
//! laptop already, and so is agreed to.

use super::{
    Change, SkillError,
    add::{change_by, put},
    read::FolderRead,
    record::{Record, is_our_link},
};
use crate::agents::{self, words::SKILL_NAME};
use crate::identity::skill::{self, Skill};
use crate::machine::{Context, files};
use crate::secrets::Allowed;
use crate::workspace::{
    Error, Workspace, agent_places, skills,
    transaction::{self, PlacedAs, Unrecorded},
};
use serde::Serialize;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

#[derive(Clone, Debug, Default, Serialize)]
pub struct Plan {
    pub found: Vec<Found>,
    /// Folders that are left out, and why.
    pub left_out: Vec<String>,
}

/// A skill of an agent that the identity lacks, or has in another version.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    pub name: String,
    pub from: PathBuf,
    pub change: Change,
    /// What in it can run.
    pub programs: Vec<String>,
    #[serde(skip)]
    skill: Skill,
}

/// For no names, all of them.
pub fn plan(ws: &Workspace, names: &[String]) -> Result<Plan, Error> {
    let (all, record) = (skills::in_identity(ws.identity()?), Record::read(ws));
    let mut plan = Plan::default();
    let mut seen = BTreeSet::new();
    for place in candidates(ws) {
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        match super::read::read(ws, &place) {
            Ok(FolderRead { skill, .. }) => {
                let change = change_by(&all, &skill);
                let is_old = is_as_placed(ws, &record, &place, &skill);
                if change == Change::Same || is_old {
                    continue;
                }
                if !seen.insert(skill.name.clone()) {
                    let shown = ws.shown(&place);
                    plan.left_out.push(format!("{shown}: another folder has this skill as well"));
                    continue;
                }
                let (name, programs) = (skill.name.clone(), skill.programs());
                plan.found.push(Found { name, from: place, change, programs, skill });
            }
            Err(error) => plan.left_out.push(unfit(&ws.shown(&place), &error)),
        }
    }
    if plan.found.is_empty() && plan.left_out.is_empty() {
        return Err(SkillError::NothingToAdopt.into());
    }
    Ok(plan)
}

/// Why a folder is left out. It is named first, as in every line of what is left out.
fn unfit(folder: &str, error: &SkillError) -> String {
    match error {
        SkillError::Unfit { faults, .. } => format!("{folder}: {}", faults.join("; ")),
        error => format!("{folder}: {error}"),
    }
}

/// What became of a plan: names of skills.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Adopted {
    pub added: Vec<String>,
    /// In place of what the identity had under the name.
    pub updated: Vec<String>,
    /// What was left out after all, and why: a secret, for example.
    pub left_out: Vec<String>,
}

pub fn apply(ws: &Workspace, plan: &Plan, allowed: &Allowed) -> Result<Adopted, Error> {
    let before = skills::offered(ws, ws.identity()?);
    let mut done = Adopted::default();
    for found in &plan.found {
        match put(ws, &found.skill, allowed) {
            Ok(Change::New) => done.added.push(found.name.clone()),
            Ok(Change::Updated | Change::Same) => done.updated.push(found.name.clone()),
            Err(error) => {
                done.left_out.push(format!("{}: {}", found.name, error.clause()));
                continue;
            }
        }
        give_back(ws, found, &before)?;
    }
    Ok(done)
}

/// An agent that changed a skill through co's link changed the agreed copy. The change has a copy
/// of its own now, so that one is again what was agreed to: an undo leads agents back to it.
fn give_back(ws: &Workspace, found: &Found, before: &[Skill]) -> Result<(), Error> {
    let target = files::link_target(&found.from).filter(|_| is_our_link(ws, &found.from));
    let agreed = skills::agreed_folder(ws);
    let is_one = |copy: &PathBuf| copy.parent().and_then(Path::parent) == Some(agreed.as_path());
    let Some(copy) = target.filter(is_one) else { return Ok(()) };
    transaction::take_skill_away(Unrecorded::AgreedSkill, &copy, PlacedAs::Copy)?;
    let is_it = |one: &&Skill| skills::copy_of(ws, one.hash(), &one.name) == copy;
    if let Some(one) = before.iter().find(is_it) {
        skills::agree(ws, one)?;
    }
    Ok(())
}

/// Folders with a `SKILL.md` where agents look; co's own skill is none of the person's.
fn candidates(context: &Context) -> Vec<PathBuf> {
    let own = agents::ALL.iter().filter_map(|agent| agent.skills.as_ref());
    let mut roots: Vec<PathBuf> = Vec::new();
    for root in own.map(|place| agent_places::resolve(context, place)) {
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    let mut found: Vec<PathBuf> = Vec::new();
    let mut seen = BTreeSet::new();
    for place in roots.iter().flat_map(|root| names_in(root)) {
        let is_own = place.file_name().is_some_and(|name| name == SKILL_NAME);
        let is_skill = files::is_file(&place.join(skill::FILE));
        // Several agents' folders may lead to one.
        if is_skill && !is_own && seen.insert(files::resolve(&place)) {
            found.push(place);
        }
    }
    found
}

fn names_in(root: &Path) -> Vec<PathBuf> {
    files::names(root).iter().map(|name| root.join(name)).collect()
}

/// Whether it is what co placed there, unchanged, in this version or an older one: an agent may
/// have changed it.
fn is_as_placed(context: &Context, record: &Record, place: &Path, skill: &Skill) -> bool {
    if is_our_link(context, place) {
        let agreed = skills::copy_of(context, skill.hash(), &skill.name);
        return files::link_target(place) == Some(agreed);
    }
    let copy = record.copy_at(place).filter(|_| record.is_ours(context, place));
    copy.is_some_and(|copy| copy.hash == skill.hash().hex())
}
