//! The identity's entries of git's index, by path.
//!
//! Invariant: sorted by path, each path once; what an open merge left unresolved is not among them.
//! Must not know what is in the work tree.

use super::Repo;
use crate::machine::in_turn::InTurn;
use gix::bstr::ByteSlice;
use gix::index::{Entry, State};

pub(super) struct Tracked<'a>(Vec<(&'a str, &'a Entry)>);

impl Repo {
    pub(super) fn tracked<'a>(&self, index: &'a State) -> Tracked<'a> {
        let below = index.prefixed_entries(self.prefix.as_bytes().as_bstr()).unwrap_or_default();
        let entries = if self.prefix.is_empty() { index.entries() } else { below };
        let inside = |entry: &'a Entry| {
            // Hot: the check of the standard library takes half as long as that of `bstr`.
            let path = std::str::from_utf8(entry.path(index)).ok()?;
            Some((path.strip_prefix(self.prefix.as_str())?, entry))
        };
        let settled = entries.iter().filter(|entry| entry.stage_raw() == 0);
        Tracked::new(settled.filter_map(inside).collect())
    }
}

impl<'a> Tracked<'a> {
    /// Git writes them in order: sorting again costs one look at each, and trusts nobody.
    fn new(mut entries: Vec<(&'a str, &'a Entry)>) -> Tracked<'a> {
        entries.sort_by_key(|(path, _)| *path);
        entries.dedup_by_key(|(path, _)| *path);
        Tracked(entries)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, &'a Entry)> {
        self.0.iter().copied()
    }

    pub(super) fn in_turn(&self) -> InTurn<'_, (&'a str, &'a Entry)> {
        InTurn::new(&self.0, |(path, _)| path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::index::entry::{Flags, Mode, Stat};

    #[test]
    fn an_entry_is_found_in_whatever_order_paths_are_asked_for() {
        let mut index = State::new(gix::hash::Kind::Sha1);
        for path in ["b", "a/x", "c", "a", "e"] {
            let id = gix::ObjectId::null(gix::hash::Kind::Sha1);
            index.dangerously_push_entry(
                Stat::default(),
                id,
                Flags::empty(),
                Mode::FILE,
                path.as_bytes().as_bstr(),
            );
        }
        let named = |entry: &'_ Entry| entry.path(&index).to_string();
        let all = index.entries().iter();
        let all = all.filter_map(|entry| Some((entry.path(&index).to_str().ok()?, entry)));
        let tracked = Tracked::new(all.collect());
        assert_eq!(tracked.len(), 5);
        for asked in
            ["a a/x b c e", "e c b a/x a", "a c d e f", "0 a b bb", "z y", "b b b", "a/x a a/x"]
        {
            let mut entries = tracked.in_turn();
            for path in asked.split(' ') {
                let is_there = tracked.iter().any(|(here, _)| here == path);
                let found = entries.get(path).map(|(_, entry)| named(entry));
                assert_eq!(found, is_there.then(|| path.to_owned()), "{path} of {asked}");
            }
        }
        assert!(Tracked::new(Vec::new()).in_turn().get("a").is_none());
    }
}
