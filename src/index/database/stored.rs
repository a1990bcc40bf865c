//! What an index stores of a file, and how its row is read.
//!
//! Invariant: a row that fails its checksum is no row.

use super::{IndexError, Name, Stat, proof::sum_of};
use rusqlite::Row;

/// A file as it was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Content {
    pub id: i64,
    pub path: String,
    pub stat: Stat,
    pub bytes: Vec<u8>,
    pub facts: Vec<u8>,
    /// The id of its first text; the others follow.
    pub first: i64,
}

/// The metadata of a file, without its bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct FileMeta {
    pub id: i64,
    pub path: String,
    pub stat: Stat,
    pub name: Name,
    pub facts: Vec<u8>,
}

impl Content {
    /// As [`Row::is_kept_out`](super::FileRow::is_kept_out).
    pub fn is_kept_out(&self) -> bool {
        self.bytes.is_empty() && self.stat.size > 0
    }
}

/// What is stored of a file besides its bytes; of its texts, the first id and the one past the
/// last.
pub(super) struct StoredFile {
    pub(super) meta: FileMeta,
    pub(super) unit: i64,
    pub(super) texts: (i64, i64),
}

impl StoredFile {
    pub(super) fn sum(&self) -> u32 {
        let FileMeta { path, stat, name, facts, .. } = &self.meta;
        let Stat { size, modified, changed, inode } = *stat;
        let (first, past) = self.texts;
        let mut numbers = [[0; 8]; 7];
        for (bytes, number) in
            numbers.iter_mut().zip([self.unit, size, modified, changed, inode, first, past])
        {
            *bytes = number.to_le_bytes();
        }
        sum_of(&[path.as_bytes(), numbers.as_flattened(), name, facts])
    }
}

/// The checksum of what [`Reads::each_document`](super::Reads::each_document) reads of a file.
pub(super) fn facts_sum(unit: i64, path: &str, facts: &[u8]) -> u32 {
    sum_of(&[path.as_bytes(), &unit.to_le_bytes(), facts])
}

/// The checksum of the bytes of a file, which an earlier version of it does not have.
pub(super) fn content_sum(file: i64, name: &Name, bytes: &[u8]) -> u32 {
    sum_of(&[&file.to_le_bytes(), name, bytes])
}

/// A path and its stat, as a block has them: what a comparison with the files reads of all.
pub(super) fn path_with_stat(path: &str, stat: Stat) -> Vec<u8> {
    [&stat.to_bytes(), path.as_bytes()].concat()
}

/// `None` if the bytes are not those of [`path_with_stat`].
pub(super) fn path_and_stat(bytes: &[u8]) -> Option<(&str, Stat)> {
    let (stat, path) = bytes.split_first_chunk()?;
    Some((std::str::from_utf8(path).ok()?, Stat::of_bytes(stat)))
}

pub(super) const FILE: &str =
    "select id, path, stat, name, facts, unit, first, past, sum from file";

/// The same with the checksum of the bytes, in the column [`CONTENT_AT`], and the bytes.
pub(super) const CONTENT: &str =
    "select file.id, path, stat, name, facts, unit, first, past, file.sum,
    content.sum, bytes from file join content on content.id = file.id";
pub(super) const CONTENT_AT: usize = 9;

pub(super) fn file(row: &Row<'_>) -> Result<StoredFile, IndexError> {
    let stat = stat(row, 2)?;
    let (id, path, name, facts) = (row.get(0)?, row.get(1)?, row.get(3)?, row.get(4)?);
    let meta = FileMeta { id, path, stat, name, facts };
    let stored = StoredFile { meta, unit: row.get(5)?, texts: (row.get(6)?, row.get(7)?) };
    if stored.sum() != row.get::<_, u32>(8)? {
        return Err(IndexError::Damaged("a file's row"));
    }
    Ok(stored)
}

pub(super) fn path_and_facts<'a>(row: &'a Row<'_>) -> rusqlite::Result<(&'a str, &'a [u8], u32)> {
    Ok((row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_blob()?, row.get(2)?))
}

pub(super) fn stat(row: &Row<'_>, at: usize) -> rusqlite::Result<Stat> {
    Ok(Stat::of_bytes(&row.get(at)?))
}
