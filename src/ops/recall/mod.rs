//! `memory recall`: what answers a question, facts and documents in one order. Reads both scopes; needs
//! no database and no writable disk.
//!
//! Invariant: facts keep their order among each other, and documents theirs; how much of the question
//! each has, or means, decides between the two.

mod cache;
mod facts;
mod merged;
mod searched;

use super::{
    Error,
    catalog::Encoding,
    knowledge::search,
    store::{Scope, Store},
};
use crate::identity::{Finding, memory::MemoryMeta as OfMemory};
use crate::knowledge::Topic;
use crate::recall::{
    Query, SearchParams, Signals, Trust, Why, article, dates, score, vectors::Packed,
};
use crate::system::{Context, recall_log, settings::RecallSettings};
use jiff::civil::Date;
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeSet, path::PathBuf};

pub use super::catalog::SearchMode;
pub use cache::{Asking, Ready};
pub use facts::{Near, RecalledFact};
use searched::SearchSession;

pub const DEFAULT_LIMIT: usize = 5;
/// How many facts are named when none answers.
const NEAREST: usize = 3;
/// How many facts a context shows because they were recalled.
const MAX_RECALLED: usize = 10;
/// For how long that counts, in microseconds: eight weeks.
const WEEKS: i64 = 8 * 7 * 24 * 60 * 60 * 1_000_000;

#[derive(Clone, Debug)]
pub struct Request {
    /// The words, phrases in quotes, `OR`, `-word`.
    pub query: String,
    pub limit: usize,
    pub among: RecallFilter,
}

/// What is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerKind {
    Memory,
    Document,
}

/// Which facts and documents are searched. What only facts have leaves the documents out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecallFilter {
    /// Both, where none is named.
    pub kind: Option<AnswerKind>,
    pub scope: Option<Scope>,
    /// Facts that have all of these tags, whatever their case.
    pub tags: Vec<String>,
    /// Facts that were learned on this day or later.
    pub since: Option<Date>,
    /// Facts that this one said: `user-told`, an agent.
    pub source: Option<String>,
}

impl RecallFilter {
    fn facts(&self) -> bool {
        self.kind != Some(AnswerKind::Document)
    }

    fn documents(&self) -> bool {
        self.kind == Some(AnswerKind::Document) || (self.kind.is_none() && self.is_all())
    }

    /// Whether nothing but the scope was asked for.
    pub(super) fn is_all(&self) -> bool {
        self.tags.is_empty() && self.since.is_none() && self.source.is_none()
    }

    pub(super) fn has(&self, facts: &OfMemory) -> bool {
        let tagged = |wanted: &String| {
            facts.tags.iter().any(|tag| tag.to_lowercase() == wanted.to_lowercase())
        };
        let late = |since: Date| {
            dates::date_of(facts.created.micros()).is_some_and(|learned| learned >= since)
        };
        let said = |source: &String| facts.source.as_ref() == Some(source);
        self.tags.iter().all(tagged)
            && self.since.is_none_or(late)
            && self.source.as_ref().is_none_or(said)
    }
}

/// What answers.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Answer {
    Memory(RecalledFact),
    Document(Passage),
}

/// The part of a document that answers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Passage {
    pub topic: Topic,
    pub name: String,
    /// The headings above it, from the outermost on.
    pub heading: Vec<String>,
    pub content: String,
    pub tags: Vec<String>,
    pub updated: Option<String>,
    pub path: Option<PathBuf>,
    pub scope: Option<Scope>,
    /// Comparable only within one query, among documents.
    pub score: f64,
    /// How much of the question it has, or means, from 0 to 1.
    pub relevance: f64,
    pub why: Why,
    pub signals: article::ArticleParts,
}

impl Passage {
    fn of(answer: search::DocumentHit, hit: &article::Hit) -> Passage {
        Passage {
            topic: answer.topic,
            name: answer.name,
            heading: answer.heading,
            content: answer.excerpt,
            tags: answer.tags,
            updated: answer.updated,
            path: answer.path,
            scope: answer.scope,
            score: answer.score,
            relevance: (hit.best * 100.0).round() / 100.0,
            why: hit.why,
            signals: answer.signals,
        }
    }
}

