//! The proposals queued on this laptop: from agents that have to ask, and from imports left to a
//! review.
//!
//! Invariant: in `local/`, never synced, readable by the user alone. An answer does not remove a
//! proposal, so that an undo of the review asks again; old answered ones are deleted.

use super::{
    answered,
    proposal::{Proposal, Question, id},
};
use crate::identity::{ContentHash, Memory, Stamp, answers::Answers, provenance::Provenance};
use crate::index::store::Store;
use crate::machine::{Context, files, record};
use crate::workspace::{Error, Workspace};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The most proposals kept; further ones are refused with a message to the agent.
const MAX: usize = 1_000;
const ANSWERED_KEPT: i64 = 90 * 24 * 60 * 60 * Stamp::SECOND;

/// A queued proposal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::facts) struct Queued {
    pub text: String,
    #[serde(default)]
    pub tags: Vec<String>,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub project: Option<String>,
    pub at: String,
    pub why: Option<String>,
}

impl Queued {
    pub fn of(text: &str, tags: &[String], from: &Provenance, at: Stamp) -> Queued {
        Queued {
            text: text.to_owned(),
            tags: tags.to_vec(),
            agent: from.agent.clone(),
            session: from.session.clone(),
            project: from.project.clone(),
            at: at.to_string(),
            why: None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum Put {
    New,
    Waiting,
    Answered,
    /// The queue is full.
    Full,
}

/// What became of the facts of an import.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PutAll {
    /// How many of them wait, also those that did before.
    pub waiting: usize,
    /// How many the queue has no room for.
    pub refused: usize,
}

/// Queues facts of an import for a review.
pub fn put_all(ws: &Workspace, facts: &[Memory]) -> Result<PutAll, Error> {
    let store = ws.identity()?;
    let mut all = PutAll::default();
    for fact in facts {
        let from = Provenance { agent: fact.source.clone(), ..Provenance::default() };
        let queued = Queued::of(fact.text(), &fact.tags, &from, fact.created);
        match put(store, &queued)? {
            Put::New | Put::Waiting => all.waiting += 1,
            Put::Full => all.refused += 1,
            Put::Answered => {}
        }
    }
    Ok(all)
}

pub(in crate::facts) fn put(store: &Store, queued: &Queued) -> Result<Put, Error> {
    let hash = ContentHash::of_body(&queued.text);
    let file = file(store, hash);
    if answered::answers(store).has(hash) {
        return Ok(Put::Answered);
    }
    if files::exists(&file) {
        return Ok(Put::Waiting);
    }
    if files::names(&folder(store)).len() >= MAX {
        return Ok(Put::Full);
    }
    record::write(&file, queued)?;
    Ok(Put::New)
}

/// The queued proposals, oldest first.
pub fn all(context: &Context, store: &Store, answers: &Answers) -> Vec<Proposal> {
    let mut found: Vec<(String, Proposal)> = Vec::new();
    for name in files::names(&folder(store)) {
        let file = folder(store).join(&name);
        let Some(queued) = record::read::<Queued>(&file) else { continue };
        let hash = ContentHash::of_body(&queued.text);
        let is_old = files::mtime(&file).is_some_and(|at| at.plus(ANSWERED_KEPT) < context.now());
        if is_old && answers.has(hash) {
            let _ = files::discard(&file);
            continue;
        }
        let at = queued.at.clone();
        found.push((at, proposal(queued, hash)));
    }
    found.sort_by(|a, b| (&a.0, &a.1.text).cmp(&(&b.0, &b.1.text)));
    found.into_iter().map(|(_, proposal)| proposal).collect()
}

fn proposal(queued: Queued, hash: ContentHash) -> Proposal {
    Proposal {
        id: id(hash),
        hash,
        what: Question::Learn { like: None },
        text: queued.text,
        tags: queued.tags,
        agent: queued.agent,
        session: queued.session,
        project: queued.project,
        at: Some(queued.at),
        about: None,
        why: queued.why,
    }
}

pub fn folder(store: &Store) -> PathBuf {
    store.state.join("review")
}

fn file(store: &Store, hash: ContentHash) -> PathBuf {
    folder(store).join(format!("{}.json", hash.short(32)))
}
