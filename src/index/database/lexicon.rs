//! The lexicon: the words as written, how often each occurs, and its vector.
//!
//! Invariant: in byte order; a row holds the words from its first on up to the first of the next,
//! and the first row begins with the empty word. A word that occurs no more is gone, and so is its
//! vector.

use super::{
    IndexError, Unit,
    proof::sum_of,
    word_vectors::{NO_VECTOR, WordVectors},
};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::HashMap;

/// How many words share a row at most, and how many when it is divided.
const MOST: usize = 128;
const SOME: usize = 64;
const DAMAGED: IndexError = IndexError::Damaged("a row of words");

#[derive(Clone, Copy)]
struct Entry {
    count: u32,
    /// Of its vector.
    id: Option<u32>,
}

/// The words of a row, in their order.
type Entries<'a> = Vec<(&'a str, Entry)>;

/// Adds these differences to the counts; new words get their vectors.
pub(super) fn count(
    connection: &Connection,
    vectors: &mut WordVectors<'_>,
    more: &HashMap<String, i64>,
) -> Result<(), IndexError> {
    let more = more.iter().filter(|(_, change)| **change != 0);
    let mut more: Vec<(&str, i64)> = more.map(|(word, change)| (word.as_str(), *change)).collect();
    more.sort_unstable();
    let mut rest = more.as_slice();
    // Only the rows are looked up that change, however many there are.
    while let Some((word, _)) = rest.first() {
        let row = row_with(connection, vectors.unit, word)?;
        let next = first_after(connection, vectors.unit, word)?;
        let is_before = |word: &str| next.as_ref().is_none_or(|next| word < next.as_str());
        let (some, others) = rest.split_at(rest.partition_point(|(word, _)| is_before(word)));
        count_row(connection, vectors, row.as_ref().map(|(id, first)| (*id, &**first)), some)?;
        rest = others;
    }
    Ok(())
}

