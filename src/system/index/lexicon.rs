//! The lexicon: the words as written, how often each occurs, and its vector.
//!
//! Invariant: in byte order; a row holds the words from its first on up to the first of the next,
//! and the first row begins with the empty word. A word that occurs no more is gone.

use super::{IndexError, Unit, proof::sum_of};
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, HashMap};

/// How many words share a row at most, and how many when it is divided.
const MOST: usize = 128;
const SOME: usize = 64;
const DAMAGED: IndexError = IndexError::Damaged("a row of words");

/// The words of a row.
type Entries = BTreeMap<String, u32>;

/// Adds these differences to the counts; new words get their vectors.
pub(super) fn count(
    connection: &Connection,
    unit: Unit,
    more: &HashMap<String, i64>,
    vector: &dyn Fn(&str) -> Vec<u8>,
) -> Result<(), IndexError> {
    let more: BTreeMap<&str, i64> = more
        .iter()
        .filter(|(_, change)| **change != 0)
        .map(|(word, change)| (word.as_str(), *change))
        .collect();
    let rows = rows(connection, unit)?;
    let row_of = |word: &str| rows.partition_point(|(_, first)| first.as_str() <= word);
    let more: Vec<(&str, i64)> = more.into_iter().collect();
    for some in more.chunk_by(|(a, _), (b, _)| row_of(a) == row_of(b)) {
        let row = some.first().and_then(|(word, _)| row_of(word).checked_sub(1));
        let row = row.map(|at| (rows[at].0, rows[at].1.as_str()));
        count_row(connection, (unit, row), some, vector)?;
    }
    Ok(())
}

/// The rows, with the word that each begins with.
fn rows(connection: &Connection, unit: Unit) -> Result<Vec<(i64, String)>, IndexError> {
    let sql = "select id, first from word where unit = ? order by first";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([unit as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<Vec<(i64, String)>, _>>()?)
}

fn count_row(
    connection: &Connection,
    (unit, row): (Unit, Option<(i64, &str)>),
    more: &[(&str, i64)],
    vector: &dyn Fn(&str) -> Vec<u8>,
) -> Result<(), IndexError> {
    let mut entries = match row {
        Some((id, first)) => entries_of(connection, id, first)?,
        None => Entries::new(),
    };
    let before = entries.len();
    let mut is_other = false;
    for (word, change) in more {
        let count = i64::from(entries.get(*word).copied().unwrap_or_default()) + change;
        match u32::try_from(count).ok().filter(|count| *count > 0) {
            Some(count) => is_other |= entries.insert((*word).to_owned(), count).is_none(),
            None => is_other |= entries.remove(*word).is_some(),
        }
    }
    if let Some((id, first)) = row.filter(|_| !is_other && before == entries.len()) {
        let bytes = written(&entries);
        let sum = sum_of(&[first.as_bytes(), &bytes]);
        let mut update =
            connection.prepare_cached("update word set sum = ?, bytes = ? where id = ?")?;
        update.execute(params![sum, bytes, id])?;
        return Ok(());
    }
    if let Some((id, _)) = row {
        connection.prepare_cached("delete from word where id = ?")?.execute([id])?;
        connection.prepare_cached("delete from word_vector where id = ?")?.execute([id])?;
    }
    let all: Vec<(String, u32)> = entries.into_iter().collect();
    let each = if all.len() > MOST { SOME } else { MOST };
    for (at, some) in all.chunks(each).enumerate() {
        let first = match row {
            _ if at > 0 => &some[0].0,
            Some((_, first)) => first,
            None => "",
        };
        add_row(connection, unit, first, some, vector)?;
    }
    Ok(())
}

fn add_row(
    connection: &Connection,
    unit: Unit,
    first: &str,
    words: &[(String, u32)],
    vector: &dyn Fn(&str) -> Vec<u8>,
) -> Result<(), IndexError> {
    let bytes = written(&words.iter().cloned().collect());
    let sum = sum_of(&[first.as_bytes(), &bytes]);
    let sql = "insert into word(unit, first, sum, bytes) values(?, ?, ?, ?)";
    connection.prepare_cached(sql)?.execute(params![unit as i64, first, sum, bytes])?;
    let id = connection.last_insert_rowid();
    let mut vectors = Vec::new();
    for (word, _) in words {
        let one = vector(word);
        vectors.extend(u16::try_from(one.len()).unwrap_or_default().to_le_bytes());
        vectors.extend(one);
    }
    let sum = sum_of(&[first.as_bytes(), &vectors]);
    let mut add = connection.prepare_cached("insert into word_vector values(?, ?, ?)")?;
    add.execute(params![id, sum, vectors])?;
    Ok(())
}

fn entries_of(connection: &Connection, id: i64, first: &str) -> Result<Entries, IndexError> {
    let mut one = connection.prepare_cached("select sum, bytes from word where id = ?")?;
    let mut entries = Entries::new();
    one.query_row([id], |row| {
        let bytes = row.get_ref(1)?.as_blob()?;
        Ok(each_of(first, row.get(0)?, bytes, |word, count| {
            entries.insert(word.to_owned(), count);
        }))
    })??;
    Ok(entries)
}

/// Each word as its length, its letters and its count.
fn written(entries: &Entries) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (word, count) in entries {
        bytes.extend((word.len() as u32).to_le_bytes());
        bytes.extend(word.as_bytes());
        bytes.extend(count.to_le_bytes());
    }
    bytes
}

