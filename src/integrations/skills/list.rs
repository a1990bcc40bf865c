//! `skill list` and `skill show`.
//!
//! Invariant: shows what is in the identity, and where agents find which of it; changes nothing.

use super::{
    SkillError,
    placed::{holds, is_edited},
    record::Record,
};
use crate::facts::review;
use crate::identity::{
    LayerName,
    skill::{Fault, Skill},
};
use crate::machine::files;
use crate::workspace::{
    Error, Workspace,
    skills::{self, KeptSkill},
};
use serde::Serialize;
use std::path::PathBuf;

/// Whether agents may have it on this laptop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Agreed,
    /// It came from elsewhere, and nobody has agreed to it here.
    Waiting,
    Rejected,
    /// It breaks a rule of the standard.
    Unfit,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Listed {
    pub name: String,
    pub description: Option<String>,
    /// The layer that has it, if the identity has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<LayerName>,
    pub state: State,
    pub files: usize,
    pub bytes: u64,
    /// What in it can run.
    pub programs: Vec<String>,
    /// Why it is unfit.
    pub faults: Vec<String>,
    /// Where agents find it, this version or an older one.
    pub places: Vec<PathBuf>,
    /// Where an agent has another skill of this name, which is left alone.
    pub shadowed: Vec<PathBuf>,
    /// Where an agent changed it in place, which nobody has adopted.
    pub edited: Vec<PathBuf>,
}

/// A skill with its text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Shown {
    #[serde(flatten)]
    pub listed: Listed,
    pub paths: Vec<String>,
    pub text: String,
}

pub fn list(ws: &Workspace) -> Result<Vec<Listed>, Error> {
    let store = ws.identity()?;
    let (all, record) = (skills::all(ws, store), Record::read(ws));
    Ok(all.iter().map(|kept| listed(ws, &record, kept)).collect())
}

pub fn show(ws: &Workspace, name: &str) -> Result<Shown, Error> {
    let found = find(ws, name)?;
    let listed = listed(ws, &Record::read(ws), &found);
    let skill = found.skill;
    let paths = skill.files.paths().map(ToString::to_string).collect();
    Ok(Shown { listed, paths, text: skill.shown_text() })
}

pub(super) fn find(ws: &Workspace, name: &str) -> Result<KeptSkill, Error> {
    let mut all = skills::all(ws, ws.identity()?).into_iter();
    let found = all.find(|kept| kept.skill.name == name);
    Ok(found.ok_or_else(|| SkillError::Unknown { name: name.to_owned() })?)
}

fn listed(ws: &Workspace, record: &Record, kept: &KeptSkill) -> Listed {
    let skill = &kept.skill;
    let faults = skill.faults();
    let state = state(ws, skill, &faults);
    let there = record.roots.iter().map(|root| root.folder.join(&skill.name));
    let there = there.filter(|place| files::exists(place));
    // A person's own folder can have the very skill: it was added or adopted from there.
    let is_it = |place: &PathBuf| record.is_ours(ws, place) || holds(place, skill);
    let (places, shadowed): (Vec<PathBuf>, Vec<PathBuf>) = there.partition(is_it);
    let is_edited = |place: &&PathBuf| is_edited(ws, record, place);
    let edited = places.iter().filter(is_edited).cloned().collect();
    Listed {
        name: skill.name.clone(),
        description: skill.description(),
        layer: kept.layer,
        state,
        files: skill.files.len(),
        bytes: skill.bytes(),
        programs: skill.programs(),
        faults: faults.iter().map(told).collect(),
        places,
        shadowed,
        edited,
    }
}

fn state(ws: &Workspace, skill: &Skill, faults: &[Fault]) -> State {
    if !faults.is_empty() {
        State::Unfit
    } else if skills::is_agreed(ws, skill) {
        State::Agreed
    } else if review::is_rejected(ws.identity_place(), skill.hash()) {
        State::Rejected
    } else {
        State::Waiting
    }
}

fn told(fault: &Fault) -> String {
    let line = fault.line.map_or_else(String::new, |line| format!(":{line}"));
    format!("{}{line}: {}", fault.path, fault.message)
}

/// Sound skills that nobody has answered here.
pub(super) fn waiting(ws: &Workspace, all: &[Skill]) -> Vec<String> {
    let waits = |skill: &&Skill| state(ws, skill, &skill.faults()) == State::Waiting;
    all.iter().filter(waits).map(|skill| skill.name.clone()).collect()
}
