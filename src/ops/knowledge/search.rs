//! `knowledge search`: documents that answer a question.
//!
//! Invariant: parts of the profile are never searched, they are in every context; documents of co
//! itself are searched like the user's own.

use super::{list::Among, part::Part, shelf::Shelf};
use crate::identity::Finding;
use crate::knowledge::{
    Entry, Topic,
    compile::{self, Limits},
    paper,
};
use crate::ops::{
    Failure,
    indexed::{Look, open_documents},
    store::{Scope, Store},
};
use crate::recall::{
    Asked, Query, Signals,
    articles::{self, Article, Articles, Hit, Parts},
    dates, embed, score,
    union::{Held, Union},
};
use crate::system::Context;
use serde::Serialize;
use std::path::PathBuf;

/// Documents of co itself have to answer as well as this, and to be called by a word of the question:
/// they are long, and have most words somewhere.
const RELEVANT_DOCS: f64 = 0.5;
/// How many that are not relevant enough are named.
const NEAREST: usize = 3;
/// Source: seed 004.
pub const DEFAULT_LIMIT: usize = 5;

/// Documents for a context.
pub struct Documented {
    pub found: Vec<compile::Found>,
    /// How many more would answer.
    pub more: usize,
    /// The best of those that are not relevant enough.
    pub below: Vec<compile::Found>,
}

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
    let mut searched = Searched::read(context, &request.among, docs)?;
    Ok(searched.answer(context, request))
}

/// Documents that are ready for any number of questions.
pub struct Searched {
    among: Among,
    docs: Vec<Entry>,
    articles: Articles<Union<Part>>,
    findings: Vec<Finding>,
}

impl Searched {
    pub fn read(context: &Context, among: &Among, docs: &[Entry]) -> Result<Searched, Failure> {
        Searched::looked(context, among, docs, Some(Look::Usual))
    }

