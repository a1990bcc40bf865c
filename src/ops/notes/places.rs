//! The folders on this laptop in which agents keep notes, and which project each is about.
//!
//! Invariant: a folder belongs to a project only by what git or the agent itself says of it, never
//! by its name; what is not known is left alone. What was found once is remembered, so that a work
//! tree that was moved away keeps its notes.

use super::is_excluded;
use crate::agents::{Agent, json::Json, notes};
use crate::identity::project::Project;
use crate::ops::agent::places;
use crate::system::{Context, files, git};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// A folder with notes of one agent about one project.
pub struct Place {
    pub agent: &'static Agent,
    pub folder: PathBuf,
    pub project: Project,
    /// Whether the call happens in its work tree.
    pub is_here: bool,
}

#[derive(Default)]
pub struct Found {
    pub places: Vec<Place>,
    pub unknown: Vec<PathBuf>,
    /// Projects that a person left out.
    pub excluded: BTreeSet<Project>,
    /// What is to be remembered, where that is new.
    register: Option<Register>,
}

impl Found {
    pub fn remember(&self, own: &Path) {
        let Some(register) = &self.register else { return };
        let text = serde_json::to_vec_pretty(register).expect("because a register is plain data");
        // Without it the folders are looked for again.
        let _ = files::write_private(&register_file(own), &text);
    }
}

fn register_file(own: &Path) -> PathBuf {
    own.join("places.json")
}

/// What is remembered of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Known {
    agent: String,
    /// The work tree.
    root: PathBuf,
    project: String,
}

type Register = BTreeMap<PathBuf, Known>;

/// Sessions that are looked into for the folder they ran in, and bytes of each.
const MOST_SESSIONS: usize = 5;
const BEGINNING: usize = 64 * 1024;

/// The work tree around a folder and its project.
pub fn project_around(context: &Context, folder: &Path) -> (PathBuf, Project) {
    let checkout = git::checkout_of(folder);
    let root = checkout.as_ref().map_or_else(|| folder.to_owned(), |found| found.root.clone());
    let project = checkout.and_then(|found| found.project).unwrap_or_else(|| {
        let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
        let below = root.strip_prefix(&context.home).ok().map(text);
        Project::of_folder(below.as_deref(), &text(&root))
    });
    (root, project)
}

/// The name of the project around the folder of the call; `None` where that is in no repository and
/// has no `.co-cli`.
pub fn project_name(context: &Context) -> Option<String> {
    let is_project = git::checkout_of(&context.cwd).is_some() || context.project_dir().is_some();
    is_project.then(|| project_around(context, &context.cwd).1.shown())
}

