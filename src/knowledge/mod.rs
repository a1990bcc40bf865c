//! Knowledge documents: what a topic is, what a document contains, where it belongs, and how much
//! of it an agent gets.
//!
//! Invariant: pure; a topic is a path, and the path is the only key: nothing else identifies a
//! document. Must not know: where the files are. `indexing` turns a document into what the search
//! index stores, and is the only part that uses `recall`.

pub mod added;
pub mod check;
mod chunks;
pub mod compile;
mod entry;
pub mod excerpt;
pub mod headings;
mod html_links;
pub mod indexing;
pub mod labels;
pub mod links;
pub mod mentions;
pub mod migrate;
pub mod names;
pub mod placement;
mod subjects;
mod targets;
pub mod topic;

pub use entry::DocSummary;
pub use topic::{Namespace, Topic};

use crate::identity::RelPath;

/// The file of an original, relative to `knowledge/`: `attachments/rfc-9110.pdf`. `None` outside.
pub fn original(named: &str) -> Option<RelPath> {
    let below = named.strip_prefix("knowledge/").unwrap_or(named);
    let below = below.strip_prefix("attachments/")?;
    RelPath::new(&format!("knowledge/attachments/{below}"))
}
