//! What is connected with a document: which others link to it, and which name whom it is about.
//!
//! Invariant: complete for its store, whoever wrote the files; a document is in one of the two
//! lists at most.

use super::store_documents::{PlacedDocument, StoreDocuments};
use crate::index::store::Store;
use crate::knowledge::{
    DocSummary, Topic, links,
    topic::{self, slug},
};
use std::collections::BTreeSet;

#[derive(Default)]
pub(super) struct Related {
    pub(super) linked_from: Vec<Topic>,
    pub(super) named_in: Vec<Topic>,
}

pub(super) fn find(store: &Store, placed: &PlacedDocument) -> Related {
    let stored = StoreDocuments::read(store.clone());
    let (files, names) = (stored.names(), names(&placed.entry));
    // Elsewhere a name may be any word: `overview`.
    let is_about_one = placed.entry.topic.subject() == Some(placed.entry.topic.name());
    let mut related = Related::default();
    for other in stored.documents.iter().filter(|other| other.path != placed.path) {
        let text = std::str::from_utf8(&other.blob).unwrap_or_default();
        let topic = other.entry.topic.clone();
        if links::linked(text, &other.path, &files).contains(&placed.path) {
            related.linked_from.push(topic);
        } else if is_labelled(&other.entry, &names) || (is_about_one && says(text, &names)) {
            related.named_in.push(topic);
        }
    }
    related
}

/// What others call a document, as slugs: a title may be any words.
fn names(entry: &DocSummary) -> BTreeSet<String> {
    let aliases = entry.aliases.iter().map(String::as_str);
    aliases.chain([entry.topic.name()]).map(slug).collect()
}

fn is_labelled(entry: &DocSummary, names: &BTreeSet<String>) -> bool {
    let labels = entry.tags.iter().chain(&entry.entities).map(String::as_str);
    labels.chain(entry.topic.subject()).any(|label| names.contains(&slug(label)))
}

/// Whether a text has one of the names as whole words.
fn says(text: &str, names: &BTreeSet<String>) -> bool {
    let words = topic::words(text);
    names.iter().any(|name| words.contains(&format!("-{name}-")))
}
