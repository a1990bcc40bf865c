//! The vectors of words, each beside its word and under an id of its own, so that a new word does
//! not move the others.
//!
//! Invariant: a word without meaning has no vector and no id. Must not know how words are counted.

use super::{
    IndexError, Unit,
    block::{self, Blocks, Kind},
    schema::Counts,
};
use rusqlite::Connection;

/// In place of an id.
pub(super) const NO_VECTOR: u32 = u32::MAX;

/// Where the vectors of the words of a unit are put.
pub(super) struct WordVectors<'a> {
    pub(super) unit: Unit,
    pub(super) blocks: &'a mut Blocks,
    pub(super) counts: &'a mut Counts,
    /// Makes one; an empty one for a word without meaning.
    pub(super) vector: &'a dyn Fn(&str) -> Vec<u8>,
}

impl WordVectors<'_> {
    /// The id of a new word.
    pub(super) fn add(
        &mut self,
        connection: &Connection,
        word: &str,
    ) -> Result<Option<u32>, IndexError> {
        let vector = (self.vector)(word);
        if vector.is_empty() {
            return Ok(None);
        }
        let id = self.counts.next_word;
        self.counts.next_word += 1;
        self.counts.word_vectors += 1;
        let place = (self.unit, Kind::Words, i64::from(id));
        let length = (word.len() as u32).to_le_bytes();
        self.blocks.put(connection, place, [&length, word.as_bytes(), &vector].concat())?;
        self.blocks.flush_many(connection)?;
        Ok(Some(id))
    }

    pub(super) fn remove(
        &mut self,
        connection: &Connection,
        id: Option<u32>,
    ) -> Result<(), IndexError> {
        let Some(id) = id else { return Ok(()) };
        let place = (self.unit, Kind::Words, i64::from(id));
        let there = self.blocks.remove(connection, place)?;
        let removed = usize::from(there.is_some());
        self.counts.word_vectors = self.counts.word_vectors.saturating_sub(removed);
        Ok(())
    }
}

/// Calls `each` with the vector of each word that has one, its id and the word itself, whose bytes
/// most callers do not look at.
pub(super) fn each_vector(
    connection: &Connection,
    unit: Unit,
    mut each: impl FnMut(u32, &[u8], &[u8]),
) -> Result<(), IndexError> {
    let mut is_whole = true;
    block::each(connection, unit, Kind::Words, |id, entry| match word_and_vector(entry) {
        Some((word, vector)) => each(u32::try_from(id).unwrap_or(NO_VECTOR), word, vector),
        None => is_whole = false,
    })?;
    is_whole.then_some(()).ok_or(IndexError::Damaged("the vectors of words"))
}

fn word_and_vector(entry: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = entry.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