impl Answer {
    pub fn id(&self) -> Option<u64> {
        self.fact()?.id
    }

    pub fn fact(&self) -> Option<&RecalledFact> {
        match self {
            Answer::Memory(fact) => Some(fact),
            Answer::Document(_) => None,
        }
    }
}

/// The answers, best first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub query: String,
    pub count: usize,
    pub results: Vec<Answer>,
    /// Without an answer: the facts that come nearest to one.
    pub nearest: Vec<Near>,
    /// How many facts were searched, and documents.
    pub searched: usize,
    pub documents: usize,
    /// What found them.
    pub rung: SearchMode,
    /// How far the words of the question were trusted; None where the encoder was not asked.
    pub trust: Option<Trust>,
    /// As far as the documents are concerned.
    pub trust_in_documents: Option<Trust>,
    /// Whether nothing has a quoted phrase, and it was looked for without the quotes.
    pub unquoted: bool,
    /// What was done to the catalog, or why there is none.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Why the vectors are not those of the model in the settings.
    #[serde(skip)]
    pub problem: Option<String>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl Report {
    pub fn facts(&self) -> impl Iterator<Item = &RecalledFact> {
        self.results.iter().filter_map(Answer::fact)
    }
}

pub fn run(context: &Context, request: &Request) -> Result<Report, Error> {
    let mut searched = SearchSession::read(context, &request.among, QueryLoad::OneQuestion)?;
    let report = searched.answer(context, &request.query, request.limit);
    noted(context, &report);
    Ok(report)
}

/// Notes what was found.
fn noted(context: &Context, report: &Report) {
    let ties: Vec<u64> = report.facts().map(|fact| fact.hash_prefix).collect();
    recall_log::note(&recalled(context), &ties, context.now().micros());
}

/// Where it is noted what questions found.
fn recalled(context: &Context) -> PathBuf {
    Store::at_identity(context).state.join("recalled")
}

/// What was recalled within so many microseconds, by the ties of hashes; `None` where this laptop does
/// not remember that far back.
pub(super) fn recalled_within(context: &Context, span: i64) -> Option<BTreeSet<u64>> {
    let (file, since) = (recalled(context), context.now().micros() - span);
    let read: BTreeSet<u64> = recall_log::counts(&file, since).into_keys().collect();
    (recall_log::first(&file)? <= since).then_some(read)
}

/// The facts that questions of the last weeks found more than once, by
/// [`ContentHash::tie`](crate::identity::ContentHash::tie), most often first.
pub(super) fn most_recalled(context: &Context) -> Vec<u64> {
    let counts = recall_log::counts(&recalled(context), context.now().micros() - WEEKS);
    let mut often: Vec<(u64, u32)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    often.sort_by_key(|(hash_prefix, count)| (Reverse(*count), *hash_prefix));
    often.into_iter().take(MAX_RECALLED).map(|(hash_prefix, _)| hash_prefix).collect()
}

/// A question as it is asked of facts and of documents.
pub(super) struct Question {
    pub(super) query: Query,
    encoded: Option<Packed>,
}

impl Question {
    pub(super) fn of(text: &str, encoding: &Encoding<'_>) -> Question {
        let query = Query::parse(text);
        Question { encoded: encoding.question(&query.meant), query }
    }

    /// `vector` is by the static table, or by an endpoint.
    pub(super) fn asked(&self, context: &Context, vector: Packed) -> SearchParams {
        let settings = &context.settings.recall;
        let meant = settings.embedder.as_ref().and_then(|embedder| embedder.meant);
        SearchParams {
            vector,
            encoded: self.encoded.clone(),
            meant: meant.map_or(score::MEANT, |hundredths| f64::from(hundredths) / 100.0),
            signals: signals(settings),
            today: dates::date_of(context.now().micros()).unwrap_or_default(),
        }
    }
}

fn signals(settings: &RecallSettings) -> Signals {
    let RecallSettings { meaning, context, dates, repair, expansion, .. } = *settings;
    Signals { meaning, context, dates, repair, expansion }
}

/// Expected load: one query, or a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryLoad {
    OneQuestion,
    Many,
}
