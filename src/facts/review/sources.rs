//! The sources of proposals: notes about the person, what an agent was told to remember, and the
//! queue.
//!
//! Invariant: a note is one proposal as a whole: the fact with its why and how. A text that is
//! already a fact here, or cannot be one, is not proposed.

use super::{
    proposal::{Proposal, Question, id},
    queue,
};
use crate::adopt;
use crate::agents::writer;
use crate::facts::compared::Comparison;
use crate::identity::{ContentHash, answers::Answers, incoming, note::Note, validate};
use crate::index::store::{PlacedFact, Store};
use crate::machine::{Context, files};
use crate::secrets::Allowed;
use crate::sync::notes::{is_excluded, overview};
use crate::workspace::{Workspace, agent_places, guard, layers};
use std::collections::BTreeSet;

/// Open proposals, each text once, without the facts that they resemble.
pub fn waiting(context: &Context, store: &Store, answers: &Answers) -> Vec<Proposal> {
    let mut all = of_notes(context, store);
    // What an agent remembers of every place belongs to none of several identities.
    if layers::owns_common_notes(context) {
        all.extend(of_codex(context));
    }
    all.extend(queue::all(context, store, answers));
    if all.is_empty() {
        return all;
    }
    let (memories, _) = store.memories();
    let known: BTreeSet<ContentHash> = memories.iter().map(|placed| placed.memory.hash).collect();
    let mut seen = BTreeSet::new();
    all.retain(|proposal| {
        let text = &proposal.text;
        let is_fact = validate::text(text).is_ok();
        let is_clean = guard::refuse_text(text, &[], "", &Allowed::default(), "").is_ok();
        let is_open = !known.contains(&proposal.hash) && !answers.has(proposal.hash);
        is_fact && is_clean && is_open && seen.insert(proposal.hash)
    });
    all
}

pub fn proposals(ws: &Workspace, store: &Store, answers: &Answers) -> Vec<Proposal> {
    let mut all = waiting(ws, store, answers);
    let mut others = Comparison::of(store, ws);
    let mut like = |proposal: &Proposal| {
        // The reasons would hide which fact it resembles.
        let fact = proposal.text.split("\n\n").next().unwrap_or_default();
        others.like(fact, proposal.hash)
    };
    let like: Vec<Option<PlacedFact>> = all.iter().map(&mut like).collect();
    let mut views = others.views(ws, &like.iter().flatten().collect::<Vec<_>>()).into_iter();
    for (proposal, like) in all.iter_mut().zip(&like) {
        let like = like.as_ref().and_then(|placed| Some(views.next()?.whole(&placed.memory)));
        proposal.what = Question::Learn { like };
    }
    all
}

/// Agents' notes about the person.
fn of_notes(context: &Context, store: &Store) -> Vec<Proposal> {
    let all = overview::in_identity(store).into_iter();
    let all = all.filter(|((_, project), _)| !is_excluded(context, project));
    let of_project = all.flat_map(|((agent, project), notes)| {
        let about = notes.into_iter().filter(|(_, note)| note.is_about_person());
        about
            .map(|(_, note)| of_note(writer(&agent), &project.shown(), note))
            .collect::<Vec<Proposal>>()
    });
    of_project.collect()
}

fn of_note(agent: &str, project: &str, note: Note) -> Proposal {
    let hash = ContentHash::of_body(&note.text);
    Proposal {
        id: id(hash),
        hash,
        what: Question::Learn { like: None },
        tags: Vec::new(),
        agent: Some(agent.to_owned()),
        session: note.session,
        project: Some(project.to_owned()),
        at: note.modified.map(|at| at.to_string()),
        about: note.about,
        why: None,
        text: note.text,
    }
}

/// What a person told an agent to remember, from the agent's own files.
fn of_codex(context: &Context) -> Vec<Proposal> {
    let mut found = Vec::new();
    for agent in crate::agents::ALL {
        for place in agent.writes.told {
            let folder = agent_places::resolve(context, place);
            let mut names = files::names(&folder);
            names.retain(|name| name.ends_with(".md"));
            names.sort();
            for name in names {
                let Ok(Some(text)) = files::read_text(&folder.join(&name)) else { continue };
                let Some(text) = adopt::requested_memory(&incoming::plain(&text)) else { continue };
                let hash = ContentHash::of_body(&text);
                found.push(Proposal {
                    id: id(hash),
                    hash,
                    what: Question::Learn { like: None },
                    text,
                    tags: Vec::new(),
                    agent: Some(agent.name.to_owned()),
                    session: None,
                    project: None,
                    at: adopt::requested_at(&name).map(|at| at.to_string()),
                    about: None,
                    why: None,
                });
            }
        }
    }
    found
}