    /// `look` is how closely an index is looked at; without one, all files are read.
    fn looked(
        context: &Context,
        among: &Among,
        docs: &[Entry],
        look: Option<Look>,
    ) -> Result<Searched, Failure> {
        let (mut parts, mut articles, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        let mut chunks = 0;
        let mut add = |(part, of_part): (Part, Vec<Article>)| {
            let moved = |article: Article| {
                let run = article.chunks.start + chunks..article.chunks.end + chunks;
                Article { chunks: run, ..article }
            };
            articles.extend(of_part.into_iter().map(moved));
            chunks += part.corpus().documents().len() as u32;
            parts.push(part);
        };
        for store in Store::to_read(context, among.scope)? {
            let opened = look.and_then(|look| open_documents(&store, context, look).ok()?);
            let bad = opened.as_ref().map(|documents| documents.findings.clone());
            let indexed = opened.and_then(|opened| Part::indexed(&store, opened, among).ok());
            match indexed {
                Some(part) => {
                    findings.extend(bad.unwrap_or_default());
                    add(part);
                }
                None => {
                    let shelf = Shelf::read(store);
                    findings.extend(shelf.findings);
                    let placed = shelf.documents.into_iter();
                    let all = placed.map(|placed| (placed.entry.clone(), Some(placed)));
                    let is_wanted = |(entry, _): &(Entry, _)| {
                        !Entry::is_always_included(entry) && among.has(entry)
                    };
                    add(Part::read(all.filter(is_wanted).collect()));
                }
            }
        }
        if among.scope.is_none() {
            let wanted = docs.iter().filter(|entry| among.has(entry));
            add(Part::read(wanted.map(|entry| (entry.clone(), None)).collect()));
        }
        let articles = Articles::new(Union::new(parts), articles);
        let (among, docs) = (among.clone(), docs.to_vec());
        Ok(Searched { among, docs, articles, findings })
    }

    /// Looks again where an answer's file was changed in its place, and reads the files where the
    /// index cannot answer.
    pub fn answer(&mut self, context: &Context, request: &Request) -> Report {
        let hits = self.hits(context, &request.query, request.limit);
        let found = hits.len();
        let mut left = request.token_budget;
        let mut results = Vec::new();
        for hit in &hits {
            let Some(mut answer) = self.found(hit) else { continue };
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
            searched: self.parts().iter().map(Part::count).sum(),
            findings: self.findings.clone(),
        }
    }

    pub fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    /// As [`Searched::answer`], for a context.
    pub fn documents(&mut self, context: &Context, query: &str, limits: Limits) -> Documented {
        let hits = self.hits(context, query, usize::MAX);
        let answers = hits.partition_point(|hit| hit.relevance >= limits.relevance);
        let (answers, below) = hits.split_at(answers);
        let found = |hit: &Hit| {
            let (entry, _) = self.entry(hit.at)?;
            Some(compile::Found { entry, relevance: hit.relevance })
        };
        Documented {
            found: answers.iter().take(limits.documents).filter_map(found).collect(),
            more: answers.len().saturating_sub(limits.documents),
            below: below.iter().take(NEAREST).filter_map(found).collect(),
        }
    }

    fn parts(&self) -> &[Part] {
        self.articles.corpus().parts()
    }

    fn hits(&mut self, context: &Context, query: &str, limit: usize) -> Vec<Hit> {
        for attempt in 0..2 {
            let hits = self.ranked(context, query, limit);
            let is_stale = hits.iter().any(|hit| self.is_stale(hit.at));
            let look = match (attempt, self.has_trouble()) {
                (_, false) if !is_stale => return hits,
                (0, true) => Some(Look::Anew),
                (0, false) => Some(Look::Whole),
                _ => None,
            };
            // Nobody writes an index that is being read.
            self.articles = Articles::new(Union::new(Vec::new()), Vec::new());
            // The stores were there a moment ago; without them nothing is found.
            if let Ok(again) = Searched::looked(context, &self.among, &self.docs, look) {
                *self = again;
            }
        }
        self.ranked(context, query, limit)
    }

    fn ranked(&self, context: &Context, query: &str, limit: usize) -> Vec<Hit> {
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
        let docs = self.parts().iter().map(Part::count).sum::<usize>() - self.docs_count();
        let is_named = |hit: &Hit| hit.parts.labels > 0.0 || hit.parts.path > 0.0;
        hits.retain(|hit| hit.at < docs || is_named(hit));
        articles::rate(&mut hits);
        hits.retain(|hit| hit.at < docs || hit.relevance >= RELEVANT_DOCS);
        articles::rate(&mut hits);
        hits.truncate(limit);
        hits
    }

    /// How many of the last documents are those of co itself.
    fn docs_count(&self) -> usize {
        match self.parts().last() {
            Some(part @ Part::Read { documents, .. })
                if documents.iter().all(|(entry, _)| !entry.is_editable()) =>
            {
                part.count()
            }
            _ => 0,
        }
    }

    /// The part of a document, and its place there.
    fn within(&self, at: usize) -> Option<(&Part, usize)> {
        let mut rest = at;
        for part in self.parts() {
            match rest.checked_sub(part.count()) {
                None => return Some((part, rest)),
                Some(left) => rest = left,
            }
        }
        None
    }

    fn is_stale(&self, at: usize) -> bool {
        match self.within(at) {
            Some((Part::Indexed { searched, .. }, at)) => searched.is_stale(at),
            _ => false,
        }
    }

    fn has_trouble(&self) -> bool {
        self.parts().iter().any(|part| match part {
            Part::Read { .. } => false,
            Part::Indexed { searched, .. } => searched.has_trouble(),
        })
    }

    /// A document, and where it is; those of co itself are nowhere.
    fn entry(&self, at: usize) -> Option<(Entry, Option<(Scope, PathBuf)>)> {
        match self.within(at)? {
            (Part::Read { documents, .. }, at) => {
                let (entry, placed) = &documents[at];
                let place = placed.as_ref().map(|placed| (placed.scope, placed.file.clone()));
                Some((entry.clone(), place))
            }
            (Part::Indexed { store, searched }, at) => {
                let path = &searched.documents.papers[at].path;
                let place = (store.scope, store.shown.join(path.as_str()));
                Some((searched.entry(at)?, Some(place)))
            }
        }
    }

    fn found(&self, hit: &Hit) -> Option<Answer> {
        let (entry, place) = self.entry(hit.at)?;
        let first = self.articles.chunks_of_article(hit.at).start;
        let chunk = paper::places(&entry).get((hit.chunk - first) as usize).cloned();
        let round = |value: f64, by: f64| (value * by).round() / by;
        let (scope, path) = place.unzip();
        Some(Answer {
            updated: entry.latest().map(|stamp| stamp.to_string()),
            relevance: round(hit.relevance, 100.0),
            score: round(hit.score, 1000.0),
            signals: hit.parts,
            excerpt: chunk.map_or_else(String::new, |chunk| entry.text[chunk].to_owned()),
            truncated: false,
            tokens: crate::context::layers::tokens(entry.text.len()),
            topic: entry.topic,
            name: entry.name,
            description: entry.description,
            tags: entry.tags,
            kind: entry.kind,
            source: entry.source,
            content: entry.text,
            scope,
            path,
        })
    }
}
