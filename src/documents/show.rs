//! `knowledge show`: prints one document in full.

use super::{
    KnowledgeError, not_found,
    related::{self, Backlinks},
    store_documents::{self, PlacedDocument, StoreDocuments},
};
use crate::index::store::{Scope, Store, nearest_first};
use crate::knowledge::{DocSummary, Namespace, Topic};
use crate::workspace::{Error, Workspace};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub topic: Topic,
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub status: Option<String>,
    pub topics: Vec<String>,
    pub entities: Vec<String>,
    pub temporal: Option<String>,
    pub source: Option<String>,
    pub created: Option<String>,
    pub updated: Option<String>,
    pub attachment: Option<String>,
    /// Documents that link to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked_from: Vec<Topic>,
    /// Others that name whom or what it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named_in: Vec<Topic>,
    pub content: String,
    /// `None` for co's own documents.
    pub scope: Option<Scope>,
    pub path: Option<PathBuf>,
}

pub fn run(
    ws: &Workspace,
    topic: &str,
    scope: Option<Scope>,
    docs: &[DocSummary],
) -> Result<Report, Error> {
    let topic = Topic::parse(topic)?;
    if topic.namespace() == Namespace::Docs {
        let found = docs.iter().find(|entry| entry.topic == topic);
        return found
            .map(|entry| report(entry, None))
            .ok_or_else(|| KnowledgeError::NoDocs { topic: topic.full() }.into());
    }
    let (store, placed) = find(ws, &topic, scope)?;
    let Backlinks { linked_from, named_in } = related::backlinks(&store, &placed);
    Ok(Report { linked_from, named_in, ..report(&placed.entry, Some(&placed)) })
}

/// The text of a document alone, for which no other one is read.
pub fn text(ws: &Workspace, topic: &str) -> Result<String, Error> {
    let (_, placed) = find(ws, &Topic::parse(topic)?, None)?;
    Ok(placed.entry.text)
}

/// A document by its topic, from the nearest project first; or by the name of its layer and its
/// topic, as it is listed.
pub(super) fn find(
    ws: &Workspace,
    topic: &Topic,
    scope: Option<Scope>,
) -> Result<(Store, PlacedDocument), Error> {
    let named = |store: &Store| {
        let behind = topic.behind(store.scope.layer()?.as_str())?;
        behind.file().is_some().then_some(behind)
    };
    let mut of_layers = Vec::new();
    for store in nearest_first(ws.to_read(scope)?) {
        if let (_, Some(placed)) = store_documents::find(&store, topic)? {
            return Ok((store, placed));
        }
        of_layers.extend(named(&store).map(|topic| (store, topic)));
    }
    for (store, topic) in of_layers {
        if let (_, Some(placed)) = store_documents::find(&store, &topic)? {
            return Ok((store, placed));
        }
    }
    let all_stored = StoreDocuments::all(ws, scope)?;
    let known: Vec<PlacedDocument> =
        all_stored.into_iter().flat_map(|stored| stored.documents).collect();
    Err(not_found(topic, &known))
}

fn report(entry: &DocSummary, placed: Option<&PlacedDocument>) -> Report {
    let entry = entry.clone();
    Report {
        created: entry.created.map(|stamp| stamp.to_string()),
        updated: entry.updated.map(|stamp| stamp.to_string()),
        topic: entry.topic,
        name: entry.name,
        description: entry.description,
        tags: entry.tags,
        kind: entry.kind,
        status: entry.status,
        topics: entry.topics,
        entities: entry.entities,
        temporal: entry.temporal,
        source: entry.source,
        attachment: entry.attachment,
        linked_from: Vec::new(),
        named_in: Vec::new(),
        content: entry.text,
        scope: placed.map(|placed| placed.scope),
        path: placed.map(|placed| placed.file.clone()),
    }
}
