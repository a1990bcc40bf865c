//! The verbs for knowledge documents.
//!
//! Invariant: a document is one file, identified by its topic; every change is a change set that is
//! logged before it is written, and can be undone.

pub mod add;
pub mod compile;
pub mod delete;
pub mod hot;
pub mod list;
mod part;
mod related;
pub mod relocate;
pub mod search;
pub mod seed;
pub mod show;
mod store_documents;
pub mod write;

use crate::ops::workspace::Workspace;
pub use store_documents::PlacedDocument;

use super::{Error, index, store::Store};
use crate::identity::RelPath;
use crate::knowledge::{Topic, placement};
pub use crate::ops::error::KnowledgeError;
pub use add::AddError;

/// Documents in short: their topics, or their number and common folder.
fn listed(topics: &[Topic]) -> String {
    const MAX: usize = 5;
    if topics.len() <= MAX {
        return topics.iter().map(Topic::to_string).collect::<Vec<_>>().join(" · ");
    }
    match common_folder(topics) {
        folder if folder.is_empty() => format!("{} documents", topics.len()),
        folder => format!("{} documents under {folder}", topics.len()),
    }
}

/// The innermost folder that contains all of these documents.
fn common_folder(topics: &[Topic]) -> String {
    let folders = |topic: &Topic| topic.folder().split('/').map(str::to_owned).collect::<Vec<_>>();
    let mut common = topics.first().map(folders).unwrap_or_default();
    for topic in topics {
        let same = common.iter().zip(folders(topic)).take_while(|(a, b)| *a == b).count();
        common.truncate(same);
    }
    common.join("/")
}

/// The documents of a store that every context includes, in their order.
pub(super) fn always_included(store: &Store, ws: &Workspace) -> Vec<RelPath> {
    let metas = index::document_metas(store, ws).into_iter();
    let included = metas.filter(|(_, meta)| meta.is_always_included);
    let ordered = included.map(|(path, meta)| {
        let order = meta.prompt_order.unwrap_or_else(|| placement::usual_order(path.stem()));
        (order, path)
    });
    let mut ordered: Vec<(i64, RelPath)> = ordered.collect();
    ordered.sort();
    ordered.into_iter().map(|(_, path)| path).collect()
}

/// The error for a topic without a document.
fn not_found(topic: &Topic, known: &[PlacedDocument]) -> Error {
    let wanted = topic.to_string();
    let mut near: Vec<(f64, String)> = known
        .iter()
        .map(|placed| placed.entry.topic.to_string())
        .map(|known| (nearness(&wanted, &known), known))
        .filter(|(near, _)| *near > 0.6)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near = near.into_iter().next().map(|(_, known)| known);
    KnowledgeError::NotFound { topic: topic.clone(), near }.into()
}

/// How similar the spelling of two topics is, or of one and the last part of the other.
fn nearness(wanted: &str, known: &str) -> f64 {
    let name = known.rsplit('/').next().unwrap_or(known);
    strsim::jaro_winkler(wanted, known).max(strsim::jaro_winkler(wanted, name))
}
