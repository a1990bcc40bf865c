//! Which files of an index have a text with this number, content or time.
//!
//! Invariant: an answer comes from the rows that a search reads, so that one number has one owner.

use super::{Content, FileMeta, IndexError, Reads, TextRow, Unit, hashes};
use std::collections::{BTreeMap, BTreeSet};

impl Reads<'_> {
    /// The files with this hash prefix, and the highest number of any text; 0 if none has one.
    pub fn with_hash_prefix_and_highest(
        &self,
        hash_prefix: u64,
    ) -> Result<(Vec<Content>, u64), IndexError> {
        let (mut same, mut highest) = (Vec::new(), 0_u64);
        self.each_text(|row| {
            highest = highest.max(row.number.unwrap_or(0));
            if row.hash_prefix == hash_prefix {
                same.push(row.file);
            }
        })?;
        let same: Result<Vec<Content>, IndexError> =
            same.into_iter().map(|file| self.content(file)).collect();
        Ok((same?, highest))
    }

    pub fn paths_numbered(&self, number: u64) -> Result<Vec<String>, IndexError> {
        self.paths(|row| row.number == Some(number))
    }

    /// The files whose hash prefix is between these.
    pub fn paths_with_hash(&self, (from, to): (u64, u64)) -> Result<Vec<String>, IndexError> {
        self.paths(|row| (from..=to).contains(&row.hash_prefix))
    }

    /// `at` is in microseconds since 1970.
    pub fn paths_created_at(&self, at: &BTreeSet<i64>) -> Result<Vec<String>, IndexError> {
        self.paths(|row| at.contains(&row.created))
    }

    /// The files with these hash prefixes, in their order.
    pub fn with_hash_prefixes(&self, wanted: &[u64]) -> Result<Vec<FileMeta>, IndexError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut found: Vec<(usize, i64)> = Vec::new();
        let places = places_of(wanted);
        let mut each = |row: TextRow| {
            if let Some(at) = places.get(&row.hash_prefix) {
                found.push((*at, row.file));
            }
        };
        let prefixes: BTreeSet<u64> = places.keys().copied().collect();
        let known = match self.unit {
            Unit::Facts => hashes::with_prefixes(self.connection, &prefixes)?,
            Unit::Documents => None,
        };
        match known {
            Some(ids) => self.texts_of(&ids)?.into_iter().for_each(each),
            None => self.each_text(&mut each)?,
        }
        in_order(found).map(|file| self.meta(file)).collect()
    }

    /// The files with their places, in the order of these.
    pub(super) fn in_places(&self, files: Vec<(usize, i64)>) -> Result<Vec<Content>, IndexError> {
        in_order(files).map(|file| self.content(file)).collect()
    }

    fn paths(&self, is_meant: impl Fn(&TextRow) -> bool) -> Result<Vec<String>, IndexError> {
        let mut files = Vec::new();
        self.each_text(|row| {
            if is_meant(&row) {
                files.push(row.file);
            }
        })?;
        files.into_iter().map(|file| self.path(file)).collect()
    }
}

/// The place of each; of one that is wanted twice, the first.
pub(super) fn places_of(wanted: &[u64]) -> BTreeMap<u64, usize> {
    wanted.iter().enumerate().rev().map(|(at, one)| (*one, at)).collect()
}

/// The files, in the order of their places.
fn in_order(mut files: Vec<(usize, i64)>) -> impl Iterator<Item = i64> {
    files.sort_by_key(|(at, _)| *at);
    files.into_iter().map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::database::{
        FileRow, Searchable, Writer,
        tests::{key, vector},
    };

    fn fact(path: &str, hash_prefix: u64) -> FileRow {
        let row = TextRow { hash_prefix, ..TextRow::default() };
        let searchable = vec![Searchable { row, ..Searchable::default() }];
        FileRow { path: path.into(), facts: vec![1], searchable, ..FileRow::default() }
    }

    #[test]
    fn facts_are_found_by_their_hashes_with_and_without_the_table_of_them() {
        let writer = Writer::in_memory(&key()).expect("an index");
        for (path, hash_prefix) in [("a", 1), ("b", u64::MAX), ("c", 1), ("d", 2), ("e", 3)] {
            writer.insert(Unit::Facts, fact(path, hash_prefix)).expect("inserted");
        }
        writer.remove(Unit::Facts, "d", &[BTreeSet::new()]).expect("removed");
        // It gets the id of the one that is gone.
        writer.insert(Unit::Facts, fact("f", 4)).expect("inserted");
        let index = writer.finish(&[], &vector).expect("finished");
        let found = |wanted: &[u64]| {
            let found = index.reads(Unit::Facts).with_hash_prefixes(wanted).expect("read");
            found.into_iter().map(|meta| meta.path).collect::<Vec<String>>()
        };
        for _ in 0..2 {
            assert_eq!(found(&[u64::MAX, 1, 5]), ["b", "a", "c"]);
            assert_eq!(found(&[4, 2, 3]), ["f", "e"]);
            assert!(found(&[2, 1 << 63]).is_empty());
            index.connection.execute_batch("delete from hash").expect("deleted");
        }
    }
}
