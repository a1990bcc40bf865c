//! What the reader of an OpenDocument file has and knows at one place of the file.
//!
//! Invariant: only state. Must not know how any part is read.

use super::lists::Lists;
use crate::extract::{archive::Archive, extracted::Omitted};
use roxmltree::NodeId;
use std::collections::BTreeSet;

/// The reader of one file.
pub(super) struct Reader<'r, 'a> {
    pub(super) archive: &'r Archive<'a>,
    pub(super) omitted: BTreeSet<Omitted>,
    pub(super) lists: Lists,
    /// How many slides were begun.
    pub(super) slides: usize,
    /// The title of the slide that is read.
    pub(super) title: Option<NodeId>,
}

impl<'r, 'a> Reader<'r, 'a> {
    pub(super) fn new(archive: &'r Archive<'a>) -> Reader<'r, 'a> {
        let (omitted, lists) = (BTreeSet::new(), Lists::default());
        Reader { archive, omitted, lists, slides: 0, title: None }
    }
}
