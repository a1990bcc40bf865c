//! The files that are read: of agents, or those that a person names.
//!
//! Invariant: a file is read once, however many agents read it; links to folders are not followed.
//! Must not know: what is in a file.

use super::{
    folder::{Folder, MAX_FILES},
    report::Left,
};
use crate::agents::{Agent, HERE, ImportSource};
use crate::integrations::agent::{self, AgentError};
use crate::machine::{Context, files};
use crate::workspace::{Error, agent_places, layers};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// A file that may contain proposals.
#[derive(Clone)]
pub(super) struct Candidate {
    pub source: String,
    /// What a person calls the source.
    pub title: String,
    pub file: PathBuf,
}

pub(super) fn of_agents(context: &Context, names: &[String]) -> Result<Vec<Candidate>, Error> {
    let agents: Vec<&'static Agent> = match names {
        [] => crate::agents::ALL.iter().collect(),
        names => agent::named(names)?,
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    for agent in agents {
        // Project rules are taken as the person's own only if the agent was given by name.
        let meant = |known: &&ImportSource| !names.is_empty() || known.place.otherwise != HERE;
        for known in agent.import_sources.iter().filter(meant) {
            let files = files_of(&agent_places::resolve(context, &known.place), known);
            let (source, title) = (agent.name, agent.title);
            candidates.extend(files.into_iter().map(|file| Candidate {
                source: source.to_owned(),
                title: title.to_owned(),
                file,
            }));
        }
    }
    // A file that several agents read is read once.
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| seen.insert(files::resolve(&candidate.file)));
    if candidates.is_empty() {
        return Err(AgentError::NothingKept.into());
    }
    Ok(candidates)
}

fn files_of(place: &Path, known: &ImportSource) -> Vec<PathBuf> {
    if known.depth == 0 {
        return if files::is_file(place) { vec![place.to_owned()] } else { Vec::new() };
    }
    let mut found = Vec::new();
    walk(place, known.depth, known.endings, &mut found);
    found
}

fn walk(folder: &Path, depth: usize, endings: &[&str], found: &mut Vec<PathBuf>) {
    for name in files::names(folder) {
        let path = folder.join(&name);
        if found.len() >= MAX_FILES || name.starts_with('.') {
            continue;
        }
        if files::is_dir(&path) && !files::is_link(&path) && depth > 1 {
            walk(&path, depth - 1, endings, found);
        } else if endings.iter().any(|ending| name.ends_with(ending)) && files::is_file(&path) {
            found.push(path);
        }
    }
}

/// The files, and what of a folder is not read.
pub(super) fn named_by_person(
    context: &Context,
    path: &Path,
) -> Result<(Vec<Candidate>, Vec<Left>), Error> {
    let path = context.cwd.join(path);
    layers::refuse_own(context, &path)?;
    if !files::exists(&path) {
        return Err(AgentError::NoPath { path: context.shown(&path) }.into());
    }
    let (mut found, mut left) = (Vec::new(), Vec::new());
    if files::is_dir(&path) {
        let folder = Folder::of(context, &path);
        (found, left) = (folder.found, folder.left);
    } else if files::is_file(&path) {
        found.push(path.clone());
    }
    if found.is_empty() {
        return Err(AgentError::NothingIn { path: context.shown(&path) }.into());
    }
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let candidates =
        found.into_iter().map(|file| Candidate { source: name.clone(), title: name.clone(), file });
    Ok((candidates.collect(), left))
}
