//! What the reader of a DOCX has and knows at one place of the file.
//!
//! Invariant: only state. Must not know how any part is read.

use super::{notes_referred::Notes, numbering::Numbering, open_fields::Fields, styles::Styles};
use crate::extract::{archive::Archive, extracted::Omitted, parts::Relations};
use std::collections::BTreeSet;

/// The reader of one file.
pub(super) struct Reader<'r, 'a> {
    pub(super) archive: &'r Archive<'a>,
    /// Where its parts usually are.
    pub(super) folder: &'r str,
    pub(super) relations: Relations,
    pub(super) styles: Styles,
    pub(super) numbering: Numbering,
    pub(super) fields: Fields,
    pub(super) notes: Notes,
    /// A drop cap, which the next paragraph begins with.
    pub(super) initial: String,
    /// How many cells enclose what is read.
    pub(super) cells: usize,
    pub(super) omitted: BTreeSet<Omitted>,
    pub(super) missing: Vec<String>,
}
