//! Which files of an index have a row with this number, text or time.

use super::{IndexError, Reads};

impl Reads<'_> {
    /// Whether there is a row for a file.
    pub fn has(&self, path: &str) -> Result<bool, IndexError> {
        Ok(self.prepared("select 1 from file where path = ?")?.exists([path])?)
    }

    pub fn paths_numbered(&self, number: u64) -> Result<Vec<String>, IndexError> {
        let number = number.cast_signed();
        self.paths("number between ?1 and ?2", (number, number))
    }

    /// The files whose hash prefix is between these, which begin with the same digit.
    pub fn paths_with_hash(&self, (from, to): (u64, u64)) -> Result<Vec<String>, IndexError> {
        self.paths("tie between ?1 and ?2", (from.cast_signed(), to.cast_signed()))
    }

    /// `at` is in microseconds since 1970.
    pub fn paths_created_at(&self, at: i64) -> Result<Vec<String>, IndexError> {
        self.paths("created between ?1 and ?2", (at, at))
    }

    fn paths(&self, which: &str, ends: (i64, i64)) -> Result<Vec<String>, IndexError> {
        let sql = format!("select path from file join @ using (id) where {which}");
        let mut statement = self.prepared(&sql)?;
        let paths = statement.query_map([ends.0, ends.1], |row| row.get(0))?;
        Ok(paths.collect::<Result<Vec<String>, _>>()?)
    }
}
