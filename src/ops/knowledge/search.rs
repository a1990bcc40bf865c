//! `knowledge search`: finds documents that answer a question.
//!
//! Invariant: documents for every context are not searched, unless they opt in; co's own documents
//! are searched like the user's where they are asked for, and must match by name elsewhere.

use super::{list::Among, part::DocumentSource};
use crate::identity::{Finding, kind::MEMORIES};
use crate::knowledge::{
    DocSummary, Topic,
    compile::{self, Limits},
    excerpt, headings, indexing,
};
use crate::ops::workspace::Workspace;
use crate::ops::{
    Error,
    index::{Encoding, IndexCorpus, Sources},
    recall::{Question, SearchSession},
    store::Scope,
};
use crate::recall::{
    Ranked, SearchParams, Signals,
    article::{self, Article, ArticleParts, Hit},
    articles::Articles,
    union::{AsCorpus, Union},
};
use crate::system::{Context, index::IndexError};
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
#[derive(Default)]
pub struct Documented {
    pub found: Vec<compile::RankedDocument>,
    /// How many more documents match.
    pub more: usize,
    /// The best of the documents that are not relevant enough.
    pub below: Vec<compile::RankedDocument>,
    /// Why the vectors are not from the model in the settings.
    pub problem: Option<String>,
    pub findings: Vec<Finding>,
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
    /// Why the vectors are not from the model in the settings.
    #[serde(skip)]
    pub problem: Option<String>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl Report {
    fn empty(request: &Request) -> Report {
        let (query, results, findings) = (request.query.clone(), Vec::new(), Vec::new());
        Report { query, count: 0, results, searched: 0, left_out: 0, problem: None, findings }
    }
}

pub fn run(ws: &Workspace, request: &Request, docs: &[DocSummary]) -> Result<Report, Error> {
    let mut session = SearchSession::of_documents(ws, &request.among, docs)?;
    let (hits, problem) = session.document_hits(ws, &request.query);
    let hits = by_passage(hits);
    let documents = session.documents().map(|documents| documents.report(request, hits));
    Ok(Report { problem, ..documents.unwrap_or_else(|| Report::empty(request)) })
}

/// Documents for a context; `docs` are co's own.
pub fn documented(
    ws: &Workspace,
    query: &str,
    docs: &[DocSummary],
    limits: Limits,
) -> Result<Documented, Error> {
    let mut session = SearchSession::of_documents(ws, &Among::default(), docs)?;
    let (hits, problem) = session.document_hits(ws, query);
    let hits = by_passage(hits);
    let documents = session.documents().map(|documents| documents.documented(&hits, limits));
    Ok(Documented { problem, ..documents.unwrap_or_default() })
}

/// All matches, by their best passage, which may rank a document higher than its overall score.
fn by_passage(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.iter_mut().for_each(|hit| hit.relevance = hit.relevance.max(hit.chunk_relevance));
    hits.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    hits
}

/// Documents loaded for any number of questions.
pub(in crate::ops) struct DocumentSearch {
    among: Among,
    articles: Articles<Union<DocumentSource>>,
    findings: Vec<Finding>,
}

impl DocumentSearch {
    /// `docs` are co's own documents.
    pub(in crate::ops) fn of(
        sources: &Sources,
        among: &Among,
        docs: &[DocSummary],
        encoding: &Encoding<'_>,
    ) -> Result<DocumentSearch, IndexError> {
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
            add(DocumentSource::stored((store, opened), among, encoding)?);
            let of_documents = |finding: &&Finding| !finding.path.starts_with(MEMORIES);
            findings.extend(opened.findings.iter().filter(of_documents).cloned());
        }
        if among.scope.is_none() && !docs.is_empty() {
            let wanted = docs.iter().filter(|entry| among.has(entry)).cloned().collect();
            add(DocumentSource::own(wanted, encoding));
        }
        let articles = Articles::new(Union::new(parts), articles);
        Ok(DocumentSearch { among: among.clone(), articles, findings })
    }

    pub(in crate::ops) fn corpora(&self) -> impl Iterator<Item = &IndexCorpus> {
        self.parts().iter().filter_map(|part| match part {
            DocumentSource::Own { .. } => None,
            DocumentSource::Stored(stored) => Some(stored.passages()),
        })
    }

    /// co's own documents have no vectors of an endpoint, and others cannot be compared with its.
    pub(in crate::ops) fn leave_own_to_words(&self) {
        for part in self.parts() {
            if let DocumentSource::Own { collection, .. } = part {
                collection.leave_to_words();
            }
        }
    }

    /// Number of documents searched.
    pub(in crate::ops) fn count(&self) -> usize {
        self.parts().iter().map(DocumentSource::count).sum()
    }

    fn report(&self, request: &Request, mut hits: Vec<Hit>) -> Report {
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
            problem: None,
            findings: self.findings.clone(),
        }
    }

    pub(in crate::ops) fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    fn documented(&self, hits: &[Hit], limits: Limits) -> Documented {
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
            problem: None,
            findings: self.findings(),
        }
    }

    fn parts(&self) -> &[DocumentSource] {
        self.articles.corpus().parts()
    }

    pub(in crate::ops) fn ranked(
        &self,
        context: &Context,
        question: &Question,
        limit: usize,
    ) -> Ranked<Hit> {
        let asked = question.asked(context);
        // A document repeats a thing in several words, and is independent of its neighbours.
        let signals = Signals { context: false, expansion: false, ..asked.signals };
        let asked = SearchParams { signals, ..asked };
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
            Some(part @ DocumentSource::Own { .. }) => part.count(),
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
            Some((DocumentSource::Stored(stored), at)) => stored.is_stale(at),
            _ => false,
        }
    }

    /// A document, and its path; co's own documents have none.
    fn entry(&self, at: usize) -> Option<(DocSummary, Option<(Scope, PathBuf)>)> {
        let (part, at) = self.within(at)?;
        part.entry(at)
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
