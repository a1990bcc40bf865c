//! Where an agent keeps notes by its settings: a folder that a person or a project names, a name
//! for a project's folder, and the folders of the agents that it starts.
//!
//! Invariant: a project's settings count only where the person trusts the project in the agent, and
//! never lead to a folder that is more than one of notes. Must not know: what is exchanged.

use crate::agents::{
    json::Json,
    notes::{NotesPlace, SubagentPlace},
};
use crate::identity::{kind::NOTES, portable, project::Project};
use crate::index::store::Store;
use crate::machine::{Context, files};
use crate::workspace::agent_places;
use std::path::{Path, PathBuf};

/// The single folder for the notes of all projects, from the person's own settings of an agent.
pub(super) fn one_folder(context: &Context, kept: &NotesPlace) -> Option<PathBuf> {
    named_in(context, &agent_places::resolve(context, &kept.settings), kept.one_folder)
}

/// The folder that the settings of a work tree name for its notes.
pub(super) fn of_project(context: &Context, kept: &NotesPlace, root: &Path) -> Option<PathBuf> {
    let mut all = kept.of_project.files.iter().rev();
    let folder = all.find_map(|file| named_in(context, &root.join(file), kept.one_folder))?;
    let is_fit = is_trusted(context, kept, root)? && is_fit(context, kept, root, &folder);
    is_fit.then_some(folder)
}

/// A folder in an agent's settings: absolute, or below the home folder.
fn named_in(context: &Context, settings: &Path, key: &str) -> Option<PathBuf> {
    let text = files::read_text(settings).ok()??;
    let named = Json::read(&text).ok()?.get(&[], key).ok()??;
    let named = named.as_str()?;
    let folder = match named.strip_prefix("~/") {
        Some(below) if !below.is_empty() => context.home.join(below),
        _ => PathBuf::from(named),
    };
    folder.is_absolute().then_some(folder)
}

/// Whether the agent's own record says that the person trusts the work tree.
fn is_trusted(context: &Context, kept: &NotesPlace, root: &Path) -> Option<bool> {
    let of = &kept.of_project;
    let text = files::read_text(&agent_places::resolve(context, &of.trusted)).ok()??;
    let record = Json::read(&text).ok()?;
    let trusted = record.get(&[of.projects, root.to_str()?], of.is_trusted).ok()??;
    Some(trusted == true)
}

/// Others may have written the project's settings: the home folder, the work tree itself, the notes
/// of other projects or co's own files are not shared because of them.
fn is_fit(context: &Context, kept: &NotesPlace, root: &Path, folder: &Path) -> bool {
    let folder = files::resolve(folder);
    let contains = |path: &Path| files::resolve(path).starts_with(&folder);
    let lies_in = |path: &Path| folder.starts_with(files::resolve(path));
    let projects = agent_places::resolve(context, &kept.projects);
    let is_too_much = contains(&context.home) || contains(root);
    let is_other = [&projects, &context.config_dir, &context.identity.resolved];
    !is_too_much && !is_other.into_iter().any(|path| lies_in(path) || contains(path))
}

/// Characters of such a name.
const MAX_NAME: usize = 64;

/// How the environment of a session names the folder of its project. The agent looks at that only
/// where the environment also names the folder of its settings.
pub(super) fn folder_name(context: &Context, kept: &NotesPlace) -> Option<String> {
    let name = context.env(kept.name_variable)?;
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_one = (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(is_usual)
        && !portable::is_device(name);
    let has_place = kept.projects.variable.is_some_and(|place| context.env(place).is_some());
    (is_one && has_place).then(|| name.to_owned())
}

/// The notes about every project of the agents that an agent starts.
pub(super) fn of_person(
    context: &Context,
    kept: &NotesPlace,
) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let places = kept.subagents.iter().filter_map(|one| match &one.place {
        SubagentPlace::Person(place) => Some((one.kept, place)),
        SubagentPlace::Project(_) => None,
    });
    places.map(move |(kept, place)| (kept, agent_places::resolve(context, place)))
}

/// Those about one project, in its work tree. Others may have written that: a link in it leads to
/// files of the person, or to the notes of another project.
pub(super) fn in_work_tree(
    kept: &NotesPlace,
    root: &Path,
) -> impl Iterator<Item = (&'static str, PathBuf)> {
    kept.subagents.iter().filter_map(move |one| match one.place {
        SubagentPlace::Project(folder) => {
            let is_in_it = files::link_on_the_way(root, folder).is_none();
            is_in_it.then(|| (one.kept, root.join(folder)))
        }
        SubagentPlace::Person(_) => None,
    })
}

/// Whether there are notes, here or in the identity.
pub(super) fn has_notes(store: &Store, kept: &str, project: &Project, folder: &Path) -> bool {
    files::is_dir(folder) || files::is_dir(&store.root.join(format!("{NOTES}{kept}/{project}")))
}
