//! Which texts of facts have some hash prefixes, without a look at each text.
//!
//! Invariant: equals a look at each text. A row holds the facts whose hash prefixes begin alike,
//! and has a checksum; where one is missing, because there are few facts or because of a damage
//! that SQLite does not notice, nothing is known of any prefix.

use super::{IndexError, proof::sum_of};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, BTreeSet};

const DAMAGED: IndexError = IndexError::Damaged("which facts have a hash");

/// A hash prefix and the id of a text that has it.
type Entry = (u64, i64);

/// How many bits of a prefix the facts of a row share: of ten thousand facts, a row is a page.
const SHARED_BITS: u32 = 6;

fn row_of(hash_prefix: u64) -> i64 {
    (hash_prefix >> (u64::BITS - SHARED_BITS)).cast_signed()
}

/// Changed entries that are not written yet: whether they are there. Of two changes of one, the
/// later counts.
#[derive(Default)]
pub(super) struct Hashes {
    changed: BTreeMap<Entry, bool>,
}

impl Hashes {
    pub(super) fn add(&mut self, hash_prefix: u64, id: i64) {
        self.changed.insert((hash_prefix, id), true);
    }

    pub(super) fn remove(&mut self, hash_prefix: u64, id: i64) {
        self.changed.insert((hash_prefix, id), false);
    }

    /// Writes what changed.
    pub(super) fn flush(&mut self, connection: &Connection) -> Result<(), IndexError> {
        if self.changed.is_empty() {
            return Ok(());
        }
        let changed: Vec<(Entry, bool)> = std::mem::take(&mut self.changed).into_iter().collect();
        let mut put = connection.prepare_cached("insert or replace into hash values(?, ?, ?)")?;
        for some in changed.chunk_by(|((a, _), _), ((b, _), _)| row_of(*a) == row_of(*b)) {
            let at = row_of(some[0].0.0);
            let mut entries = read(connection, at)?.unwrap_or_default();
            for (entry, is_there) in some {
                if *is_there {
                    entries.insert(*entry);
                } else {
                    entries.remove(entry);
                }
            }
            let mut bytes = Vec::with_capacity(entries.len() * 16);
            for (hash_prefix, id) in entries {
                bytes.extend(hash_prefix.to_le_bytes());
                bytes.extend(id.to_le_bytes());
            }
            put.execute(params![at, sum_of(&[&at.to_le_bytes(), &bytes]), bytes])?;
        }
        Ok(())
    }
}

/// Calls `each` with the entries of a row, and returns whether it is there.
fn each_of(
    connection: &Connection,
    at: i64,
    mut each: impl FnMut(Entry),
) -> Result<bool, IndexError> {
    let mut one = connection.prepare_cached("select sum, bytes from hash where id = ?")?;
    let found = one.query_row([at], |row| {
        let (sum, bytes): (u32, &[u8]) = (row.get(0)?, row.get_ref(1)?.as_blob()?);
        let (numbers, rest) = bytes.as_chunks::<8>();
        let (entries, odd) = numbers.as_chunks::<2>();
        let is_whole = rest.is_empty() && odd.is_empty();
        if !is_whole || sum_of(&[&at.to_le_bytes(), bytes]) != sum {
            return Ok(Err(DAMAGED));
        }
        for [hash_prefix, id] in entries {
            each((u64::from_le_bytes(*hash_prefix), i64::from_le_bytes(*id)));
        }
        Ok(Ok(()))
    });
    Ok(found.optional()?.transpose()?.is_some())
}

fn read(connection: &Connection, at: i64) -> Result<Option<BTreeSet<Entry>>, IndexError> {
    let mut entries = BTreeSet::new();
    let is_there = each_of(connection, at, |entry| {
        entries.insert(entry);
    })?;
    Ok(is_there.then_some(entries))
}

/// The ids of the texts with these hash prefixes; `None` if that is not known.
pub(super) fn with_prefixes(
    connection: &Connection,
    wanted: &BTreeSet<u64>,
) -> Result<Option<BTreeSet<i64>>, IndexError> {
    let mut found = BTreeSet::new();
    let wanted: Vec<u64> = wanted.iter().copied().collect();
    for some in wanted.chunk_by(|a, b| row_of(*a) == row_of(*b)) {
        let is_there = each_of(connection, row_of(some[0]), |(hash_prefix, id)| {
            if some.binary_search(&hash_prefix).is_ok() {
                found.insert(id);
            }
        })?;
        if !is_there {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGH: u64 = u64::MAX;

    fn connection() -> Connection {
        let connection = Connection::open_in_memory().expect("SQLite");
        connection.execute_batch(super::super::schema::TABLES).expect("tables");
        connection
    }

    fn found(connection: &Connection, wanted: &[u64]) -> Option<Vec<i64>> {
        let wanted = wanted.iter().copied().collect();
        let found = with_prefixes(connection, &wanted).expect("undamaged");
        found.map(|ids| ids.into_iter().collect())
    }

    #[test]
    fn what_was_added_and_not_removed_is_found() {
        let (connection, mut hashes) = (connection(), Hashes::default());
        assert_eq!(found(&connection, &[5]), None);
        for (hash_prefix, id) in [(5, 1), (5, 2), (6, 3), (HIGH, 4), (HIGH - 1, 5)] {
            hashes.add(hash_prefix, id);
        }
        hashes.flush(&connection).expect("written");
        assert_eq!(found(&connection, &[]), Some(vec![]));
        assert_eq!(found(&connection, &[5, HIGH]), Some(vec![1, 2, 4]));
        assert_eq!(found(&connection, &[7, HIGH - 1]), Some(vec![5]));
        // Of the prefixes between, there is no row.
        assert_eq!(found(&connection, &[5, HIGH / 2]), None);
        hashes.remove(5, 1);
        hashes.remove(HIGH, 4);
        hashes.add(HIGH, 4);
        hashes.remove(HIGH - 1, 5);
        hashes.add(7, 1);
        hashes.flush(&connection).expect("written");
        assert_eq!(found(&connection, &[5, 6, 7, HIGH, HIGH - 1]), Some(vec![1, 2, 3, 4]));
    }

    #[test]
    fn a_changed_row_is_noticed() {
        for change in [
            "update hash set bytes = zeroblob(length(bytes)) where id = 0",
            "update hash set bytes = substr(bytes, 2) where id = 0",
            "update hash set sum = sum + 1 where id = 0",
            "update hash set bytes = (select bytes from hash where id = 63) where id = 0",
        ] {
            let (connection, mut hashes) = (connection(), Hashes::default());
            hashes.add(5, 1);
            hashes.add(HIGH, 2);
            hashes.flush(&connection).expect("written");
            assert_eq!(connection.execute(change, []).expect("changed"), 1);
            assert!(with_prefixes(&connection, &BTreeSet::from([5])).is_err(), "{change}");
            assert_eq!(found(&connection, &[HIGH]), Some(vec![2]));
        }
    }
}
