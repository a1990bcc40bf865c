//! `knowledge search`: finds documents that answer a question.
//!
//! Invariant: documents for every context are not searched, unless they opt in; co's own documents
//! are searched like the user's where they are asked for, and must match by name elsewhere.

use super::list::Among;
use crate::facts::recall;
use crate::identity::Finding;
use crate::index::search::{DocumentSearch, SearchSession, is_weak_after};
use crate::knowledge::{
    DocSummary, Topic,
    compile::{self, Limits},
    excerpt,
};
use crate::recall::{Ranked, article::Hit, question};
use crate::workspace::{Error, Workspace};
use serde::Serialize;

pub use crate::index::search::DocumentHit;

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
pub struct Report {
    pub query: String,
    pub count: usize,
    pub results: Vec<DocumentHit>,
    /// Number of documents searched.
    pub searched: usize,
    /// Number of matching documents for which the budget had no room.
    pub left_out: usize,
    /// The nearest documents, if nothing matches.
    pub nearest: Vec<Topic>,
    /// Whether no document contains a quoted phrase, so that the search was repeated without
    /// quotes.
    pub unquoted: bool,
    /// Why the vectors are not from the model in the settings.
    #[serde(skip)]
    pub problem: Option<String>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl Report {
    fn empty(request: &Request) -> Report {
        Report {
            query: question::cut(&request.query).to_owned(),
            count: 0,
            results: Vec::new(),
            searched: 0,
            left_out: 0,
            nearest: Vec::new(),
            unquoted: false,
            problem: None,
            findings: Vec::new(),
        }
    }
}

pub fn run(ws: &Workspace, request: &Request, docs: &[DocSummary]) -> Result<Report, Error> {
    recall::refuse_empty(&request.query)?;
    let stores = ws.to_read(request.among.scope)?;
    let mut session = SearchSession::of_documents(ws, stores, &request.among, docs)?;
    let (ranked, problem) = session.document_hits(ws, &request.query);
    let documents = session.documents().map(|documents| report(documents, request, ranked));
    Ok(Report { problem, ..documents.unwrap_or_else(|| Report::empty(request)) })
}

/// What the facts answer, beside which documents are.
#[derive(Clone, Copy, Default)]
pub struct Beside {
    /// The relevance of the best of them.
    pub strongest: f64,
    /// Whether all quoted phrases are in it.
    pub is_as_quoted: bool,
}

/// Documents for a context; `docs` are co's own.
pub fn documented(
    ws: &Workspace,
    query: &str,
    docs: &[DocSummary],
    (limits, beside): (Limits, Beside),
) -> Result<Documented, Error> {
    let stores = ws.to_read(None)?;
    let mut session = SearchSession::of_documents(ws, stores, &Among::default(), docs)?;
    let (mut ranked, problem) = session.document_hits(ws, query);
    if ranked.is_unquoted && beside.is_as_quoted {
        ranked.hits.clear();
    }
    let documents = session
        .documents()
        .map(|documents| documented_of(documents, ranked, (limits, beside.strongest)));
    Ok(Documented { problem, ..documents.unwrap_or_default() })
}

fn report(documents: &DocumentSearch, request: &Request, ranked: Ranked<Hit>) -> Report {
    let (nearest, unquoted) = (documents.nearest(&ranked), ranked.is_unquoted);
    let mut hits = ranked.hits;
    let strongest = hits.iter().map(|hit| documents.relevance(hit)).fold(0.0, f64::max);
    hits.retain(|hit| !is_weak_after(strongest, documents.relevance(hit)));
    hits.truncate(request.limit);
    let found = |hit: &Hit| Some((documents.found(hit)?, documents.passages(hit)));
    let mut results: Vec<(DocumentHit, Vec<usize>)> = hits.iter().filter_map(found).collect();
    let found = results.len();
    if let Some(most) = request.token_budget {
        let wholes: Vec<usize> = results.iter().map(|(answer, _)| answer.tokens).collect();
        let shares = excerpt::shares(&wholes, most);
        for ((answer, passages), share) in results.iter_mut().zip(&shares) {
            answer.content = excerpt::around(&answer.content, passages, *share);
            answer.truncated = answer.tokens > *share;
        }
        let both = shares.iter().zip(&wholes);
        let some = both.take_while(|(share, whole)| excerpt::is_sensible(**whole, **share));
        results.truncate(some.count());
    }
    let results: Vec<DocumentHit> = results.into_iter().map(|(answer, _)| answer).collect();
    Report {
        count: results.len(),
        left_out: found - results.len(),
        unquoted: unquoted && !results.is_empty(),
        results,
        searched: documents.count(),
        nearest,
        findings: documents.findings(),
        ..Report::empty(request)
    }
}

/// A document answers by its best passage or as a whole, which may be by its name, unless it only
/// fills up after what is much better.
fn documented_of(
    documents: &DocumentSearch,
    ranked: Ranked<Hit>,
    (limits, strongest): (Limits, f64),
) -> Documented {
    let hits = ranked.hits;
    let relevance = |hit: &Hit| documents.relevance(hit);
    let strongest = hits.iter().map(relevance).fold(strongest, f64::max);
    let is_answer = |hit: &Hit| {
        let most = hit.relevance.max(relevance(hit));
        most >= limits.relevance && !is_weak_after(strongest, relevance(hit))
    };
    let (answers, below): (Vec<Hit>, Vec<Hit>) = hits.iter().copied().partition(is_answer);
    let below = if hits.is_empty() { ranked.nearest } else { below };
    let found = |hit: &Hit| {
        let (entry, _) = documents.entry(hit.at)?;
        let passages = documents.passages(hit);
        Some(compile::RankedDocument { entry, relevance: relevance(hit), passages })
    };
    Documented {
        found: answers.iter().take(limits.documents).filter_map(found).collect(),
        more: answers.len().saturating_sub(limits.documents),
        below: below.iter().take(NEAREST).filter_map(found).collect(),
        problem: None,
        findings: documents.findings(),
    }
}
