//! The one search over the facts and documents of some stores: what is asked, and what is answered.
//!
//! Invariant: facts keep their relative order, and so do documents; relevance decides between the
//! two. Must not know which stores a person means, or who asks.

mod among;
mod documents;
mod facts;
mod merged;
mod part;
mod session;

pub use super::SearchMode;
pub use among::{Among, Confined};
pub use documents::DocumentHit;
pub(crate) use documents::DocumentSearch;
pub use facts::FactHit;
pub(crate) use merged::is_weak_after;
pub(crate) use session::SearchSession;

use super::{
    Encoding,
    store::{Scope, Store},
};
use crate::identity::{
    Calendar, FactView, Finding, StandingFilter, memory::MemoryMeta as OfMemory, tag_filter,
};
use crate::knowledge::Topic;
use crate::machine::Context;
use crate::recall::{CoverageParts, Query, SearchParams, Trust, article, score, vectors::Packed};
use jiff::civil::Date;
use serde::Serialize;
use std::{collections::BTreeSet, path::PathBuf};

/// How many near facts, and documents, to report if nothing matches.
const NEAREST: usize = 3;

/// Where to search.
#[derive(Clone, Default)]
pub struct SearchedStores {
    pub stores: Vec<Store>,
    /// Numbers that another fact had until a sync renumbered it.
    pub lost: BTreeSet<u64>,
}

/// What to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerKind {
    Memory,
    Document,
}

/// A filter for facts and documents. Conditions that only facts can meet exclude documents.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecallFilter {
    /// Both if `None`.
    pub kind: Option<AnswerKind>,
    pub scope: Option<Scope>,
    /// Facts with all of these tags, as [`tag_filter`] reads them.
    pub tags: Vec<String>,
    /// Facts that were learned on this day or later.
    pub since: Option<Date>,
    /// Facts from this source: `user-told`, an agent.
    pub source: Option<String>,
    /// Facts that hold, or all.
    pub which: StandingFilter,
    /// Only these facts and documents.
    pub only: Option<Confined>,
}

impl RecallFilter {
    pub fn facts(&self) -> bool {
        self.kind != Some(AnswerKind::Document)
    }

    fn documents(&self) -> bool {
        self.kind == Some(AnswerKind::Document) || (self.kind.is_none() && self.fits_documents())
    }

    /// Whether no condition is one that only facts can meet.
    fn fits_documents(&self) -> bool {
        self.tags.is_empty() && self.since.is_none() && self.source.is_none()
    }

    /// Whether there is no filter except the scope, and the time.
    pub(crate) fn is_all(&self) -> bool {
        self.fits_documents() && self.only.is_none()
    }

    pub(crate) fn has(&self, facts: &OfMemory, calendar: &Calendar) -> bool {
        let late = |since: Date| facts.day(calendar) >= since;
        let said = |source: &String| facts.source.as_ref() == Some(source);
        tag_filter::has_all(facts.tags.iter().map(String::as_str), &self.tags)
            && self.since.is_none_or(late)
            && self.source.as_ref().is_none_or(said)
            && self.only.as_ref().is_none_or(|only| only.facts.contains(&facts.hash))
    }
}

/// A result.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Answer {
    Memory(FactHit),
    Document(Passage),
}

/// The matching part of a document.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Passage {
    pub topic: Topic,
    pub name: String,
    /// The headings above it, outermost first.
    pub heading: Vec<String>,
    pub content: String,
    pub tags: Vec<String>,
    pub updated: Option<String>,
    /// The day of `updated`.
    pub date: Option<String>,
    pub path: Option<PathBuf>,
    pub scope: Option<Scope>,
    /// Comparable only within one query, among documents.
    pub score: f64,
    /// How well it matches the question, by words or meaning, from 0 to 1.
    pub relevance: f64,
    pub why: CoverageParts,
    pub signals: article::ArticleParts,
}

impl Passage {
    fn of(answer: DocumentHit, hit: &article::Hit, calendar: &Calendar) -> Passage {
        let day = answer.updated.as_deref().and_then(|at| calendar.day_of_text(at));
        Passage {
            date: day.map(|day| day.to_string()),
            topic: answer.topic,
            name: answer.name,
            heading: answer.heading,
            content: answer.excerpt,
            tags: answer.tags,
            updated: answer.updated,
            path: answer.path,
            scope: answer.scope,
            score: answer.score,
            relevance: (hit.chunk_coverage * 100.0).round() / 100.0,
            why: hit.why,
            signals: answer.signals,
        }
    }
}

impl Answer {
    pub fn id(&self) -> Option<u64> {
        self.fact()?.fact.id
    }

    pub fn fact(&self) -> Option<&FactHit> {
        match self {
            Answer::Memory(fact) => Some(fact),
            Answer::Document(_) => None,
        }
    }
}

/// The results, best first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub query: String,
    pub count: usize,
    pub results: Vec<Answer>,
    /// The nearest facts, if nothing matches.
    pub nearest: Vec<FactView>,
    /// The nearest documents, if nothing matches.
    pub nearest_documents: Vec<Topic>,
    /// Number of facts searched, and of documents.
    pub searched: usize,
    pub documents: usize,
    /// Number of facts that were not searched, because they do not hold.
    #[serde(skip)]
    pub not_held: usize,
    /// What was searched.
    #[serde(rename = "rung")]
    pub mode: SearchMode,
    /// How far the words of the question were trusted; `None` if the encoder was not used.
    pub trust: Option<Trust>,
    /// The same for documents.
    pub trust_in_documents: Option<Trust>,
    /// Whether nothing but quoted phrases was asked for, and all results have them word for word.
    pub exact: bool,
    /// Whether no text contains a quoted phrase, so that the search was repeated without quotes.
    pub unquoted: bool,
    /// What was done to the index, or why there is none.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Why the vectors are not from the model in the settings.
    #[serde(skip)]
    pub problem: Option<String>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl Report {
    pub fn facts(&self) -> impl Iterator<Item = &FactHit> {
        self.results.iter().filter_map(Answer::fact)
    }
}

/// A question, parsed for both facts and documents.
pub(crate) struct Question {
    pub(crate) query: Query,
    encoded: Option<Packed>,
    /// From the static table or an endpoint.
    vector: Packed,
    is_by_endpoint: bool,
}

impl Question {
    pub(crate) fn encode(text: &str, encoding: &Encoding<'_>) -> Question {
        let query = Query::parse(text);
        let (encoded, vector) = (encoding.question(&query.text), Packed::default());
        Question { encoded, query, vector, is_by_endpoint: false }
    }

    pub(crate) fn asked(&self, context: &Context) -> SearchParams {
        let settings = &context.settings.recall;
        // Chosen for the endpoint's vectors, it says nothing about the built-in ones.
        let embedder = settings.embedder.as_ref().filter(|_| self.is_by_endpoint);
        let meant = embedder.and_then(|embedder| embedder.meant);
        SearchParams {
            vector: self.vector.clone(),
            encoded: self.encoded.clone(),
            meant: meant.map_or(score::MEANT, |hundredths| f64::from(hundredths) / 100.0),
            signals: settings.signals,
            calendar: context.calendar().clone(),
            today: context.calendar().day(context.now()),
        }
    }
}

/// Expected load: one query, or a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryLoad {
    OneQuestion,
    Many,
}
