//! The notes that the text of a DOCX refers to.
//!
//! Invariant: they are numbered in the order of the text, whatever their ids are.

use crate::extract::xml::attribute;
use roxmltree::Node;

/// A note by its kind, such as `footnote`, and its id.
pub(super) type Key = (String, String);

/// The notes that the text refers to, in order.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) referred: Vec<Key>,
    /// Whether the text refers to notes at all, or did so before it was changed.
    pub(super) are_referred: bool,
}

impl Notes {
    pub(super) fn find_references(&mut self, root: Node<'_, '_>) {
        let is_reference = |node: Node<'_, '_>| {
            matches!(node.tag_name().name(), "footnoteReference" | "endnoteReference")
        };
        self.are_referred = root.descendants().any(is_reference);
    }

    /// The mark in the text for the note that a reference refers to.
    pub(super) fn marker(&mut self, reference: Node<'_, '_>) -> Option<String> {
        let kind = reference.tag_name().name().trim_end_matches("Reference");
        let key = (kind.to_owned(), attribute(reference, "id")?.to_owned());
        let known = self.referred.iter().position(|known| *known == key);
        let at = known.unwrap_or(self.referred.len());
        if known.is_none() {
            self.referred.push(key);
        }
        Some(format!("[^{}]", at + 1))
    }
}
