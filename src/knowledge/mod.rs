//! Knowledge documents: what a topic is, what stands in a document, where it belongs, what of it is
//! given to an agent.
//!
//! Invariant: pure; a topic is a path, and the path is the only key: nothing else names a document.
//! Must not know where the files are. `indexing` turns a document into what the search index
//! stores, and is the only part that uses `recall`.

pub mod added;
pub mod check;
pub mod chunks;
pub mod compile;
pub mod entry;
pub mod excerpt;
pub mod headings;
pub mod indexing;
pub mod labels;
pub mod links;
pub mod migrate;
pub mod names;
pub mod placement;
mod subjects;
pub mod topic;

pub use entry::DocSummary;
pub use topic::{Namespace, Topic};

use crate::identity::RelPath;

/// The file of an original: `attachments/rfc-9110.pdf`, from `knowledge/`. None outside of it.
pub fn original(named: &str) -> Option<RelPath> {
    let below = named.strip_prefix("knowledge/").unwrap_or(named);
    let below = below.strip_prefix("attachments/")?;
    RelPath::new(&format!("knowledge/attachments/{below}"))
}