fn each_of(
    first: &str,
    sum: u32,
    bytes: &[u8],
    mut each: impl FnMut(&str, u32),
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
        each(std::str::from_utf8(word).map_err(|_| DAMAGED)?, u32::from_le_bytes(*count));
        rest = after;
    }
    Ok(())
}

/// Calls `each` with each word of a unit and how often it occurs, in byte order.
pub(super) fn each_word(
    connection: &Connection,
    unit: Unit,
    mut each: impl FnMut(&str, u32),
) -> Result<(), IndexError> {
    let sql = "select first, sum, bytes from word where unit = ? order by first";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([unit as i64])?;
    while let Some(row) = rows.next()? {
        let first = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        each_of(first, row.get(1)?, bytes, &mut each)?;
    }
    Ok(())
}

/// Calls `each` with the vector of each word, in the same order.
pub(super) fn each_vector(
    connection: &Connection,
    unit: Unit,
    mut each: impl FnMut(&[u8]),
) -> Result<(), IndexError> {
    let sql = "select first, word_vector.sum, word_vector.bytes from word
        join word_vector using (id) where unit = ? order by first";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([unit as i64])?;
    while let Some(row) = rows.next()? {
        let first = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        let mut rest = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        if sum_of(&[first.as_bytes(), rest]) != row.get::<_, u32>(1)? {
            return Err(DAMAGED);
        }
        while !rest.is_empty() {
            let (length, after) = rest.split_first_chunk().ok_or(DAMAGED)?;
            let length = usize::from(u16::from_le_bytes(*length));
            let (vector, after) = after.split_at_checked(length).ok_or(DAMAGED)?;
            each(vector);
            rest = after;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_and_go_in_order() {
        let connection = Connection::open_in_memory().expect("SQLite");
        connection.execute_batch(super::super::schema::TABLES).expect("tables");
        let vector = |word: &str| word.as_bytes().to_vec();
        let (mut all, mut seed) = (BTreeMap::<String, u32>::new(), 1_u64);
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
            count(&connection, Unit::Facts, &more, &vector).expect("counted");
            let (mut words, mut vectors) = (Vec::new(), Vec::new());
            let each = |word: &str, count| words.push((word.to_owned(), count));
            each_word(&connection, Unit::Facts, each).expect("read");
            each_vector(&connection, Unit::Facts, |one| vectors.push(one.to_vec())).expect("read");
            assert_eq!(words, all.clone().into_iter().collect::<Vec<_>>());
            assert!(words.iter().map(|(word, _)| word.as_bytes()).eq(&vectors));
        }
        assert!(all.len() > MOST, "more than one row");
        connection.execute("update word set bytes = x'00'", []).expect("changed");
        assert!(each_word(&connection, Unit::Facts, |_, _| {}).is_err());
    }
}
