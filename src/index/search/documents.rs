//! The documents of some stores, and co's own, loaded for any number of questions.
//!
//! Invariant: documents for every context are not searched, unless they opt in; co's own documents
//! are searched like the user's where they are asked for, and must match by name elsewhere.

use super::{Among, NEAREST, Question, part::DocumentSource};
use crate::identity::{Finding, kind::MEMORIES};
use crate::index::{Encoding, IndexCorpus, Sources, database::IndexError, store::Scope};
use crate::knowledge::{DocSummary, Topic, headings, indexing};
use crate::machine::Context;
use crate::recall::{
    Query, Ranked, SearchParams, Signals,
    article::{self, Article, ArticleParts, Hit},
    articles::Articles,
    union::{AsCorpus, Union},
};
use serde::Serialize;
use std::path::PathBuf;

/// The minimum relevance of co's own documents, which also have to match by name or label: they are
/// long, and contain most words somewhere.
const RELEVANT_DOCS: f64 = 0.5;

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
    /// From 0 to 1; for the user's as in a recall, by the best passage.
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

/// Documents loaded for any number of questions.
pub(crate) struct DocumentSearch {
    among: Among,
    articles: Articles<Union<DocumentSource>>,
    findings: Vec<Finding>,
}

impl DocumentSearch {
    /// `docs` are co's own documents.
    pub(crate) fn of(
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
            let unread = opened.findings.iter().filter(of_documents).cloned().collect();
            findings.extend(store.named(unread));
        }
        if among.scope.is_none() && !docs.is_empty() {
            let wanted = docs.iter().filter(|entry| among.has(entry)).cloned().collect();
            add(DocumentSource::own(wanted, encoding));
        }
        let articles = Articles::new(Union::new(parts), articles);
        Ok(DocumentSearch { among: among.clone(), articles, findings })
    }

    pub(crate) fn corpora(&self) -> impl Iterator<Item = &IndexCorpus> {
        self.parts().iter().filter_map(|part| match part {
            DocumentSource::Own { .. } => None,
            DocumentSource::Stored(stored) => Some(stored.passages()),
        })
    }

    /// co's own documents have no vectors of an endpoint, and others cannot be compared with its.
    pub(crate) fn leave_own_to_words(&self) {
        for part in self.parts() {
            if let DocumentSource::Own { collection, .. } = part {
                collection.leave_to_words();
            }
        }
    }

    /// Number of documents searched.
    pub(crate) fn count(&self) -> usize {
        self.parts().iter().map(DocumentSource::count).sum()
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    fn parts(&self) -> &[DocumentSource] {
        self.articles.corpus().parts()
    }

    pub(crate) fn ranked(
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
        ranked.nearest.retain(|hit| hit.at < docs);
        let hits = &mut ranked.hits;
        let is_named = |hit: &Hit| hit.parts.labels > 0.0 || hit.parts.path > 0.0;
        hits.retain(|hit| hit.at < docs || is_named(hit));
        article::rate(hits);
        hits.retain(|hit| hit.at < docs || hit.relevance >= RELEVANT_DOCS);
        article::rate(hits);
        article::order(hits);
        if own > 0 && docs > 0 {
            self.answer_as_alone(&mut ranked, &question.query, &asked);
        }
        ranked.hits.truncate(limit);
        ranked
    }

    /// Leaves of the user's documents what answers without co's own beside them, as they are for a
    /// recall: among more texts the nearest one stands out more, so that silence would be rarer.
    fn answer_as_alone(&self, ranked: &mut Ranked<Hit>, query: &Query, asked: &SearchParams) {
        let docs = self.count() - self.docs_count();
        let is_stored = |part: &&DocumentSource| matches!(part, DocumentSource::Stored(_));
        let parts: Vec<&DocumentSource> = self.parts().iter().filter(is_stored).collect();
        let articles = self.articles.articles()[..docs].to_vec();
        let mut alone = Articles::new(Union::new(parts), articles).rank(query, asked, usize::MAX);
        article::order(&mut alone.hits);
        ranked.hits.retain_mut(|hit| {
            let same = alone.hits.iter().find(|one| one.at == hit.at);
            if let Some(same) = same {
                hit.chunk_coverage = same.chunk_coverage;
                (hit.why, hit.chunks) = (same.why, same.chunks);
            }
            same.is_some() || hit.at >= docs
        });
        if ranked.hits.is_empty() {
            *ranked = alone;
        }
    }

    /// How relevant a document is shown to be: the user's as in a recall, by its best passage; co's
    /// own, which is found by its name, as a whole.
    pub(crate) fn relevance(&self, hit: &Hit) -> f64 {
        let is_own = hit.at >= self.count() - self.docs_count();
        if is_own { hit.relevance } else { hit.chunk_coverage }
    }

    /// The nearest documents, where none is an answer.
    pub(crate) fn nearest(&self, ranked: &Ranked<Hit>) -> Vec<Topic> {
        let near = ranked.nearest.iter().take(NEAREST);
        near.filter_map(|hit| Some(self.entry(hit.at)?.0.topic)).collect()
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

    pub(crate) fn is_stale(&self, at: usize) -> bool {
        match self.within(at) {
            Some((DocumentSource::Stored(stored), at)) => stored.is_stale(at),
            _ => false,
        }
    }

    /// A document, and its path; co's own documents have none.
    pub(crate) fn entry(&self, at: usize) -> Option<(DocSummary, Option<(Scope, PathBuf)>)> {
        let (part, at) = self.within(at)?;
        part.entry(at)
    }

    /// The best passages of a document, as indexes into its chunks.
    pub(crate) fn passages(&self, hit: &Hit) -> Vec<usize> {
        let first = self.articles.chunks_of_article(hit.at).start;
        hit.chunks.iter().flatten().map(|one| (one.chunk - first) as usize).collect()
    }

    pub(crate) fn found(&self, hit: &Hit) -> Option<DocumentHit> {
        let (entry, place) = self.entry(hit.at)?;
        let best = self.passages(hit).first().copied();
        let chunk = best.and_then(|at| indexing::places(&entry).get(at).cloned());
        let round = |value: f64, by: f64| (value * by).round() / by;
        let (scope, path) = place.unzip();
        Some(DocumentHit {
            updated: entry.latest().map(|stamp| stamp.to_string()),
            relevance: round(self.relevance(hit), 100.0),
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
