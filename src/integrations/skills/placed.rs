//! Compares what lies in a folder of an agent with a skill.
//!
//! Invariant: a folder is followed to where it leads; what an operating system left in it is no
//! part of the skill.

use super::record::Record;
use crate::identity::{
    Snapshot,
    skill::{self, Skill},
};
use crate::machine::{Context, files, folder};
use crate::workspace::skills;
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

/// Whether an agent changed in place what co placed there: through its link the agreed copy, or the
/// copy that it has instead.
pub(super) fn is_edited(context: &Context, record: &Record, at: &Path) -> bool {
    if !files::is_there(at) || !record.is_ours(context, at) {
        return false;
    }
    let name = at.file_name().unwrap_or_default().to_string_lossy();
    let hash = read_as(at, &name).hash();
    match record.copy_at(at).filter(|_| !files::is_link(at)) {
        Some(copy) => copy.hash != hash.hex(),
        None => files::link_target(at) != Some(skills::copy_of(context, hash, &name)),
    }
}
