//! `knowledge list` and `knowledge tree`: every document, with its tags and its source.
//!
//! Invariant: ordered by topic; a bad file affects only its own row.

pub use crate::index::search::Among;

use super::store_documents::{PlacedDocument, StoreDocuments};
use crate::identity::Finding;
use crate::index::store::Scope;
use crate::knowledge::{DocSummary, Namespace, Topic};
use crate::workspace::{Error, Workspace};
use serde::Serialize;
use std::path::PathBuf;

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
        findings.extend(stored.store.named(stored.findings));
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
