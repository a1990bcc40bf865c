//! Which files of an index have a text with this number, content or time.
//!
//! Invariant: an answer comes from the rows that a search reads, so that one number has one owner.

use super::{Content, IndexError, Reads, TextRow};
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
    pub fn with_hash_prefixes(&self, wanted: &[u64]) -> Result<Vec<Content>, IndexError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut found: Vec<(usize, i64)> = Vec::new();
        // Of one that is wanted twice, the first place counts.
        let places: BTreeMap<u64, usize> =
            wanted.iter().enumerate().rev().map(|(at, one)| (*one, at)).collect();
        self.each_text(|row| {
            if let Some(at) = places.get(&row.hash_prefix) {
                found.push((*at, row.file));
            }
        })?;
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, file)| self.content(file)).collect()
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
