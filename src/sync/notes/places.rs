//! Finds agents' notes folders on this laptop, and the project of each.
//!
//! Invariant: a folder is assigned to a project only by git or by the agent's own records, never by
//! its name; an unknown folder is left alone. Assignments are stored, so that a moved work tree
//! keeps its notes.

use super::{
    settled,
    sharing::{NotesScope, is_excluded},
};
use crate::agents::{Agent, notes};
use crate::git;
use crate::identity::project::Project;
use crate::index::store::Store;
use crate::machine::{Context, files, record};
use crate::workspace::{agent_places, layers};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// A folder with notes of one agent about one project.
pub struct NotesFolder {
    pub agent: &'static Agent,
    /// The folder below `agents/` in the identity.
    pub kept: &'static str,
    pub folder: PathBuf,
    pub project: Project,
    /// Whether it belongs to the current work tree.
    pub is_here: bool,
}

#[derive(Default)]
pub struct FolderScan {
    pub places: Vec<NotesFolder>,
    pub unknown: Vec<PathBuf>,
    /// Projects that a person excluded.
    pub excluded: BTreeSet<Project>,
    /// The folders to store, if they changed.
    register: Option<Register>,
}

impl FolderScan {
    pub fn remember(&self, own: &Path) {
        let Some(register) = &self.register else { return };
        // If it cannot be stored, the folders are searched again.
        let _ = record::write(&register_file(own), register);
    }
}

fn register_file(own: &Path) -> PathBuf {
    own.join("places.json")
}

/// The stored assignment of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct RegisteredFolder {
    agent: String,
    /// The work tree.
    root: PathBuf,
    project: String,
}

type Register = BTreeMap<PathBuf, RegisteredFolder>;

/// How many sessions to search for their working folder, and how many bytes of each.
const MAX_SESSIONS: usize = 5;
const BEGINNING: usize = 64 * 1024;

/// The enclosing work tree: root, project name and the names of other remotes.
pub struct WorkTree {
    pub root: PathBuf,
    pub project: Project,
    others: Vec<Project>,
    /// The branch that it is on.
    pub branch: Option<String>,
    /// Whether there is a repository.
    is_checkout: bool,
}

impl WorkTree {
    pub fn around(context: &Context, folder: &Path) -> WorkTree {
        let is_there = |found: &git::Checkout| found.root.clone();
        let checkout = git::checkout_of(folder);
        let root = checkout.as_ref().map_or_else(|| folder.to_owned(), is_there);
        let is_checkout = checkout.is_some();
        let (project, others, branch) = checkout
            .map_or_else(Default::default, |found| (found.project, found.others, found.branch));
        let project = project.unwrap_or_else(|| {
            let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
            let below = root.strip_prefix(&context.home).ok().map(text);
            Project::of_folder(below.as_deref(), &text(&root))
        });
        WorkTree { root, project, others, branch, is_checkout }
    }

    /// The project's name, if there is a repository or a `.co-cli`.
    pub fn named(&self, context: &Context) -> Option<String> {
        let is_project = self.is_checkout || context.project_dir().is_some();
        is_project.then(|| self.project.shown())
    }

    /// Whether it is excluded, under any of its names, or cannot be identified.
    pub fn is_excluded(&self, context: &Context) -> bool {
        self.is_left_out(context, &self.project)
    }

    fn is_left_out(&self, context: &Context, project: &Project) -> bool {
        *project == Project::unknown()
            || [project].into_iter().chain(&self.others).any(|name| is_excluded(context, name))
    }
}

