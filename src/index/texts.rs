//! The searchable texts of a file: the text of a fact, the passages of a document.
//!
//! Invariant: the same when a file is stored as when it is read back.

use super::{
    database::{Content, Unit},
    rows::memory,
};
use crate::identity::{Blob, RelPath};
use crate::knowledge::{DocSummary, indexing};
use crate::recall::Candidate;

/// A searchable text.
pub(super) struct Text {
    pub(super) body: String,
    pub(super) tags: Vec<String>,
}

/// None for a file that is not searched.
pub(super) fn of(unit: Unit, content: &Content) -> Vec<Text> {
    // Without its text, a document would still have the words of its path.
    if content.is_kept_out() {
        return Vec::new();
    }
    match unit {
        Unit::Facts => memory(content.clone()).map_or_else(Vec::new, |memory| {
            vec![Text { body: memory.text().to_owned(), tags: memory.tags.clone() }]
        }),
        Unit::Documents => {
            let entry = entry_of(content).filter(DocSummary::is_searched);
            let chunks = entry.map_or_else(Vec::new, |entry| indexing::chunks(&entry));
            let text = |Candidate { body, tags, .. }: Candidate| Text { body, tags };
            chunks.into_iter().map(text).collect()
        }
    }
}

/// A document, read from the index's copy of its file.
pub(super) fn entry_of(content: &Content) -> Option<DocSummary> {
    let path = RelPath::new(&content.path)?;
    DocSummary::read(&path, &Blob::from(content.bytes.as_slice()))?.ok()
}
