//! `knowledge search`: documents that answer a question.
//!
//! Invariant: parts of the profile are never searched, they are in every context; documents of co
//! itself are searched like the user's own.

use super::{
    list::Among,
    shelf::{Placed, Shelf},
};
use crate::identity::{Finding, Stamp};
use crate::knowledge::{Entry, Topic, chunks, compile};
use crate::ops::{Failure, store::Scope};
use crate::recall::{
    Asked, Candidate, Collection, Query, Signals,
    articles::{Article, Articles, Hit, Parts},
    dates, embed, score, tokens,
};
use crate::system::Context;
use serde::Serialize;
use std::path::PathBuf;

/// Documents of co itself have to answer as well as this.
const RELEVANT_DOCS: f64 = 0.5;
/// Source: seed 004.
pub const DEFAULT_LIMIT: usize = 5;

#[derive(Clone, Debug)]
pub struct Request {
    pub query: String,
    pub limit: usize,
    pub among: Among,
    /// Tokens that all texts together may have.
    pub token_budget: Option<usize>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    pub topic: Topic,
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub source: Option<String>,
    pub updated: Option<String>,
    /// From 0 to 1.
    pub relevance: f64,
    /// Comparable only within one query.
    pub score: f64,
    pub signals: Parts,
    /// The part of the text that answers best.
    pub excerpt: String,
    pub content: String,
    /// Whether the text was cut to the budget, and how many tokens it has whole.
    pub truncated: bool,
    pub tokens: usize,
    pub scope: Option<Scope>,
    pub path: Option<PathBuf>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub query: String,
    pub count: usize,
    pub results: Vec<Answer>,
    /// How many documents were searched.
    pub searched: usize,
    /// Documents that answer, but for which the budget had no room.
    pub left_out: usize,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

pub fn run(context: &Context, request: &Request, docs: &[Entry]) -> Result<Report, Failure> {
    let searched = Searched::read(context, &request.among, docs)?;
    Ok(searched.answer(context, request))
}

/// Documents that are ready for any number of questions.
pub struct Searched {
    articles: Articles<Collection>,
    documents: Vec<(Entry, Option<Placed>)>,
    findings: Vec<Finding>,
}

impl Searched {
    pub fn read(context: &Context, among: &Among, docs: &[Entry]) -> Result<Searched, Failure> {
        let (mut documents, mut findings) = (Vec::new(), Vec::new());
        for shelf in Shelf::all(context, among.scope)? {
            let placed = shelf.documents.into_iter();
            documents.extend(placed.map(|placed| (placed.entry.clone(), Some(placed))));
            findings.extend(shelf.findings);
        }
        if among.scope.is_none() {
            documents.extend(docs.iter().map(|entry| (entry.clone(), None)));
        }
        documents.retain(|(entry, _)| !entry.is_always_included() && among.has(entry));
        let (mut candidates, mut articles) = (Vec::new(), Vec::new());
        for (entry, _) in &documents {
            let start = candidates.len() as u32;
            candidates.extend(candidates_of(entry));
            articles.push(article(entry, start..candidates.len() as u32));
        }
        let articles = Articles::new(Collection::of(&candidates), articles);
        Ok(Searched { articles, documents, findings })
    }

    pub fn answer(&self, context: &Context, request: &Request) -> Report {
        let hits = self.hits(context, &request.query, request.limit);
        let found = hits.len();
        let mut left = request.token_budget;
        let mut results = Vec::new();
        for hit in hits {
            let mut answer = self.found(&hit);
            if let Some(most) = left {
                if most == 0 {
                    break;
                }
                answer.content = compile::truncated(&answer.content, most);
                answer.truncated = answer.tokens > most;
                left = Some(most.saturating_sub(answer.tokens));
            }
            results.push(answer);
        }
        Report {
            query: request.query.clone(),
            count: results.len(),
            left_out: found - results.len(),
            results,
            searched: self.documents.len(),
            findings: self.findings.clone(),
        }
    }

    pub fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    /// As [`Searched::answer`], for a context.
    pub fn documents(&self, context: &Context, query: &str, limit: usize) -> Vec<compile::Found> {
        let found = |hit: &Hit| compile::Found {
            entry: self.documents[hit.at].0.clone(),
            relevance: hit.relevance,
        };
        self.hits(context, query, limit).iter().map(found).collect()
    }

    fn hits(&self, context: &Context, query: &str, limit: usize) -> Vec<Hit> {
        let parsed = Query::parse(query);
        let settings = &context.settings.recall;
        let signals = Signals {
            meaning: settings.meaning,
            context: false,
            dates: settings.dates,
            repair: settings.repair,
            // Documents say a thing in several words themselves.
            expansion: false,
        };
        let asked = Asked {
            vector: embed::embed(&parsed.meant).packed(),
            meant: score::MEANT,
            signals,
            today: dates::date_of(context.now().micros()).unwrap_or_default(),
        };
        let mut hits = self.articles.rank(&parsed, &asked, usize::MAX);
        hits.retain(|hit| self.documents[hit.at].0.is_editable() || hit.relevance >= RELEVANT_DOCS);
        hits.truncate(limit);
        hits
    }

    fn found(&self, hit: &Hit) -> Answer {
        let (entry, placed) = &self.documents[hit.at];
        let first = self.articles.chunks_of_article(hit.at).start;
        let chunk = chunks::of(&entry.text).get((hit.chunk - first) as usize).cloned();
        let round = |value: f64, by: f64| (value * by).round() / by;
        Answer {
            topic: entry.topic.clone(),
            name: entry.name.clone(),
            description: entry.description.clone(),
            tags: entry.tags.clone(),
            kind: entry.kind.clone(),
            source: entry.source.clone(),
            updated: entry.latest().map(|stamp| stamp.to_string()),
            relevance: round(hit.relevance, 100.0),
            score: round(hit.score, 1000.0),
            signals: hit.parts,
            excerpt: chunk.map_or_else(String::new, |chunk| entry.text[chunk].to_owned()),
            content: entry.text.clone(),
            truncated: false,
            tokens: crate::context::layers::tokens(entry.text.len()),
            scope: placed.as_ref().map(|placed| placed.scope),
            path: placed.as_ref().map(|placed| placed.file.clone()),
        }
    }
}

/// The chunks of a document. The first has its labels, its name and its path, which are searched
/// like tags.
fn candidates_of(entry: &Entry) -> Vec<Candidate> {
    let mut labels: Vec<String> = entry.labels().map(str::to_owned).collect();
    labels.extend(path_of(entry));
    labels.push(entry.name.clone());
    let mut chunks = chunks::of(&entry.text);
    if chunks.is_empty() {
        chunks.push(0..0);
    }
    let created = created(entry);
    let candidate = |(at, chunk): (usize, std::ops::Range<usize>)| Candidate {
        body: entry.text[chunk].to_owned(),
        tags: if at == 0 { labels.clone() } else { Vec::new() },
        created,
        tie: at as u64,
        source: String::new(),
    };
    chunks.into_iter().enumerate().map(candidate).collect()
}

fn article(entry: &Entry, chunks: std::ops::Range<u32>) -> Article {
    Article { chunks, path: path_of(entry), created: created(entry) }
}

fn path_of(entry: &Entry) -> Vec<String> {
    entry.topic.parts().flat_map(tokens::words).collect()
}

/// The day in its name (`2025-12-22-planning`), else when it was written.
fn created(entry: &Entry) -> i64 {
    let day = entry.topic.name().get(..10).and_then(Stamp::parse).map(|read| read.stamp);
    day.or(entry.created).or(entry.updated).map_or(0, |stamp| stamp.micros())
}
