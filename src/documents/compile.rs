//! `context --query`: the profile and the matching documents, as an agent gets them.
//!
//! Invariant: documents for every context bypass the search and come first; without a match, they
//! are all there is.

use super::search;
use crate::facts::recall;
use crate::foreign::Said;
use crate::identity::{Document, FactView, RelPath, kind::PROFILE};
use crate::knowledge::{
    DocSummary, Namespace, Topic,
    compile::{self, Included, Limits},
};
use crate::machine::folder;
use crate::secrets;
use crate::workspace::{Error, ErrorKind, Workspace};
use serde::Serialize;

#[derive(Clone, Debug)]
pub struct Request {
    pub query: String,
    pub limits: Limits,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub query: String,
    pub text: Said,
    pub included: Vec<Included>,
    /// Number of matching documents for which there was no room.
    pub left_out: usize,
    /// The best of the documents that are not relevant enough.
    pub below: Vec<Below>,
    /// The nearest facts, if none is an answer: their handles and first lines.
    pub nearest: Vec<String>,
    /// Of the whole text.
    pub tokens: usize,
    /// Why the vectors are not from the model in the settings.
    #[serde(skip)]
    pub problem: Option<String>,
    #[serde(skip)]
    pub findings: Vec<crate::identity::Finding>,
}

/// A document that was left out as not relevant enough.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Below {
    pub path: String,
    /// From 0 to 1.
    pub relevance: f64,
}

pub fn run(ws: &Workspace, request: &Request, docs: &[DocSummary]) -> Result<Report, Error> {
    let recalled = recalled(ws, &request.query)?;
    let is_set_up = recalled.is_some();
    let Recalled { facts, nearest, beside } = recalled.unwrap_or_default();
    let limits = (request.limits, beside);
    let documents = search::documented(ws, &request.query, docs, limits)?;
    // Those below the limit are left out already.
    let limits = Limits { relevance: 0.0, ..request.limits };
    let mut compiled = compile::compile(&included(ws)?, &facts, &documents.found, limits);
    let is_answered = !facts.is_empty() || !documents.found.is_empty();
    if !is_answered && (is_set_up || !documents.below.is_empty()) {
        let below = documents.below.iter().map(|found| found.entry.topic.full());
        let near: Vec<String> = nearest.iter().cloned().chain(below).collect();
        let between = if compiled.text.is_empty() { "" } else { "\n" };
        compiled.text.push(between);
        compiled.text.push(compile::nothing_says_this(&near));
    }
    let below = documents.below.iter().map(|found| Below {
        path: found.entry.topic.full(),
        relevance: (found.relevance * 100.0).round() / 100.0,
    });
    Ok(Report {
        query: request.query.clone(),
        tokens: crate::identity::text::tokens(compiled.text.as_str().len()),
        text: compiled.text,
        included: compiled.included,
        left_out: compiled.left_out + documents.more,
        below: below.collect(),
        nearest,
        problem: documents.problem,
        findings: documents.findings,
    })
}

/// What a recall of the same question answers.
#[derive(Default)]
struct Recalled {
    facts: Vec<FactView>,
    /// The nearest facts, if neither a fact nor a document is an answer.
    nearest: Vec<String>,
    beside: search::Beside,
}

/// The facts among the answers, which give way to documents as in a recall; `None` where there is
/// neither an identity nor a project.
fn recalled(ws: &Workspace, query: &str) -> Result<Option<Recalled>, Error> {
    // A context has more than answers: without a question it has the rest.
    if recall::refuse_empty(query).is_err() {
        return Ok(None);
    }
    let request = recall::Request {
        query: query.to_owned(),
        limit: recall::DEFAULT_LIMIT,
        among: recall::RecallFilter::default(),
        tally: recall::Tally::Counted,
    };
    let report = match recall::run(ws, &request) {
        Err(error) if error.kind() == ErrorKind::NotSetUp => return Ok(None),
        report => report?,
    };
    let redacted = |hit: &recall::FactHit| FactView {
        content: Some(secrets::redact(hit.fact.text()).into_owned()),
        ..hit.fact.clone()
    };
    let near = |near: &FactView| format!("{} {}", near.handle, secrets::redact(&near.summary));
    let facts: Vec<FactView> = report.facts().map(redacted).collect();
    let strongest = report.facts().map(|hit| hit.relevance).fold(0.0, f64::max);
    let is_as_quoted = !facts.is_empty() && !report.unquoted;
    let nearest = report.nearest.iter().map(near).collect();
    Ok(Some(Recalled { facts, nearest, beside: search::Beside { strongest, is_as_quoted } }))
}

/// The parts of the profile, and the documents that are always included. The text of `profile.md`
/// comes first in the part `identity`, or stands in for it.
fn included(ws: &Workspace) -> Result<Vec<DocSummary>, Error> {
    let identity = match ws.identity() {
        Ok(identity) => identity,
        // A project alone has no profile.
        Err(error) if error.kind() == ErrorKind::NotSetUp => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let read = |path: RelPath| {
        let (blob, _) = folder::read_file(&path, &identity.root.join(path.as_str())).ok()?;
        DocSummary::read(&path, &blob)?.ok()
    };
    let mut parts: Vec<DocSummary> =
        super::always_included(identity, ws).into_iter().filter_map(read).collect();
    let path = RelPath::known(PROFILE);
    let read = folder::read_file(&path, &identity.root.join(PROFILE));
    let document = read.ok().and_then(|(blob, _)| Document::read(&blob).ok());
    if let Some(text) = document.as_ref().and_then(excerpt_of) {
        let topic = Topic::known(Namespace::Profile, "identity");
        match parts.iter_mut().find(|entry| entry.topic == topic) {
            Some(entry) => entry.text = format!("{text}\n\n{}", entry.text),
            None => parts.push(DocSummary { text, ..DocSummary::of(topic, &Document::new("")) }),
        }
    }
    Ok(parts)
}

/// The text of `profile.md` without its heading; `None` if it is empty.
fn excerpt_of(document: &Document) -> Option<String> {
    let text = crate::context::layers::without_bare_headings(document.text());
    let text = text.strip_prefix("# Profile").unwrap_or(&text).trim();
    (!text.is_empty()).then(|| text.to_owned())
}
