//! Which files of an index have a text with this number, content or time.
//!
//! Invariant: an answer comes from the rows that a search reads, so that one number has one owner.

use super::{Content, IndexError, Reads, TextRow};

impl Reads<'_> {
    /// The highest number of any text; 0 if none has one.
    pub fn highest_number(&self) -> Result<u64, IndexError> {
        Ok(self.texts()?.iter().filter_map(|row| row.number).max().unwrap_or(0))
    }

    pub fn paths_numbered(&self, number: u64) -> Result<Vec<String>, IndexError> {
        self.paths(|row| row.number == Some(number))
    }

    /// The files whose hash prefix is between these.
    pub fn paths_with_hash(&self, (from, to): (u64, u64)) -> Result<Vec<String>, IndexError> {
        self.paths(|row| (from..=to).contains(&row.hash_prefix))
    }

    /// `at` is in microseconds since 1970.
    pub fn paths_created_at(&self, at: i64) -> Result<Vec<String>, IndexError> {
        self.paths(|row| row.created == at)
    }

    /// The files with a hash prefix.
    pub fn with_hash_prefix(&self, hash_prefix: u64) -> Result<Vec<Content>, IndexError> {
        let rows = self.texts()?.into_iter().filter(|row| row.hash_prefix == hash_prefix);
        rows.map(|row| self.content(row.file)).collect()
    }

    fn paths(&self, is_meant: impl Fn(&TextRow) -> bool) -> Result<Vec<String>, IndexError> {
        let rows = self.texts()?.into_iter().filter(is_meant);
        rows.map(|row| self.path(row.file)).collect()
    }
}
