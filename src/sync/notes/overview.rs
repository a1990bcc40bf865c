//! `agent notes`: lists the notes, and what the next sync would do with them.
//!
//! Invariant: writes nothing.

use super::{
    exchange,
    places::{self, WorkTree},
    report::Exchanged,
    sharing::{NotesScope, is_excluded, shared},
};
use crate::agents::{self, Agent};
use crate::identity::{
    Kind, RelPath,
    kind::NOTES,
    note::{INDEX, Note},
    project::Project,
};
use crate::index::store::Store;
use crate::machine::{files, folder};
use crate::workspace::{Error, Workspace};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotesOverview {
    /// Agents whose notes co can share, and whether it does.
    pub agents: Vec<AgentNotes>,
    /// Agents' folders on this laptop, with what would happen.
    pub folders: Vec<Exchanged>,
    /// Notes of projects that have a folder only on other laptops.
    pub elsewhere: Vec<RemoteNotes>,
    pub unknown: Vec<std::path::PathBuf>,
    /// The notes of the current project, if asked for.
    pub notes: Vec<Titled>,
    /// The current project.
    pub project: String,
    /// Excluded projects: those with notes here, and the current one.
    pub excluded: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AgentNotes {
    pub name: &'static str,
    pub title: &'static str,
    pub shared: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RemoteNotes {
    pub agent: String,
    pub project: String,
    pub notes: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Titled {
    pub agent: String,
    pub file: String,
    pub says: String,
}

pub fn run(ws: &Workspace, scope: NotesScope) -> Result<NotesOverview, Error> {
    let store = ws.identity()?;
    let own = store.state.join("notes");
    let here = WorkTree::around(ws, &ws.cwd).project;
    let shared = shared(ws);
    let mut found = places::find(ws, store, &shared, scope);
    if is_excluded(ws, &here) {
        found.excluded.insert(here.clone());
    }
    let folders: Vec<Exchanged> =
        found.places.iter().map(|place| exchange::preview(ws, store, &own, place)).collect();
    let all = in_identity(store);
    let is_here = |agent: &str, project: &Project| {
        folders.iter().any(|one| one.kept == agent && one.project == project.shown())
    };
    let is_meant = |project: &Project| scope == NotesScope::All || *project == here;
    let of_others =
        all.iter().filter(|((agent, project), _)| is_meant(project) && !is_here(agent, project));
    let elsewhere = of_others.map(|((agent, project), notes)| RemoteNotes {
        agent: agent.clone(),
        project: project.shown(),
        notes: notes.len(),
    });
    let elsewhere = elsewhere.collect();
    let mine = all.iter().filter(|((_, project), _)| scope == NotesScope::Here && *project == here);
    let notes = mine.flat_map(|((agent, _), notes)| {
        notes.iter().map(|(file, note)| Titled {
            agent: agent.clone(),
            file: file.clone(),
            says: note.says(),
        })
    });
    let able = agents::ALL.iter().filter(|agent| agent.writes.notes.is_some());
    Ok(NotesOverview {
        notes: notes.collect(),
        agents: able.map(|agent| of_agent(agent, &shared)).collect(),
        folders,
        elsewhere,
        excluded: found.excluded.iter().map(Project::shown).collect(),
        unknown: found.unknown,
        project: here.shown(),
    })
}

fn of_agent(agent: &'static Agent, shared: &[&'static Agent]) -> AgentNotes {
    let shared = shared.iter().any(|one| one.name == agent.name);
    AgentNotes { name: agent.name, title: agent.title, shared }
}

type Notes = Vec<(String, Note)>;

/// The notes of each agent about a project.
pub fn of_project(store: &Store, project: &Project) -> Vec<(String, Notes)> {
    let agents = files::names(&store.root.join(NOTES)).into_iter();
    let of = |agent: String| {
        let below = format!("{NOTES}{agent}/{project}/");
        let notes = read(store, &below).remove(&(agent.clone(), project.clone()))?;
        Some((agent, notes))
    };
    agents.filter_map(of).collect()
}

/// Every note in the identity, by agent and project.
pub fn in_identity(store: &Store) -> BTreeMap<(String, Project), Notes> {
    read(store, NOTES)
}

fn read(store: &Store, below: &str) -> BTreeMap<(String, Project), Notes> {
    let reading = folder::read_below(&store.root, below);
    let mut all: BTreeMap<(String, Project), Notes> = BTreeMap::new();
    for (path, blob) in reading.snapshot.iter().filter(|(path, _)| is_note(path)) {
        let mut parts = path.as_str().splitn(4, '/').skip(1);
        let (Some(agent), Some(project), Some(file)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let note = Note::lenient(blob);
        let key = (agent.to_owned(), Project::named(project));
        all.entry(key).or_default().push((file.to_owned(), note));
    }
    all
}

fn is_note(path: &RelPath) -> bool {
    path.kind() == Kind::Note && path.name() != INDEX
}
