//! Skills of the identity, and the copies of them that the person agreed to on this laptop.
//!
//! Invariant: agents are led to agreed copies only, never to the identity's folder, so that bytes
//! that arrive are not live. Agreement is per content and per laptop, and is never synced: nobody
//! else can agree. An agreed copy has its name only when it is whole. Must not know which agents
//! there are.

use crate::identity::{
    ContentHash, RelPath,
    kind::SKILLS,
    skill::{self, Skill},
};
use crate::index::store::Store;
use crate::machine::{
    Context, SystemError, files, folder,
    links::{self, FileOfCopy},
};
use std::path::{Path, PathBuf};

/// Digits of a hash in the name of an agreed copy's folder.
const DIGITS: usize = 32;

/// What the identity has, sound or not, by name; without those of which a file cannot be read.
pub fn in_identity(store: &Store) -> Vec<Skill> {
    if !files::is_dir(&store.root.join(SKILLS.trim_end_matches('/'))) {
        return Vec::new();
    }
    let reading = folder::read_below(&store.root, SKILLS);
    let mut all = skill::all(&reading.snapshot);
    let closed = reading.unreadable.iter().map(RelPath::as_str);
    let closed: Vec<&str> = closed.chain(reading.closed.iter().map(String::as_str)).collect();
    all.retain(|skill| {
        let folder = format!("{SKILLS}{}/", skill.name);
        !closed.iter().any(|path| path.starts_with(&folder))
    });
    all
}

/// Contains a folder for each agreed content.
pub fn agreed_folder(context: &Context) -> PathBuf {
    context.config_dir.join("local").join("skills")
}

/// The agreed copy of a content, whether or not it exists.
pub fn copy_of(context: &Context, hash: ContentHash, name: &str) -> PathBuf {
    agreed_folder(context).join(hash.short(DIGITS)).join(name)
}

pub fn is_agreed(context: &Context, skill: &Skill) -> bool {
    files::is_dir(&copy_of(context, skill.hash(), &skill.name))
}

/// Whether a folder is an agreed copy, whatever is in it now.
pub fn is_copy(context: &Context, place: &Path) -> bool {
    place.starts_with(agreed_folder(context))
}

/// Makes the agreed copy. The caller has asked the person, or acts for them on this laptop.
pub fn agree(context: &Context, skill: &Skill) -> Result<(), SystemError> {
    if is_agreed(context, skill) {
        return Ok(());
    }
    links::make_copy(&copy_of(context, skill.hash(), &skill.name), copied(skill))
}

/// Its files as they are copied. Git and Windows keep no mark of programs, so it is made anew.
pub fn copied(skill: &Skill) -> impl Iterator<Item = FileOfCopy<'_>> {
    skill.files.iter().map(|(path, blob)| FileOfCopy {
        path: path.as_str(),
        bytes: blob,
        is_started: skill::is_started(blob),
    })
}