/// The row that holds a word if there is such a word, with the word that it begins with.
fn row_with(
    connection: &Connection,
    unit: Unit,
    word: &str,
) -> Result<Option<(i64, String)>, IndexError> {
    let sql =
        "select id, first from word where unit = ? and first <= ? order by first desc limit 1";
    let mut one = connection.prepare_cached(sql)?;
    let row = one.query_row(params![unit as i64, word], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(row.optional()?)
}

/// The word that the first row after a word begins with.
fn first_after(
    connection: &Connection,
    unit: Unit,
    word: &str,
) -> Result<Option<String>, IndexError> {
    let sql = "select first from word where unit = ? and first > ? order by first limit 1";
    let mut one = connection.prepare_cached(sql)?;
    Ok(one.query_row(params![unit as i64, word], |row| row.get(0)).optional()?)
}

fn count_row(
    connection: &Connection,
    vectors: &mut WordVectors<'_>,
    row: Option<(i64, &str)>,
    more: &[(&str, i64)],
) -> Result<(), IndexError> {
    let (first, (sum, bytes)) = match row {
        Some((id, first)) => (first, stored(connection, id)?),
        None => ("", (sum_of(&[]), Vec::new())),
    };
    let known = entries_of(first, sum, &bytes)?;
    let mut all = Entries::with_capacity(known.len() + more.len());
    let mut known = known.into_iter().peekable();
    for (word, change) in more {
        while let Some(before) = known.next_if(|(other, _)| other < word) {
            all.push(before);
        }
        let same = known.next_if(|(other, _)| other == word);
        let count = same.as_ref().map_or(0, |(_, entry)| i64::from(entry.count)) + change;
        let count = u32::try_from(count).ok().filter(|count| *count > 0);
        match (same, count) {
            (Some((word, entry)), Some(count)) => all.push((word, Entry { count, ..entry })),
            (None, Some(count)) => {
                let id = vectors.add(connection, word)?;
                all.push((word, Entry { count, id }));
            }
            (Some((_, entry)), None) => vectors.remove(connection, entry.id)?,
            (None, None) => {}
        }
    }
    all.extend(known);
    let mut parts = all.chunks(if all.len() > MOST { SOME } else { MOST });
    match (row, parts.next()) {
        (Some((id, first)), Some(words)) => {
            let bytes = written(words);
            let sum = sum_of(&[first.as_bytes(), &bytes]);
            let sql = "update word set sum = ?, bytes = ? where id = ?";
            connection.prepare_cached(sql)?.execute(params![sum, bytes, id])?;
        }
        (Some((id, _)), None) => {
            connection.prepare_cached("delete from word where id = ?")?.execute([id])?;
        }
        (None, Some(words)) => add_row(connection, vectors.unit, "", words)?,
        (None, None) => {}
    }
    parts.try_for_each(|words| add_row(connection, vectors.unit, words[0].0, words))
}

fn add_row(
    connection: &Connection,
    unit: Unit,
    first: &str,
    words: &[(&str, Entry)],
) -> Result<(), IndexError> {
    let bytes = written(words);
    let sum = sum_of(&[first.as_bytes(), &bytes]);
    let sql = "insert into word(unit, first, sum, bytes) values(?, ?, ?, ?)";
    connection.prepare_cached(sql)?.execute(params![unit as i64, first, sum, bytes])?;
    Ok(())
}

/// The sum and the bytes of a row.
fn stored(connection: &Connection, id: i64) -> Result<(u32, Vec<u8>), IndexError> {
    let mut one = connection.prepare_cached("select sum, bytes from word where id = ?")?;
    Ok(one.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

fn entries_of<'a>(first: &str, sum: u32, bytes: &'a [u8]) -> Result<Entries<'a>, IndexError> {
    // Hot: nothing is copied of the other words of a row.
    let mut entries = Entries::with_capacity(MOST);
    each_of(first, sum, bytes, |word, entry| entries.push((word, entry)))?;
    Ok(entries)
}

/// Each word as its length, its letters, its count and its id.
fn written(words: &[(&str, Entry)]) -> Vec<u8> {
    const NUMBERS: usize = 12;
    let size = words.iter().map(|(word, _)| NUMBERS + word.len()).sum();
    let mut bytes = Vec::with_capacity(size);
    for (word, entry) in words {
        bytes.extend((word.len() as u32).to_le_bytes());
        bytes.extend(word.as_bytes());
        bytes.extend(entry.count.to_le_bytes());
        bytes.extend(entry.id.unwrap_or(NO_VECTOR).to_le_bytes());
    }
    bytes
}

fn each_of<'a>(
    first: &str,
    sum: u32,
    bytes: &'a [u8],
    mut each: impl FnMut(&'a str, Entry),
) -> Result<(), IndexError> {
    if sum_of(&[first.as_bytes(), bytes]) != sum {
        return Err(DAMAGED);
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk().ok_or(DAMAGED)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (word, after) = after.split_at_checked(length).ok_or(DAMAGED)?;
        let (count, after) = after.split_first_chunk().ok_or(DAMAGED)?;
        let (id, after) = after.split_first_chunk().ok_or(DAMAGED)?;
        let (count, id) = (u32::from_le_bytes(*count), u32::from_le_bytes(*id));
        let id = Some(id).filter(|id| *id != NO_VECTOR);
        each(std::str::from_utf8(word).map_err(|_| DAMAGED)?, Entry { count, id });
        rest = after;
    }
    Ok(())
}

/// Calls `each` with each word of a unit, how often it occurs and the id of its vector, in byte
/// order.
pub(super) fn each_word(
    connection: &Connection,
    unit: Unit,
    mut each: impl FnMut(&str, u32, Option<u32>),
) -> Result<(), IndexError> {
    let sql = "select first, sum, bytes from word where unit = ? order by first";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([unit as i64])?;
    while let Some(row) = rows.next()? {
        each_of_row(row, |word, entry| each(word, entry.count, entry.id))?;
    }
    Ok(())
}

/// How often a word occurs; `None` if it does not.
pub(super) fn frequency(
    connection: &Connection,
    unit: Unit,
    word: &str,
) -> Result<Option<u32>, IndexError> {
    let sql = "select first, sum, bytes from word where unit = ? and first <= ?
        order by first desc limit 1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![unit as i64, word])?;
    let mut found = None;
    if let Some(row) = rows.next()? {
        each_of_row(row, |known, entry| {
            if known == word {
                found = Some(entry.count);
            }
        })?;
    }
    Ok(found)
}

/// Calls `each` with each word with a prefix and how often it occurs, in byte order.
pub(super) fn each_beginning_with(
    connection: &Connection,
    unit: Unit,
    text: &str,
    mut each: impl FnMut(&str, u32),
) -> Result<(), IndexError> {
    // The first row may begin after the prefix, and still have words with it.
    let sql = "select first, sum, bytes from word where unit = ?1 and first >= coalesce(
        (select first from word where unit = ?1 and first <= ?2 order by first desc limit 1), '')
        order by first";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![unit as i64, text])?;
    let mut is_past = false;
    while let Some(row) = rows.next()? {
        each_of_row(row, |word, entry| {
            if word.starts_with(text) {
                each(word, entry.count);
            } else {
                is_past |= word > text;
            }
        })?;
        if is_past {
            break;
        }
    }
    Ok(())
}

