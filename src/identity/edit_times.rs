//! When files got their present texts, for those whose texts do not say so themselves.
//!
//! Invariant: a path is found whatever the case and Unicode normalisation of its letters, because a
//! merge takes such files for one. Must not know: where the times come from.

use super::{RelPath, Stamp};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditTimes(BTreeMap<String, Stamp>);

impl EditTimes {
    pub fn last_edit(&self, path: &RelPath) -> Option<Stamp> {
        self.0.get(&path.folded()).copied()
    }

    /// The later time counts.
    pub fn put(&mut self, path: &RelPath, at: Stamp) {
        let known = self.0.entry(path.folded()).or_insert(at);
        *known = at.max(*known);
    }
}

impl<'a> FromIterator<(&'a RelPath, Stamp)> for EditTimes {
    fn from_iter<I: IntoIterator<Item = (&'a RelPath, Stamp)>>(pairs: I) -> EditTimes {
        let mut times = EditTimes::default();
        pairs.into_iter().for_each(|(path, at)| times.put(path, at));
        times
    }
}
