//! Compares what lies in a folder of an agent with a skill.
//!
//! Invariant: a folder is followed to where it leads; what an operating system left in it is no part
//! of the skill.

use crate::identity::{
    Snapshot,
    skill::{self, Skill},
};
use crate::machine::{files, folder};
use std::path::Path;

/// Whether a folder has exactly the files of a skill.
pub(super) fn holds(at: &Path, skill: &Skill) -> bool {
    // Another skill may be of any size.
    let text = files::read_text(&at.join(skill::FILE)).ok().flatten();
    text.is_some_and(|text| text == skill.shown_text())
        && read_as(at, &skill.name).hash() == skill.hash()
}

/// What is in a folder, as a skill of this name.
pub(super) fn read_as(at: &Path, name: &str) -> Skill {
    let read = folder::read(&files::resolve(at)).snapshot;
    let files: Snapshot = read.only(|path, _| !skill::is_leftover(path));
    Skill { name: name.to_owned(), files }
}
