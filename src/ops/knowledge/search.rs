//! `knowledge search`: finds documents that answer a question.
//!
//! Invariant: documents for every context are not searched, unless they opt in; co's own documents
//! are searched like the user's where they are asked for, and must match by name elsewhere.

use super::{
    list::Among,
    part::DocumentSource,
    store_documents::{PlacedDocument, StoreDocuments},
};
use crate::identity::{Finding, kind::MEMORIES};
use crate::knowledge::{
    DocSummary, Namespace, Topic,
    compile::{self, Limits},
    excerpt, headings, indexing,
};
use crate::ops::workspace::Workspace;
use crate::ops::{
    Error,
    index::{Budget, Encoding, Freshness, Sources, Wanted, holds_secret, kept_out},
    recall::Question,
    store::Scope,
};
use crate::recall::{
    Ranked, SearchParams, Signals,
    article::{self, Article, ArticleParts, Hit},
    articles::Articles,
    embed, query, score,
    union::{AsCorpus, Union},
};
use crate::system::{Context, index::Unit};
use serde::Serialize;
use std::path::PathBuf;

/// The minimum relevance of co's own documents, which also have to match by name or label: they are
/// long, and contain most words somewhere.
const RELEVANT_DOCS: f64 = 0.5;
/// How many of the not relevant enough documents are reported.
const NEAREST: usize = 3;
/// How many documents a search returns unless told otherwise.
pub const DEFAULT_LIMIT: usize = 5;
/// Token budget for the texts of all results together.
pub const DEFAULT_TOKENS: usize = 4_000;

/// Documents for a context.
pub struct Documented {
    pub found: Vec<compile::RankedDocument>,
    /// How many more documents match.
    pub more: usize,
    /// The best of the documents that are not relevant enough.
    pub below: Vec<compile::RankedDocument>,
}

