//! How two identities become one: the merge, the tidy pass, ids, and the plan that carries the
//! result to disk.
//!
//! Invariant: pure and symmetric. No I/O, clock or randomness; "ours" and "theirs" carry no
//! meaning, so a rebase that swaps them gets the same bytes. Nothing here writes a conflict marker
//! or needs a person; each choice is a [`Decision`].

mod age;
mod blob_source;
pub mod blocks;
mod bodies;
pub mod change;
pub mod checkout;
pub mod discarded;
pub mod document_changes;
mod equal_facts;
mod field_changes;
pub mod fields;
mod files;
mod forked;
mod formats;
mod frontmatter_keys;
pub mod guard;
pub mod ids;
pub mod import;
mod joined;
pub mod laptops;
mod memories;
mod memory_sides;
mod moves;
mod names;
mod newer;
mod notes;
mod order;
mod policy;
pub mod relocation;
pub mod renames;
pub mod repair;
pub mod replay;
mod stamps;
mod text;
pub mod tidy;
mod tree;
pub mod undo;
mod versions;

pub use age::Age;
pub use change::ChangeSet;
pub use joined::{MergeOutcome, join};
pub use policy::Policy;
pub use tree::{History, Merged, merge, merge_with};

use serde::Serialize;

/// Which rule decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Everything on either side is in the result.
    Union,
    /// Two versions of one memory.
    Versions,
    /// The ledger says it was forgotten.
    Forgotten,
    /// Two memories have the same fact.
    SameFact,
    /// Every memory has a unique id.
    Ids,
    /// Two files at one path.
    Paths,
    /// A frontmatter key or a profile field.
    Field,
    /// List items, paragraphs, tables, fences.
    Entries,
    /// Articles, documents, attachments.
    Document,
    /// A document of which neither text is known to be newer.
    Undated,
    /// Files that cannot be read.
    Broken,
    /// A manual edit, recorded by tidy before a commit.
    ByHand,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Decision {
    pub path: String,
    #[serde(rename = "rule")]
    pub reason: Reason,
    /// What was decided and why, for people to read.
    pub why: String,
    /// What became of the document's place, if that was decided.
    #[serde(skip)]
    pub place: Option<DocumentPlace>,
}

/// Where a document is after a merge in which documents moved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DocumentPlace {
    /// Deleted on one side and moved on the other: it stays at its new path.
    Kept,
    /// It made room for another document: its new path.
    Aside(String),
    /// Both sides' texts are kept: the path of the other one, and whether it is known to be older.
    Copied { at: String, is_older: bool },
}

impl Decision {
    pub(crate) fn new(
        path: &crate::identity::RelPath,
        reason: Reason,
        why: impl Into<String>,
    ) -> Decision {
        Decision { path: path.to_string(), reason, why: why.into(), place: None }
    }
}
