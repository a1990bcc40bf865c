//! Which files of an index have a text with this number, content or time.
//!
//! Invariant: an answer comes from the rows that a search reads, so that one number has one owner.

use super::{Content, IndexError, Reads, TextRow};
use std::collections::BTreeSet;

impl Reads<'_> {
    /// The files with this hash prefix, and the highest number of any text; 0 if none has one.
    pub fn with_hash_prefix_and_highest(
        &self,
        hash_prefix: u64,
    ) -> Result<(Vec<Content>, u64), IndexError> {
        let rows = self.texts()?;
        let highest = rows.iter().filter_map(|row| row.number).max().unwrap_or(0);
        let same = rows.iter().filter(|row| row.hash_prefix == hash_prefix);
        let same: Result<Vec<Content>, IndexError> =
            same.map(|row| self.content(row.file)).collect();
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
        let place =
            |row: TextRow| Some((wanted.iter().position(|one| *one == row.hash_prefix)?, row.file));
        let mut found: Vec<(usize, i64)> = self.texts()?.into_iter().filter_map(place).collect();
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, file)| self.content(file)).collect()
    }

    fn paths(&self, is_meant: impl Fn(&TextRow) -> bool) -> Result<Vec<String>, IndexError> {
        let rows = self.texts()?.into_iter().filter(is_meant);
        rows.map(|row| self.path(row.file)).collect()
    }
}