#[derive(Clone, Debug)]
pub struct Request {
    pub query: String,
    pub limit: usize,
    pub among: Among,
    /// The token budget for all texts together.
    pub token_budget: Option<usize>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DocumentHit {
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
    pub signals: ArticleParts,
    /// The part of the text that matches best, and the headings above it.
    pub excerpt: String,
    pub heading: Vec<String>,
    pub content: String,
    /// Whether the text was cut to the budget, and its full number of tokens.
    pub truncated: bool,
    pub tokens: usize,
    pub scope: Option<Scope>,
    pub path: Option<PathBuf>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub query: String,
    pub count: usize,
    pub results: Vec<DocumentHit>,
    /// Number of documents searched.
    pub searched: usize,
    /// Number of matching documents for which the budget had no room.
    pub left_out: usize,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

pub fn run(ws: &Workspace, request: &Request, docs: &[DocSummary]) -> Result<Report, Error> {
    let mut searched = DocumentSearch::read(ws, &request.among, docs)?;
    Ok(searched.answer(ws, request))
}

/// Documents loaded for any number of questions.
pub struct DocumentSearch {
    among: Among,
    docs: Vec<DocSummary>,
    articles: Articles<Union<DocumentSource>>,
    findings: Vec<Finding>,
}

impl DocumentSearch {
    pub fn read(
        ws: &Workspace,
        among: &Among,
        docs: &[DocSummary],
    ) -> Result<DocumentSearch, Error> {
        DocumentSearch::open_at(ws, among, docs, Some(Freshness::Usual))
    }

    fn open_at(
        ws: &Workspace,
        among: &Among,
        docs: &[DocSummary],
        freshness: Option<Freshness>,
    ) -> Result<DocumentSearch, Error> {
        let (scope, units, budget) = (among.scope, &[Unit::Documents], Budget::Blink);
        let sources = Sources::open(ws, Wanted { scope, units, look: freshness, budget })?;
        Ok(DocumentSearch::of(&sources, among, docs, &Encoding::of(ws, budget)))
    }

    /// `docs` are co's own documents.
    pub(in crate::ops) fn of(
        sources: &Sources,
        among: &Among,
        docs: &[DocSummary],
        encoding: &Encoding<'_>,
    ) -> DocumentSearch {
        let (mut parts, mut articles, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        let mut chunks = 0;
        let mut add = |(part, of_part): (DocumentSource, Vec<Article>)| {
            let moved = |article: Article| {
                let run = article.chunks.start + chunks..article.chunks.end + chunks;
                Article { chunks: run, ..article }
            };
            articles.extend(of_part.into_iter().map(moved));
            chunks += part.corpus().documents().len() as u32;
            parts.push(part);
        };
        for (store, opened) in &sources.stores {
            let indexed = opened.as_ref().and_then(|opened| {
                let documents = opened.documents(store).ok()?;
                let part = DocumentSource::indexed(store, documents, among, encoding).ok()?;
                let of_documents = |finding: &&Finding| !finding.path.starts_with(MEMORIES);
                findings.extend(opened.findings.iter().filter(of_documents).cloned());
                Some(part)
            });
            add(indexed.unwrap_or_else(|| {
                let stored = StoreDocuments::read(store.clone());
                findings.extend(stored.findings);
                let placed = stored.documents.into_iter();
                let all = placed.map(|placed| (placed.entry.clone(), Some(placed)));
                let mut is_wanted = |(entry, placed): &(DocSummary, Option<PlacedDocument>)| {
                    let holds =
                        |placed: &&PlacedDocument| holds_secret(placed.path.as_str(), &placed.blob);
                    let out = placed.as_ref().filter(holds);
                    findings.extend(out.map(|placed| kept_out(&placed.path)));
                    out.is_none() && entry.is_searched() && among.has(entry)
                };
                let all: Vec<(DocSummary, Option<PlacedDocument>)> =
                    all.filter(|one| is_wanted(one)).collect();
                DocumentSource::read(all, encoding)
            }));
        }
        if among.scope.is_none() && !docs.is_empty() {
            let wanted = docs.iter().filter(|entry| among.has(entry));
            let wanted = wanted.map(|entry| (entry.clone(), None)).collect();
            add(DocumentSource::read(wanted, encoding));
        }
        let articles = Articles::new(Union::new(parts), articles);
        let (among, docs) = (among.clone(), docs.to_vec());
        DocumentSearch { among, docs, articles, findings }
    }

    /// Number of documents searched.
    pub(in crate::ops) fn count(&self) -> usize {
        self.parts().iter().map(DocumentSource::count).sum()
    }

    /// Searches again if the file of a result was edited in place, and falls back to the files if
    /// the index fails.
    pub fn answer(&mut self, ws: &Workspace, request: &Request) -> Report {
        let mut hits = self.by_passage(ws, &request.query);
        hits.truncate(request.limit);
        let found = |hit: &Hit| Some((self.found(hit)?, self.passages(hit)));
        let mut results: Vec<(DocumentHit, Vec<usize>)> = hits.iter().filter_map(found).collect();
        let found = results.len();
        if let Some(most) = request.token_budget {
            let wholes: Vec<usize> = results.iter().map(|(answer, _)| answer.tokens).collect();
            let shares = excerpt::shares(&wholes, most);
            for ((answer, passages), share) in results.iter_mut().zip(&shares) {
                answer.content = excerpt::around(&answer.content, passages, *share);
                answer.truncated = answer.tokens > *share;
            }
            let some = shares
                .iter()
                .zip(&wholes)
                .take_while(|(share, whole)| share >= &&1 || **whole == 0);
            let some = some.count();
            results.truncate(some);
        }
        let results: Vec<DocumentHit> = results.into_iter().map(|(answer, _)| answer).collect();
        Report {
            query: request.query.clone(),
            count: results.len(),
            left_out: found - results.len(),
            results,
            searched: self.count(),
            findings: self.findings.clone(),
        }
    }

    pub fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    /// As [`DocumentSearch::answer`], for a context.
    pub fn documents(&mut self, ws: &Workspace, query: &str, limits: Limits) -> Documented {
        let hits = self.by_passage(ws, query);
        let answers = hits.partition_point(|hit| hit.relevance >= limits.relevance);
        let (answers, below) = hits.split_at(answers);
        let found = |hit: &Hit| {
            let (entry, _) = self.entry(hit.at)?;
            let passages = self.passages(hit);
            Some(compile::RankedDocument { entry, relevance: hit.relevance, passages })
        };
        Documented {
            found: answers.iter().take(limits.documents).filter_map(found).collect(),
            more: answers.len().saturating_sub(limits.documents),
            below: below.iter().take(NEAREST).filter_map(found).collect(),
        }
    }

    fn parts(&self) -> &[DocumentSource] {
        self.articles.corpus().parts()
    }

    /// All matches, by their best passage, which may rank a document higher than its overall score.
    fn by_passage(&mut self, ws: &Workspace, query: &str) -> Vec<Hit> {
        let mut hits = self.hits(ws, query);
        hits.iter_mut().for_each(|hit| hit.relevance = hit.relevance.max(hit.chunk_relevance));
        hits.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
        hits
    }

    fn hits(&mut self, ws: &Workspace, query: &str) -> Vec<Hit> {
        let question = Question::encode(query::cut(query), &Encoding::of(ws, Budget::Blink));
        for attempt in 0..2 {
            let hits = self.ranked(ws, &question, usize::MAX).hits;
            let is_stale = hits.iter().any(|hit| self.is_stale(hit.at));
            let freshness = match (attempt, self.has_failed()) {
                (_, false) if !is_stale => return hits,
                (0, true) => Some(Freshness::Anew),
                (0, false) => Some(Freshness::Whole),
                _ => None,
            };
            // An open read would block the writer.
            self.articles = Articles::new(Union::new(Vec::new()), Vec::new());
            // The stores existed a moment ago; if they are gone, nothing is found.
            if let Ok(again) = DocumentSearch::open_at(ws, &self.among, &self.docs, freshness) {
                *self = again;
            }
        }
        self.ranked(ws, &question, usize::MAX).hits
    }

    pub(in crate::ops) fn ranked(
        &self,
        context: &Context,
        question: &Question,
        limit: usize,
    ) -> Ranked<Hit> {
        let asked = question.asked(context, embed::embed(&question.query.meant).packed());
        // A document repeats a thing in several words, and is independent of its neighbours.
        let signals = Signals { context: false, expansion: false, ..asked.signals };
        let asked = SearchParams { signals, meant: score::MEANT, ..asked };
        let mut ranked = self.articles.rank(&question.query, &asked, usize::MAX);
        // Asked for by name, co's own documents are searched like the user's.
        let own = if self.among.is_of_docs() { 0 } else { self.docs_count() };
        let docs = self.count() - own;
        let hits = &mut ranked.hits;
        let is_named = |hit: &Hit| hit.parts.labels > 0.0 || hit.parts.path > 0.0;
        hits.retain(|hit| hit.at < docs || is_named(hit));
        article::rate(hits);
        hits.retain(|hit| hit.at < docs || hit.relevance >= RELEVANT_DOCS);
        article::rate(hits);
        hits.truncate(limit);
        ranked
    }

    /// Number of co's own documents, which come last.
    fn docs_count(&self) -> usize {
        match self.parts().last() {
            Some(part @ DocumentSource::Read { documents, .. })
                if documents
                    .iter()
                    .all(|(entry, _)| entry.topic.namespace() == Namespace::Docs) =>
            {
                part.count()
            }
            _ => 0,
        }
    }

    /// The part that a document is in, and its position there.
    fn within(&self, at: usize) -> Option<(&DocumentSource, usize)> {
        let mut rest = at;
        for part in self.parts() {
            match rest.checked_sub(part.count()) {
                None => return Some((part, rest)),
                Some(left) => rest = left,
            }
        }
        None
    }

    pub(in crate::ops) fn is_stale(&self, at: usize) -> bool {
        match self.within(at) {
            Some((DocumentSource::Indexed { searched, .. }, at)) => searched.is_stale(at),
            _ => false,
        }
    }

    pub(in crate::ops) fn has_failed(&self) -> bool {
        self.parts().iter().any(|part| match part {
            DocumentSource::Read { .. } => false,
            DocumentSource::Indexed { searched, .. } => searched.has_failed(),
        })
    }

    /// A document, and its path; co's own documents have none.
    fn entry(&self, at: usize) -> Option<(DocSummary, Option<(Scope, PathBuf)>)> {
        match self.within(at)? {
            (DocumentSource::Read { documents, .. }, at) => {
                let (entry, placed) = &documents[at];
                let place = placed.as_ref().map(|placed| (placed.scope, placed.file.clone()));
                Some((entry.clone(), place))
            }
            (DocumentSource::Indexed { store, searched }, at) => {
                let path = &searched.documents.document_files[at].path;
                let place = (store.scope, path.below(&store.shown));
                Some((searched.entry(at)?, Some(place)))
            }
        }
    }

    /// The best passages of a document, as indexes into its chunks.
    fn passages(&self, hit: &Hit) -> Vec<usize> {
        let first = self.articles.chunks_of_article(hit.at).start;
        hit.chunks.iter().flatten().map(|chunk| (chunk - first) as usize).collect()
    }

    pub(in crate::ops) fn found(&self, hit: &Hit) -> Option<DocumentHit> {
        let (entry, place) = self.entry(hit.at)?;
        let best = self.passages(hit).first().copied();
        let chunk = best.and_then(|at| indexing::places(&entry).get(at).cloned());
        let round = |value: f64, by: f64| (value * by).round() / by;
        let (scope, path) = place.unzip();
        Some(DocumentHit {
            updated: entry.latest().map(|stamp| stamp.to_string()),
            relevance: round(hit.relevance, 100.0),
            score: round(hit.score, 1000.0),
            signals: hit.parts,
            heading: chunk
                .as_ref()
                .map_or_else(Vec::new, |chunk| headings::above(&entry.text, chunk.start)),
            excerpt: chunk.map_or_else(String::new, |chunk| entry.text[chunk].to_owned()),
            truncated: false,
            tokens: crate::identity::text::tokens(entry.text.len()),
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