pub fn find(
    context: &Context,
    store: &Store,
    agents: &[&'static Agent],
    scope: NotesScope,
) -> FolderScan {
    let before: Register =
        record::read(&register_file(&store.state.join("notes"))).unwrap_or_default();
    let (mut register, mut found) = (before.clone(), FolderScan::default());
    let here = WorkTree::around(context, &context.cwd);
    let (mut seen, mut by_project) = (BTreeSet::new(), Vec::new());
    for agent in agents.iter().copied() {
        let Some(kept) = &agent.writes.notes else { continue };
        let projects = agent_places::resolve(context, &kept.projects);
        register_folder(context, agent, &here, &projects, &mut register);
        if let Some(folder) = settled::one_folder(context, kept) {
            found.add_for_every(context, agent, (agent.name, folder), &mut seen);
            continue;
        }
        by_project.push(agent);
        if scope == NotesScope::All {
            found.unknown.extend(look_around(context, agent, &projects, &mut register));
        }
    }
    for (folder, known) in &mut register {
        let mut named = by_project.iter().copied();
        let Some(agent) = named.find(|agent| agent.name == known.agent) else { continue };
        // The stored project is enough to skip other projects.
        if !known.may_be_meant(&here, scope) {
            continue;
        }
        // Notes made where another identity stands in stay with that one.
        if !layers::owns_notes_of(context, &known.root) {
            continue;
        }
        let around = WorkTree::around(context, &known.root);
        // A repository that cannot be read at the moment keeps its project.
        if files::is_dir(&known.root) && around.project != Project::unknown() {
            known.project = around.project.to_string();
        }
        let project = Project::named(&known.project);
        if files::is_dir(folder) || files::is_dir(&known.root) {
            let kept = (agent.name, folder.clone());
            found.add(context, agent, kept, (&around, project), (&here, scope), &mut seen);
        }
    }
    for agent in agents.iter().copied() {
        let roots = roots(context, &register, agent, &here, scope);
        found.add_settled(context, store, agent, &roots, (&here, scope), &mut seen);
    }
    // A folder whose project is not known may be about any place.
    if !layers::owns_common_notes(context) {
        found.unknown.clear();
    }
    found.register = Some(register).filter(|register| *register != before);
    found
}

/// The work trees that an agent was started in, unless their notes are another identity's.
fn roots(
    context: &Context,
    register: &Register,
    agent: &Agent,
    here: &WorkTree,
    scope: NotesScope,
) -> BTreeSet<PathBuf> {
    let mine = register.values().filter(|known| known.agent == agent.name);
    let meant = mine.filter(|known| known.may_be_meant(here, scope));
    let meant = meant.filter(|known| layers::owns_notes_of(context, &known.root));
    meant.map(|known| known.root.clone()).filter(|root| files::is_dir(root)).collect()
}

impl RegisteredFolder {
    fn may_be_meant(&self, here: &WorkTree, scope: NotesScope) -> bool {
        let is_of_here = self.root == here.root || self.project == here.project.as_str();
        scope == NotesScope::All || is_of_here
    }
}

impl FolderScan {
    /// A folder about one project.
    fn add(
        &mut self,
        context: &Context,
        agent: &'static Agent,
        (kept, folder): (&'static str, PathBuf),
        (around, project): (&WorkTree, Project),
        (here, scope): (&WorkTree, NotesScope),
        seen: &mut BTreeSet<PathBuf>,
    ) {
        let is_meant = scope == NotesScope::All || project == here.project;
        if !is_meant || !seen.insert(files::resolve(&folder)) {
            return;
        }
        if around.is_left_out(context, &project) {
            self.excluded.insert(project);
            return;
        }
        let is_here = around.root == here.root;
        self.places.push(NotesFolder { agent, kept, folder, project, is_here });
    }

    /// A folder about all projects, in which notes about an excluded one cannot be recognised.
    fn add_for_every(
        &mut self,
        context: &Context,
        agent: &'static Agent,
        (kept, folder): (&'static str, PathBuf),
        seen: &mut BTreeSet<PathBuf>,
    ) {
        let project = Project::every();
        let excludes = !context.settings.agents.notes.exclude.is_empty();
        if excludes || !layers::owns_common_notes(context) {
            self.excluded.insert(project);
        } else if seen.insert(files::resolve(&folder)) {
            self.places.push(NotesFolder { agent, kept, folder, project, is_here: true });
        }
    }

    /// The folders that a project's settings name, and those of the agents that an agent starts.
    fn add_settled(
        &mut self,
        context: &Context,
        store: &Store,
        agent: &'static Agent,
        roots: &BTreeSet<PathBuf>,
        of: (&WorkTree, NotesScope),
        seen: &mut BTreeSet<PathBuf>,
    ) {
        let Some(kept) = &agent.writes.notes else { return };
        for (name, folder) in settled::of_person(context, kept) {
            if settled::has_notes(store, name, &Project::every(), &folder) {
                self.add_for_every(context, agent, (name, folder), seen);
            }
        }
        for root in roots {
            let around = WorkTree::around(context, root);
            let named = settled::of_project(context, kept, root);
            let named = named.into_iter().map(|folder| (agent.name, folder));
            let all = named.chain(settled::in_work_tree(kept, root));
            for (name, folder) in all {
                let is_settled =
                    name == agent.name || settled::has_notes(store, name, &around.project, &folder);
                // A checkout of another branch is no edit of the notes, and git merges them itself.
                let is_gits = |below: &Path| git::tracks_below(root, below);
                if is_settled && !folder.strip_prefix(root).is_ok_and(is_gits) {
                    let project = around.project.clone();
                    self.add(context, agent, (name, folder), (&around, project), of, seen);
                }
            }
        }
    }
}

/// Stores the agent's folder for the current work tree. If the agent was never started there, it
/// gets no notes.
fn register_folder(
    context: &Context,
    agent: &Agent,
    here: &WorkTree,
    projects: &Path,
    register: &mut Register,
) {
    let (Some(kept), Some(root)) = (&agent.writes.notes, here.root.to_str()) else { return };
    let named = settled::folder_name(context, kept);
    let folder = projects.join(named.unwrap_or_else(|| notes::folder_name(root)));
    let folder = folder.join(kept.folder);
    let asks = context.caller.as_ref().is_some_and(|caller| caller.client == agent.name);
    if here.project == Project::unknown() || !(asks || files::is_dir(&folder)) {
        return;
    }
    // Two paths may share a folder: it stays with the first as long as that exists.
    let known = register.get(&folder);
    if known.is_none_or(|known| known.root == here.root || !files::is_dir(&known.root)) {
        let (root, project) = (here.root.clone(), here.project.to_string());
        register.insert(folder, RegisteredFolder { agent: agent.name.to_owned(), root, project });
    }
}

/// Stores folders that are new; returns those whose project is not known.
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
                let WorkTree { root, project, .. } = WorkTree::around(context, &cwd);
                let (agent, project) = (agent.name.to_owned(), project.to_string());
                register.insert(folder, RegisteredFolder { agent, root, project });
            }
            None if has_notes() => unknown.push(folder),
            None => {}
        }
    }
    unknown
}

/// The working folder of an agent's sessions, from their records.
fn ran_in(sessions: &Path) -> Option<PathBuf> {
    let mut names = files::names(sessions);
    names.retain(|name| name.ends_with(".jsonl"));
    names.sort_by_cached_key(|name| std::cmp::Reverse(files::mtime(&sessions.join(name))));
    let said = |line: &str| -> Option<PathBuf> {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        let cwd = PathBuf::from(line.get("cwd")?.as_str()?);
        cwd.is_absolute().then_some(cwd)
    };
    names.iter().take(MAX_SESSIONS).find_map(|name| {
        let bytes = files::beginning(&sessions.join(name), BEGINNING)?;
        String::from_utf8_lossy(&bytes).lines().find_map(said)
    })
}
