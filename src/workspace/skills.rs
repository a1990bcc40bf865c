//! Skills of the identity and its layers, and the copies of them that the person agreed to on this
//! laptop.
//!
//! Invariant: agents are led to agreed copies only, never to the identity's folder, so that bytes
//! that arrive are not live. Agreement is per content and per laptop, and is never synced: nobody
//! else can agree. An agreed copy has its name only when it is whole. Must not know which agents
//! there are.

use super::layers;
use crate::identity::{
    ContentHash, LayerName, RelPath,
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

/// A skill that agents on this laptop may be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptSkill {
    pub skill: Skill,
    /// The layer that has it, if the identity has not.
    pub layer: Option<LayerName>,
}

/// Those of the identity, and of the layers that are read whatever the place, since agents look
/// into their folders wherever they work. Of one name the nearest, by name.
pub fn all(context: &Context, store: &Store) -> Vec<KeptSkill> {
    let own = in_identity(store).into_iter().map(|skill| KeptSkill { skill, layer: None });
    let mut all: Vec<KeptSkill> = own.collect();
    for (layer, folder) in layers::common_folders(context).into_iter().rev() {
        for skill in in_folder(&folder) {
            if !all.iter().any(|nearer| nearer.skill.name == skill.name) {
                all.push(KeptSkill { skill, layer: Some(layer) });
            }
        }
    }
    all.sort_by(|one, other| one.skill.name.cmp(&other.skill.name));
    all
}

/// The same, whoever has them.
pub fn offered(context: &Context, store: &Store) -> Vec<Skill> {
    all(context, store).into_iter().map(|kept| kept.skill).collect()
}

/// What the identity has, sound or not, by name; without those of which a file cannot be read.
pub fn in_identity(store: &Store) -> Vec<Skill> {
    in_folder(&store.root)
}

fn in_folder(root: &Path) -> Vec<Skill> {
    if !files::is_dir(&root.join(SKILLS.trim_end_matches('/'))) {
        return Vec::new();
    }
    let reading = folder::read_below(root, SKILLS);
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
