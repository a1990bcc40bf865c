//! `memory recall`: which memories answer a question. Reads both scopes; needs no database and no
//! writable disk.

use super::{
    Failure,
    named::{self, Shared},
    store::{Placed, Scope, Store},
    sync,
};
use crate::identity::{Finding, Memory};
use crate::recall::{
    Asked, Candidate, Collection, Hit, Parts, Query, Searcher, Signals, dates, embed, near, score,
};
use crate::system::{Context, settings::RecallSettings};
use jiff::civil::Date;
use serde::Serialize;
use std::{collections::BTreeSet, path::PathBuf};

pub const DEFAULT_LIMIT: usize = 5;
/// How many facts are named when none answers.
const NEAREST: usize = 3;

#[derive(Clone, Debug)]
pub struct Request {
    /// The words, phrases in quotes, `OR`, `-word`.
    pub query: String,
    pub limit: usize,
    pub among: Among,
}

/// Which facts are searched.
#[derive(Clone, Debug, Default)]
pub struct Among {
    pub scope: Option<Scope>,
    /// Facts that have all of these tags, whatever their case.
    pub tags: Vec<String>,
    /// Facts that were learned on this day or later.
    pub since: Option<Date>,
    /// Facts that this one said: `user-told`, an agent.
    pub source: Option<String>,
}

impl Among {
    fn has(&self, memory: &Memory) -> bool {
        let tagged = |wanted: &String| {
            memory.tags.iter().any(|tag| tag.to_lowercase() == wanted.to_lowercase())
        };
        let late = |since: Date| {
            dates::date_of(memory.created.micros()).is_some_and(|learned| learned >= since)
        };
        let said = |source: &String| memory.source.as_ref() == Some(source);
        self.tags.iter().all(tagged)
            && self.since.is_none_or(late)
            && self.source.as_ref().is_none_or(said)
    }
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
    /// What each signal gave to the score.
    pub signals: Parts,
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
    Ok(Searched::read(context, &request.among)?.answer(context, &request.query, request.limit))
}

/// Facts that were read once, for any number of questions.
pub struct Searched {
    placed: Vec<Placed>,
    searcher: Searcher,
    /// Numbers that another fact had until a sync gave them away.
    lost: BTreeSet<u64>,
    findings: Vec<Finding>,
}

impl Searched {
    pub fn read(context: &Context, among: &Among) -> Result<Searched, Failure> {
        let (mut placed, mut findings) = (Vec::new(), Vec::new());
        for store in Store::to_read(context, among.scope)? {
            let (memories, bad) = store.memories();
            placed.extend(memories);
            findings.extend(bad);
        }
        placed.retain(|placed| among.has(&placed.memory));
        let candidates: Vec<Candidate> = placed.iter().map(candidate).collect();
        let searcher = Searcher::new(Box::new(Collection::of(&candidates)));
        let lost = sync::Last::read(&Store::at_identity(context)).lost_numbers(context.now());
        Ok(Searched { placed, searcher, lost, findings })
    }

    pub fn answer(&self, context: &Context, query: &str, limit: usize) -> Report {
        let today = dates::date_of(context.now().micros()).unwrap_or_default();
        let asked = Asked {
            vector: embed::embed(query).packed(),
            meant: score::MEANT,
            signals: signals(&context.settings.recall),
            today,
        };
        let hits = self.searcher.rank(&Query::parse(query), &asked, limit);
        let results: Vec<Answer> = hits.iter().map(|hit| self.found(hit)).collect();
        let nearest = match results.is_empty() {
            true => near::spelt_like(query, self.searcher.corpus(), NEAREST),
            false => Vec::new(),
        };
        let near = |at| {
            let answer = self.found(&Hit { at, score: 0.0, parts: Parts::default() });
            Near { handle: answer.handle, summary: self.placed[at].memory.summary() }
        };
        Report {
            query: query.to_owned(),
            count: results.len(),
            results,
            nearest: nearest.into_iter().map(near).collect(),
            searched: self.placed.len(),
            findings: self.findings.clone(),
        }
    }

    fn found(&self, hit: &Hit) -> Answer {
        let placed = &self.placed[hit.at];
        let same =
            |other: &&Placed| other.scope == placed.scope && other.memory.id == placed.memory.id;
        let was_another = placed.scope == Scope::Identity
            && placed.memory.id.is_some_and(|id| self.lost.contains(&id));
        let shared = Shared::from(was_another || self.placed.iter().filter(same).count() > 1);
        Answer {
            handle: named::of(&placed.memory, placed.scope, shared),
            id: placed.memory.id,
            content: placed.memory.text().to_owned(),
            tags: placed.memory.tags.clone(),
            created: placed.memory.created.to_string(),
            date: placed.memory.date(),
            path: placed.file.clone(),
            scope: placed.scope,
            hash: placed.memory.hash.to_string(),
            score: (hit.score * 1000.0).round() / 1000.0,
            signals: hit.parts,
        }
    }
}

fn signals(settings: &RecallSettings) -> Signals {
    let RecallSettings { meaning, context, dates, repair, expansion } = *settings;
    Signals { meaning, context, dates, repair, expansion }
}

fn candidate(placed: &Placed) -> Candidate {
    Candidate {
        body: placed.memory.text().to_owned(),
        tags: placed.memory.tags.clone(),
        created: placed.memory.created.micros(),
        tie: placed.memory.hash.tie(),
        source: placed.memory.source.clone().unwrap_or_default(),
    }
}
