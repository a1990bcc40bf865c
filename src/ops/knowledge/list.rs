//! `knowledge list` and `knowledge tree`: every document, with its tags and its source.
//!
//! Invariant: ordered by topic; a bad file affects only its own row.

use super::store_documents::{PlacedDocument, StoreDocuments};
use crate::identity::Finding;
use crate::knowledge::{DocSummary, Namespace, Topic};
use crate::ops::workspace::Workspace;
use crate::ops::{Error, store::Scope};
use serde::Serialize;
use std::path::PathBuf;

/// A filter for documents.
#[derive(Clone, Debug, Default)]
pub struct Among {
    pub scope: Option<Scope>,
    /// Documents with all of these labels: tags, type, status, topics, entities, source.
    pub labels: Vec<String>,
    /// Documents with this source: `user`, `seed`, `url` …
    pub source: Option<String>,
    pub namespace: Option<Namespace>,
    /// Documents below this folder.
    pub below: Option<String>,
}

impl Among {
    pub(super) fn has(&self, entry: &DocSummary) -> bool {
        self.fits(&entry.topic, entry.source.as_deref(), |label| entry.has_label(label))
    }

    /// Whether co's own documents are asked for by name.
    pub(super) fn is_of_docs(&self) -> bool {
        let below = self.below.as_deref().map(|below| below.trim_matches('/'));
        self.namespace == Some(Namespace::Docs)
            || self.source.as_deref() == Some("co")
            || below.is_some_and(|below| below == "docs" || below.starts_with("docs/"))
    }

    /// Whether every document fits, apart from its store.
    pub(super) fn fits_all(&self) -> bool {
        let Among { scope: _, labels, source, namespace, below } = self;
        labels.is_empty() && source.is_none() && namespace.is_none() && below.is_none()
    }

    /// As [`Among::has`], for a document's metadata in the index.
    pub(super) fn fits(
        &self,
        topic: &Topic,
        source: Option<&str>,
        has: impl Fn(&str) -> bool,
    ) -> bool {
        let is_below = |below: &str| {
            let (below, full) = (below.trim_matches('/'), topic.full());
            let within =
                |path: &str| path.strip_prefix(below).is_some_and(|rest| rest.starts_with('/'));
            within(&full) || within(full.strip_prefix("knowledge/").unwrap_or_default())
        };
        self.labels.iter().all(|label| has(label))
            && self.source.as_deref().is_none_or(|wanted| source == Some(wanted))
            && self.namespace.is_none_or(|namespace| topic.namespace() == namespace)
            && self.below.as_deref().is_none_or(is_below)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DocumentRow {
    pub topic: Topic,
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub status: Option<String>,
    pub source: Option<String>,
    pub updated: Option<String>,
    pub bytes: usize,
    /// `None` for co's own documents.
    pub scope: Option<Scope>,
    pub path: Option<PathBuf>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub count: usize,
    pub entries: Vec<DocumentRow>,
    /// Files in the seed folder that were never loaded.
    pub seeds: usize,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// `docs` are co's own documents.
pub fn run(ws: &Workspace, among: &Among, docs: &[DocSummary]) -> Result<Report, Error> {
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    for stored in StoreDocuments::all(ws, among.scope)? {
        let wanted = stored.documents.iter().filter(|placed| among.has(&placed.entry));
        rows.extend(wanted.map(row));
        findings.extend(stored.findings);
    }
    if among.namespace == Some(Namespace::Docs) {
        rows.extend(docs.iter().filter(|entry| among.has(entry)).map(|entry| row_of(entry, None)));
    }
    rows.sort_by_cached_key(|row| (row.topic.namespace(), row.topic.full(), row.scope));
    let seeds = super::seed::waiting(ws);
    Ok(Report { count: rows.len(), entries: rows, seeds, findings })
}

fn row(placed: &PlacedDocument) -> DocumentRow {
    DocumentRow { path: Some(placed.file.clone()), ..row_of(&placed.entry, Some(placed.scope)) }
}

fn row_of(entry: &DocSummary, scope: Option<Scope>) -> DocumentRow {
    DocumentRow {
        topic: entry.topic.clone(),
        name: entry.name.clone(),
        description: entry.description.clone(),
        tags: entry.tags.clone(),
        kind: entry.kind.clone(),
        status: entry.status.clone(),
        source: entry.source.clone(),
        updated: entry.latest().map(|stamp| stamp.to_string()),
        bytes: entry.text.len(),
        scope,
        path: None,
    }
}
