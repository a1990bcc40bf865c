//! Which documents are meant: by label, source and place.
//!
//! Invariant: pure; the same for a document that was read and for what an index knows of it.

use crate::identity::ContentHash;
use crate::index::store::Scope;
use crate::knowledge::{DocSummary, Namespace, Topic};
use std::collections::BTreeSet;

/// The only facts and documents that are searched.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Confined {
    pub facts: BTreeSet<ContentHash>,
    pub topics: BTreeSet<Topic>,
}

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
    /// Only these documents.
    pub only: Option<BTreeSet<Topic>>,
}

impl Among {
    pub fn has(&self, entry: &DocSummary) -> bool {
        self.fits(&entry.topic, entry.source.as_deref(), |label| entry.has_label(label))
    }

    /// Whether co's own documents are asked for by name.
    pub fn is_of_docs(&self) -> bool {
        let below = self.below.as_deref().map(|below| below.trim_matches('/'));
        self.namespace == Some(Namespace::Docs)
            || self.source.as_deref() == Some("co")
            || below.is_some_and(|below| below == "docs" || below.starts_with("docs/"))
    }

    /// Whether every document fits, apart from its store.
    pub fn fits_all(&self) -> bool {
        let Among { scope: _, labels, source, namespace, below, only } = self;
        let is_free = source.is_none() && namespace.is_none() && below.is_none() && only.is_none();
        labels.is_empty() && is_free
    }

    /// As [`Among::has`], for a document's metadata in the index.
    pub fn fits(&self, topic: &Topic, source: Option<&str>, has: impl Fn(&str) -> bool) -> bool {
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
            && self.only.as_ref().is_none_or(|only| only.contains(topic))
    }
}
