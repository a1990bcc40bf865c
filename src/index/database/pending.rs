//! What a writer changed but has not written yet: the texts of files, with what a search reads.
//!
//! Invariant: the counts of an index are those of its blocks.

use super::{
    IndexError, Searchable, TextRow, Unit,
    block::{Blocks, Kind},
    hashes::Hashes,
    postings::Postings,
    schema::State,
};
use rusqlite::Connection;
use std::{collections::HashMap, ops::Range};

/// What is changed but not yet written.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) state: State,
    pub(super) blocks: Blocks,
    pub(super) hashes: Hashes,
    pub(super) postings: Postings,
    pub(super) words: HashMap<Unit, HashMap<String, i64>>,
    /// Ids of removed texts.
    pub(super) free: Vec<(Unit, Range<i64>)>,
    /// Vectors of removed or earlier texts, by text key.
    pub(super) known: HashMap<u64, Vec<u8>>,
    /// Whether a fact was added or removed.
    pub(super) is_other: bool,
}

impl Pending {
    /// Ids for some texts.
    pub(super) fn allocate(&mut self, unit: Unit, count: usize) -> Range<i64> {
        let count = i64::try_from(count).expect("because a file has few texts");
        let fits =
            |(of, range): &(Unit, Range<i64>)| *of == unit && range.end - range.start == count;
        if let Some(at) = self.free.iter().position(fits).filter(|_| count > 0) {
            return self.free.swap_remove(at).1;
        }
        let counts = self.state.of_mut(unit);
        let first = counts.next;
        counts.next += count;
        first..first + count
    }

    pub(super) fn insert_text(
        &mut self,
        connection: &Connection,
        (unit, file, id): (Unit, i64, i64),
        text: Searchable,
    ) -> Result<(), IndexError> {
        let Searchable { row, body, tags, vector, encoded } = text;
        self.blocks.put_row(connection, unit, TextRow { id, file, ..row })?;
        if unit == Unit::Facts {
            self.hashes.add(row.hash_prefix, id);
        }
        self.postings.add(unit, id, &body, &tags);
        if let Some(vector) = vector {
            self.blocks.put(connection, (unit, Kind::Vectors, id), vector)?;
        }
        self.state.of_mut(unit).texts += 1;
        match encoded.or_else(|| self.known.get(&row.text).cloned()) {
            Some(known) => self.put_encoded(connection, unit, id, known),
            None => Ok(()),
        }
    }

    pub(super) fn put_encoded(
        &mut self,
        connection: &Connection,
        unit: Unit,
        id: i64,
        vector: Vec<u8>,
    ) -> Result<(), IndexError> {
        let there = self.blocks.remove(connection, (unit, Kind::Encoded, id))?;
        self.state.of_mut(unit).encoded += usize::from(there.is_none());
        self.blocks.put(connection, (unit, Kind::Encoded, id), vector)
    }

    pub(super) fn remove_text(
        &mut self,
        connection: &Connection,
        unit: Unit,
        id: i64,
    ) -> Result<(), IndexError> {
        let row = self.blocks.row(connection, unit, id)?;
        if let Some(row) = row.filter(|_| unit == Unit::Facts) {
            self.hashes.remove(row.hash_prefix, id);
        }
        self.blocks.remove(connection, (unit, Kind::Rows, id))?;
        self.blocks.remove(connection, (unit, Kind::Vectors, id))?;
        let encoded = self.blocks.remove(connection, (unit, Kind::Encoded, id))?;
        let counts = self.state.of_mut(unit);
        counts.texts = counts.texts.saturating_sub(1);
        if let (Some(row), Some(encoded)) = (row, encoded) {
            counts.encoded = counts.encoded.saturating_sub(1);
            self.known.insert(row.text, encoded);
        }
        Ok(())
    }
}
