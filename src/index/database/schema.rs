//! The tables of an index, and what it says of itself.
//!
//! Invariant: an index with other tables has another edition, and is treated as missing. Whatever
//! an answer depends on has a checksum of ours, because SQLite does not notice a flipped byte.

use super::{error::IndexError, proof::sum_of, unit::Unit};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What the bytes in the tables mean, which their definitions do not say: to be raised by hand with
/// each change of how a block, a posting, a row of words or [`State`] is written.
const FORMAT: u32 = 6;

/// Fingerprint of the tables and of what is in them: an index with a different one is treated as
/// missing.
pub fn edition() -> String {
    format!("{FORMAT}-{:08x}", crc32fast::hash(TABLES.as_bytes()))
}

/// In `file`, `sum` is of the whole row, and `facts_sum` of what a list reads of it;
/// `names_secrets` and `is_timed` only find rows, and how many there are is in [`Counts`]; the
/// documents, few among many facts, have an index. `block` holds what a question reads of all texts
/// and the vectors of words, some of them a row; `hash` the facts by the beginning of their hash;
/// `posting` the texts of a stem; `word` the words as written, a run of the alphabet a row.
pub(super) const TABLES: &str = "
    create table state(what text primary key, value blob not null, sum integer not null)
        without rowid;
    create table folder(
        path text primary key, modified integer not null, changed integer not null,
        settled integer not null)
        without rowid;
    create table file(
        id integer primary key, path text not null unique, unit integer not null,
        facts_sum integer not null, stat blob not null, name blob not null,
        first integer not null, past integer not null, names_secrets integer not null,
        is_timed integer not null, facts blob not null, sum integer not null);
    create index file_without_facts on file(unit) where facts = x'';
    create index file_with_secrets on file(unit) where names_secrets = 1;
    create index file_with_times on file(unit) where is_timed = 1;
    create index file_of_documents on file(unit) where unit = 1;
    create table content(id integer primary key, sum integer not null, bytes blob not null);
    create table block(id integer primary key, sum integer not null, bytes blob not null);
    create table hash(id integer primary key, sum integer not null, bytes blob not null);
    create table posting(
        unit integer not null, stem text not null, at integer not null, sum integer not null,
        bytes blob not null, primary key(unit, stem, at))
        without rowid;
    create table word(
        id integer primary key, unit integer not null, first text not null,
        sum integer not null, bytes blob not null, unique(unit, first));
";

/// What an index says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// What it has to match to be usable: version, place and model.
    pub(super) key: String,
    /// The encoder of the stored vectors.
    pub(super) encoder: String,
    /// Changes with each write.
    pub(super) version: u64,
    /// By [`Unit`].
    pub(super) counts: [Counts; 2],
}

/// How much of a unit is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Counts {
    /// Files, also those that are not documents.
    pub(super) files: usize,
    /// Files that are documents.
    pub(super) documents: usize,
    /// Those of them that name secrets.
    pub(super) name_secrets: usize,
    /// Those of them that say when they hold.
    pub(super) timed: usize,
    pub(super) texts: usize,
    /// Texts with a vector from the encoder.
    pub(super) encoded: usize,
    /// The id of the next text.
    pub(super) next: i64,
    /// The id of the next new word.
    pub(super) next_word: u32,
    /// Words with a vector.
    pub(super) word_vectors: usize,
}

/// As many ids without a text are never too many.
const SPARE_IDS: usize = 10_000;

impl Counts {
    /// Whether far more ids were given than there are texts.
    pub(super) fn are_sparse(&self) -> bool {
        let given = usize::try_from(self.next).unwrap_or(usize::MAX);
        given > self.texts.saturating_mul(4).saturating_add(SPARE_IDS)
    }
}

impl State {
    pub(super) fn read(connection: &Connection) -> Result<State, IndexError> {
        get(connection, "state")?.ok_or(IndexError::Damaged("it does not say what it is"))
    }

    pub(super) fn write(&self, connection: &Connection) -> Result<(), IndexError> {
        put(connection, "state", self)
    }

    pub(super) fn of_mut(&mut self, unit: Unit) -> &mut Counts {
        &mut self.counts[unit as usize]
    }
}

/// `None` if nothing is stored under this name.
pub(super) fn get<T: DeserializeOwned>(
    connection: &Connection,
    what: &str,
) -> Result<Option<T>, IndexError> {
    let sql = "select value, sum from state where what = ?";
    let mut one = connection.prepare_cached(sql)?;
    let row = one.query_row([what], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, u32>(1)?)));
    let Some((value, sum)) = row.optional()? else { return Ok(None) };
    let is_right = sum == sum_of(&[what.as_bytes(), &value]);
    let read = is_right.then(|| postcard::from_bytes(&value).ok()).flatten();
    read.map(Some).ok_or(IndexError::Damaged("what it says of itself"))
}

pub(super) fn put(
    connection: &Connection,
    what: &str,
    value: &impl Serialize,
) -> Result<(), IndexError> {
    let value = postcard::to_stdvec(value).expect("because it is numbers and texts");
    let sum = sum_of(&[what.as_bytes(), &value]);
    let mut put = connection.prepare_cached("insert or replace into state values(?, ?, ?)")?;
    put.execute(params![what, value, sum])?;
    Ok(())
}

pub(super) fn drop_state(connection: &Connection, what: &str) -> Result<(), IndexError> {
    connection.prepare_cached("delete from state where what = ?")?.execute([what])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_found_without_a_look_at_each_fact() {
        let connection = Connection::open_in_memory().expect("SQLite");
        connection.execute_batch(TABLES).expect("tables");
        let plan = |unit: Unit| -> String {
            let sql =
                format!("explain query plan select path from file where unit = {}", unit as i64);
            connection.query_row(&sql, [], |row| row.get(3)).expect("a plan")
        };
        assert!(plan(Unit::Documents).contains("file_of_documents"), "{}", plan(Unit::Documents));
        assert!(plan(Unit::Facts).starts_with("SCAN"), "{}", plan(Unit::Facts));
    }
}