/// Calls `each` with each word of a row, which is its first word, its checksum and its bytes.
fn each_of_row(row: &Row<'_>, each: impl FnMut(&str, Entry)) -> Result<(), IndexError> {
    let first = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
    let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
    each_of(first, row.get(1)?, bytes, each)
}

/// As [`each_beginning_with`], for the words with a text anywhere in them.
pub(super) fn each_containing(
    connection: &Connection,
    unit: Unit,
    text: &str,
    mut each: impl FnMut(&str, u32),
) -> Result<(), IndexError> {
    let finder = memchr::memmem::Finder::new(text);
    let sql = "select first, sum, bytes from word where unit = ? order by first";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([unit as i64])?;
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        // Hot: most rows have no such word.
        if finder.find(bytes).is_some() {
            each_of_row(row, |word, entry| {
                if finder.find(word.as_bytes()).is_some() {
                    each(word, entry.count);
                }
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::database::{block::Blocks, schema::Counts, word_vectors::each_vector};
    use std::collections::BTreeMap;

    #[test]
    fn words_come_and_go_in_order() {
        let connection = Connection::open_in_memory().expect("SQLite");
        connection.execute_batch(super::super::schema::TABLES).expect("tables");
        let has_meaning = |word: &str| !word.ends_with('7');
        let vector = |word: &str| if has_meaning(word) { word.into() } else { Vec::new() };
        let (mut all, mut seed) = (BTreeMap::<String, u32>::new(), 1_u64);
        let (mut blocks, mut counts) = (Blocks::default(), Counts::default());
        for round in 0..40 {
            let mut more: HashMap<String, i64> = HashMap::new();
            for _ in 0..30 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let word = format!("w{}", (seed >> 33) % 400);
                let change = if round % 3 == 2 { -1 } else { 1 };
                if change > 0 || all.contains_key(&word) {
                    let count = all.entry(word.clone()).or_default();
                    *count = count.saturating_add_signed(change);
                    all.retain(|_, count| *count > 0);
                    *more.entry(word).or_default() += i64::from(change);
                }
            }
            let unit = Unit::Facts;
            let (blocks, counts) = (&mut blocks, &mut counts);
            let mut put = WordVectors { unit, blocks, counts, vector: &vector };
            count(&connection, &mut put, &more).expect("counted");
            put.blocks.flush(&connection).expect("written");
            let (mut words, mut ids, mut vectors) = (Vec::new(), Vec::new(), BTreeMap::new());
            let each = |word: &str, count, id| {
                words.push((word.to_owned(), count));
                ids.push(id);
            };
            each_word(&connection, Unit::Facts, each).expect("read");
            let each = |id: u32, word: &[u8], found: &[u8]| {
                assert_eq!(found, vector(std::str::from_utf8(word).expect("a word")));
                assert_eq!(vectors.insert(id, found.to_vec()), None);
            };
            each_vector(&connection, Unit::Facts, each).expect("read");
            assert_eq!(words, all.clone().into_iter().collect::<Vec<_>>());
            for text in ["", "a", "w", "w1", "w12", "w123", "w39", "w399", "w4", "x"] {
                let known = frequency(&connection, Unit::Facts, text).expect("read");
                assert_eq!(known, all.get(text).copied(), "{text}");
                let mut with = Vec::new();
                let each = |word: &str, count| with.push((word.to_owned(), count));
                each_beginning_with(&connection, Unit::Facts, text, each).expect("read");
                let begins = |(word, _): &&(String, u32)| word.starts_with(text);
                assert_eq!(with, words.iter().filter(begins).cloned().collect::<Vec<_>>());
                with.clear();
                let each = |word: &str, count| with.push((word.to_owned(), count));
                each_containing(&connection, Unit::Facts, text, each).expect("read");
                let contains = |(word, _): &&(String, u32)| word.contains(text);
                assert_eq!(with, words.iter().filter(contains).cloned().collect::<Vec<_>>());
            }
            assert_eq!(vectors.len(), counts.word_vectors);
            for ((word, _), id) in words.iter().zip(ids) {
                let found = id.map(|id| vectors.remove(&id).expect("a vector"));
                assert_eq!(found.unwrap_or_default(), vector(word), "{word}");
            }
            assert!(vectors.is_empty(), "of words that are gone");
        }
        assert!(all.len() > MOST, "more than one row");
        connection.execute("update word set bytes = x'00'", []).expect("changed");
        assert!(each_word(&connection, Unit::Facts, |_, _, _| {}).is_err());
    }
}
