//! `memory recall`: which memories answer a question. Reads both scopes; needs no database and no
//! writable disk.

use super::{
    Failure,
    named::{self, Shared},
    store::{Placed, Scope, Store},
};
use crate::identity::Finding;
use crate::recall::{self, Candidate, Query, near};
use crate::system::Context;
use serde::Serialize;
use std::path::PathBuf;

pub const DEFAULT_LIMIT: usize = 5;
/// How many facts are named when none answers.
const NEAREST: usize = 3;

#[derive(Clone, Debug)]
pub struct Request {
    /// The words, phrases in quotes, `OR`, `-word`.
    pub query: String,
    pub limit: usize,
    pub scope: Option<Scope>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    pub id: Option<u64>,
    /// Names it uniquely: `12`, or `12-3fa9` where memories share the number.
    pub handle: String,
    pub content: String,
    pub tags: Vec<String>,
    /// In UTC, as every stamp of a report.
    pub created: String,
    /// The day it was learned, as its file says: in the zone of whoever wrote it.
    #[serde(skip)]
    pub date: String,
    pub path: PathBuf,
    pub scope: Scope,
    pub hash: String,
    /// Comparable only within one query.
    pub score: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Near {
    pub handle: String,
    pub summary: String,
}

/// The answers, best first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub query: String,
    pub count: usize,
    pub results: Vec<Answer>,
    /// Without an answer: the facts with words that are spelt most like the query's.
    pub nearest: Vec<Near>,
    /// How many facts were searched.
    pub searched: usize,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

pub fn run(context: &Context, request: &Request) -> Result<Report, Failure> {
    let (mut placed, mut findings) = (Vec::new(), Vec::new());
    for store in Store::to_read(context, request.scope)? {
        let (memories, bad) = store.memories();
        placed.extend(memories);
        findings.extend(bad);
    }
    let candidates: Vec<Candidate> = placed.iter().map(candidate).collect();
    let hits = recall::rank(&Query::parse(&request.query), &candidates, request.limit);
    let results: Vec<Answer> =
        hits.iter().map(|hit| answer(&placed, hit.at, &candidates[hit.at], hit.score)).collect();
    let nearest = match results.is_empty() {
        true => near::spelt_like(&request.query, &candidates, NEAREST),
        false => Vec::new(),
    };
    let near = |at| {
        let answer = answer(&placed, at, &candidates[at], 0.0);
        Near { handle: answer.handle, summary: placed[at].memory.summary() }
    };
    Ok(Report {
        query: request.query.clone(),
        count: results.len(),
        results,
        nearest: nearest.into_iter().map(near).collect(),
        searched: candidates.len(),
        findings,
    })
}

fn candidate(placed: &Placed) -> Candidate {
    Candidate {
        body: placed.memory.text().to_owned(),
        tags: placed.memory.tags.clone(),
        created: placed.memory.created.micros(),
    }
}

fn answer(all: &[Placed], at: usize, candidate: &Candidate, score: f64) -> Answer {
    let placed = &all[at];
    let same = |other: &&Placed| other.scope == placed.scope && other.memory.id == placed.memory.id;
    let shared = Shared::from(all.iter().filter(same).count() > 1);
    let handle = named::of(&placed.memory, placed.scope, shared);
    Answer {
        handle,
        id: placed.memory.id,
        content: candidate.body.clone(),
        tags: placed.memory.tags.clone(),
        created: placed.memory.created.to_string(),
        date: placed.memory.date(),
        path: placed.file.clone(),
        scope: placed.scope,
        hash: placed.memory.hash.to_string(),
        score: (score * 1000.0).round() / 1000.0,
    }
}