pub fn find(
    context: &Context,
    own: &Path,
    agents: &[&'static Agent],
    which: super::Which,
) -> Found {
    let bytes = files::read(&register_file(own)).ok().flatten().unwrap_or_default();
    let before: Register = serde_json::from_slice(&bytes).unwrap_or_default();
    let (mut register, mut found) = (before.clone(), Found::default());
    let (root, here) = project_around(context, &context.cwd);
    let mut seen = BTreeSet::new();
    for agent in agents {
        let Some(kept) = &agent.writes.notes else { continue };
        let projects = places::of(context, &kept.projects);
        if let Some(folder) = one_folder(context, agent) {
            let project = Project::every();
            // Nobody can tell there which note is about an excluded project.
            let excludes = !context.settings.agents.notes.exclude.is_empty();
            if excludes {
                found.excluded.insert(project);
            } else if seen.insert(files::resolve(&folder)) {
                found.places.push(Place { agent, folder, project, is_here: true });
            }
            continue;
        }
        if let Some(root) = root.to_str() {
            let folder = projects.join(notes::folder_name(root)).join(kept.folder);
            // A folder in which the agent was never started gets no notes.
            let caller = context.caller.as_ref().map(|caller| caller.client.as_str());
            let is_known = here != Project::unknown();
            if is_known && (caller == Some(agent.name) || files::is_dir(&folder)) {
                let (root, project) = (PathBuf::from(root), here.as_str().to_owned());
                let known = register.get(&folder);
                // Two paths may have one folder: it stays with the first as long as that is there.
                if known.is_none_or(|known| known.root == root || !files::is_dir(&known.root)) {
                    register.insert(folder, Known { agent: agent.name.to_owned(), root, project });
                }
            }
        }
        if which == super::Which::All {
            found.unknown.extend(look_around(context, agent, &projects, &mut register));
        }
    }
    for (folder, known) in &mut register {
        let Some(agent) = agents.iter().find(|agent| agent.name == known.agent) else { continue };
        if one_folder(context, agent).is_some() {
            continue;
        }
        let now = project_around(context, &known.root).1;
        // A repository that cannot be read today is still the one that it was.
        if files::is_dir(&known.root) && now != Project::unknown() {
            known.project = now.to_string();
        }
        let project = Project::named(&known.project);
        let is_meant = which == super::Which::All || project == here;
        let is_gone = !files::is_dir(folder) && !files::is_dir(&known.root);
        if is_meant && !is_gone && seen.insert(files::resolve(folder)) {
            if is_left_out(context, &known.root, &project) {
                found.excluded.insert(project);
                continue;
            }
            let is_here = known.root == root;
            found.places.push(Place { agent, folder: folder.clone(), project, is_here });
        }
    }
    found.register = Some(register).filter(|register| *register != before);
    found
}

/// Whether a person left a project out, by any name that it has, or nobody can say which it is.
fn is_left_out(context: &Context, root: &Path, project: &Project) -> bool {
    let others = git::checkout_of(root).map(|found| found.others).unwrap_or_default();
    *project == Project::unknown()
        || [project].into_iter().chain(&others).any(|name| is_excluded(context, name))
}

/// The folder that the person's own settings of an agent name for the notes of all projects. Those
/// of a project are not asked: whoever wrote them could name any folder of the person's.
fn one_folder(context: &Context, agent: &Agent) -> Option<PathBuf> {
    let kept = agent.writes.notes.as_ref()?;
    let text = files::read_text(&places::of(context, &kept.settings)).ok()??;
    let settings = Json::read(&text).ok()?;
    let named = settings.get(&[], kept.one_folder).ok()??;
    let named = named.as_str()?;
    let folder = match named.strip_prefix("~/") {
        Some(below) if !below.is_empty() => context.home.join(below),
        _ => PathBuf::from(named),
    };
    folder.is_absolute().then_some(folder)
}

/// Takes up the folders that nobody has seen yet; returns those whose project is not known.
fn look_around(
    context: &Context,
    agent: &Agent,
    projects: &Path,
    register: &mut Register,
) -> Vec<PathBuf> {
    let mut unknown = Vec::new();
    let Some(kept) = &agent.writes.notes else { return unknown };
    for name in files::names(projects) {
        let folder = projects.join(&name).join(kept.folder);
        let has_notes = || files::names(&folder).iter().any(|name| name.ends_with(".md"));
        if register.contains_key(&folder) {
            continue;
        }
        match ran_in(&projects.join(&name)) {
            Some(cwd) => {
                let (root, project) = project_around(context, &cwd);
                let (agent, project) = (agent.name.to_owned(), project.to_string());
                register.insert(folder, Known { agent, root, project });
            }
            None if has_notes() => unknown.push(folder),
            None => {}
        }
    }
    unknown
}

/// The folder in which an agent's sessions ran, as their records say.
fn ran_in(sessions: &Path) -> Option<PathBuf> {
    let mut names = files::names(sessions);
    names.retain(|name| name.ends_with(".jsonl"));
    names.sort_by_cached_key(|name| std::cmp::Reverse(files::mtime(&sessions.join(name))));
    let said = |line: &str| -> Option<PathBuf> {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        let cwd = PathBuf::from(line.get("cwd")?.as_str()?);
        cwd.is_absolute().then_some(cwd)
    };
    names.iter().take(MOST_SESSIONS).find_map(|name| {
        let bytes = files::beginning(&sessions.join(name), BEGINNING)?;
        String::from_utf8_lossy(&bytes).lines().find_map(said)
    })
}
