//! Postings: which texts have a stem, and how often.
//!
//! Invariant: a row holds the texts of one stem whose ids begin alike, in order of their ids.

use super::{IndexError, Unit, proof::sum_of};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, HashMap};

/// How many texts share a row of a stem.
const TEXTS: i64 = 1_024;
/// The bit of an entry's place that says that the stem is in the tags.
const IN_TAGS: u16 = 1 << 15;

const DAMAGED: IndexError = IndexError::Damaged("the texts of a word");

/// A text that has a stem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    pub id: i64,
    /// How often, in body and tags.
    pub frequency: u32,
    pub in_tags: bool,
}

/// Changed postings that are not written yet: of each stem the texts that have it now, or no more.
#[derive(Default)]
pub(super) struct Postings {
    changed: HashMap<(Unit, String), Changed>,
}

/// By text: how often it has the stem, and whether in its tags.
type Changed = BTreeMap<i64, Option<(u16, bool)>>;

impl Postings {
    /// Counts the stems of a text, separated by spaces.
    pub(super) fn add(&mut self, unit: Unit, id: i64, body: &str, tags: &str) {
        let body = body.split_ascii_whitespace().map(|stem| (stem, false));
        let tags = tags.split_ascii_whitespace().map(|stem| (stem, true));
        let mut counts: HashMap<&str, (u16, bool)> = HashMap::new();
        for (stem, is_tag) in body.chain(tags) {
            let (frequency, in_tags) = counts.entry(stem).or_default();
            *frequency = frequency.saturating_add(1);
            *in_tags |= is_tag;
        }
        for (stem, count) in counts {
            self.of(unit, stem).insert(id, Some(count));
        }
    }

    pub(super) fn remove(&mut self, unit: Unit, id: i64, stem: &str) {
        self.of(unit, stem).insert(id, None);
    }

    fn of(&mut self, unit: Unit, stem: &str) -> &mut Changed {
        self.changed.entry((unit, stem.to_owned())).or_default()
    }

    /// Writes what changed.
    pub(super) fn flush(&mut self, connection: &Connection) -> Result<(), IndexError> {
        let mut changed: Vec<_> = std::mem::take(&mut self.changed).into_iter().collect();
        // In the order of the table.
        changed.sort_unstable_by(|((unit, stem), _), ((other, than), _)| {
            (*unit as i64, stem).cmp(&(*other as i64, than))
        });
        for ((unit, stem), texts) in changed {
            let texts: Vec<(i64, Option<(u16, bool)>)> = texts.into_iter().collect();
            for texts in texts.chunk_by(|a, b| a.0.div_euclid(TEXTS) == b.0.div_euclid(TEXTS)) {
                write(connection, unit, &stem, texts)?;
            }
        }
        Ok(())
    }
}

/// Writes changes that belong into one row.
fn write(
    connection: &Connection,
    unit: Unit,
    stem: &str,
    texts: &[(i64, Option<(u16, bool)>)],
) -> Result<(), IndexError> {
    let Some((id, _)) = texts.first() else { return Ok(()) };
    let (unit, at) = (unit as i64, id.div_euclid(TEXTS));
    let sql = "select sum, bytes from posting where unit = ? and stem = ? and at = ?";
    let mut one = connection.prepare_cached(sql)?;
    let mut entries: BTreeMap<u16, (u16, bool)> = BTreeMap::new();
    let read = one.query_row(params![unit, stem, at], |row| {
        let bytes = row.get_ref(1)?.as_blob()?;
        Ok(each_of((stem, at), row.get(0)?, bytes, |place, frequency, in_tags| {
            entries.insert(place, (frequency, in_tags));
        }))
    });
    read.optional()?.transpose()?;
    for (id, entry) in texts {
        let place = id.rem_euclid(TEXTS) as u16;
        match entry {
            Some(entry) => entries.insert(place, *entry),
            None => entries.remove(&place),
        };
    }
    if entries.is_empty() {
        let sql = "delete from posting where unit = ? and stem = ? and at = ?";
        connection.prepare_cached(sql)?.execute(params![unit, stem, at])?;
        return Ok(());
    }
    let mut bytes = Vec::with_capacity(entries.len() * 4);
    for (place, (frequency, in_tags)) in entries {
        bytes.extend((place | if in_tags { IN_TAGS } else { 0 }).to_le_bytes());
        bytes.extend(frequency.to_le_bytes());
    }
    let sum = sum_of(&[stem.as_bytes(), &at.to_le_bytes(), &bytes]);
    connection
        .prepare_cached("insert or replace into posting values(?, ?, ?, ?, ?)")?
        .execute(params![unit, stem, at, sum, bytes])?;
    Ok(())
}

/// Each place once, in their order.
fn each_of(
    (stem, at): (&str, i64),
    sum: u32,
    bytes: &[u8],
    mut each: impl FnMut(u16, u16, bool),
) -> Result<(), IndexError> {
    let (entries, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() || sum_of(&[stem.as_bytes(), &at.to_le_bytes(), bytes]) != sum {
        return Err(DAMAGED);
    }
    let mut free = 0;
    for [a, b, c, d] in entries {
        let tagged = u16::from_le_bytes([*a, *b]);
        let place = tagged & !IN_TAGS;
        if place < free || i64::from(place) >= TEXTS {
            return Err(DAMAGED);
        }
        free = place + 1;
        each(place, u16::from_le_bytes([*c, *d]), tagged & IN_TAGS > 0);
    }
    Ok(())
}

/// The texts that have a stem, in the order of their ids.
pub(super) fn occurrences(
    connection: &Connection,
    unit: Unit,
    stem: &str,
) -> Result<Vec<Occurrence>, IndexError> {
    let sql = "select at, sum, bytes from posting where unit = ? and stem = ? order by at";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![unit as i64, stem])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let at: i64 = row.get(0)?;
        let first = at.checked_mul(TEXTS).filter(|first| *first >= 0).ok_or(DAMAGED)?;
        let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        each_of((stem, at), row.get(1)?, bytes, |place, frequency, in_tags| {
            let id = first + i64::from(place);
            found.push(Occurrence { id, frequency: u32::from(frequency), in_tags });
        })?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_has_the_texts_that_have_it() {
        let connection = Connection::open_in_memory().expect("SQLite");
        connection.execute_batch(super::super::schema::TABLES).expect("tables");
        let mut postings = Postings::default();
        postings.add(Unit::Facts, 5, "tea tea green", "tea");
        postings.add(Unit::Facts, 2_000, "tea", "");
        postings.add(Unit::Documents, 5, "tea", "");
        postings.flush(&connection).expect("written");
        let found = |unit| occurrences(&connection, unit, "tea").expect("read");
        let of = |id, frequency, in_tags| Occurrence { id, frequency, in_tags };
        assert_eq!(found(Unit::Facts), [of(5, 3, true), of(2_000, 1, false)]);
        postings.remove(Unit::Facts, 5, "tea");
        postings.flush(&connection).expect("written");
        assert_eq!(found(Unit::Facts), [of(2_000, 1, false)]);
        assert_eq!(found(Unit::Documents), [of(5, 1, false)]);
        connection.execute("update posting set bytes = x'00000000'", []).expect("changed");
        assert!(occurrences(&connection, Unit::Facts, "tea").is_err());
    }

    #[test]
    fn places_that_no_writer_writes_are_damage() {
        let connection = Connection::open_in_memory().expect("SQLite");
        connection.execute_batch(super::super::schema::TABLES).expect("tables");
        let ids = |at: i64, places: &[u16]| {
            let entry = |place: &u16| [place.to_le_bytes(), [1, 0]].concat();
            let bytes: Vec<u8> = places.iter().flat_map(entry).collect();
            let sum = sum_of(&["tea".as_bytes(), &at.to_le_bytes(), &bytes]);
            let put = "insert or replace into posting values(0, 'tea', ?, ?, ?)";
            connection.execute("delete from posting", []).expect("deleted");
            connection.execute(put, params![at, sum, bytes]).expect("put");
            let found = occurrences(&connection, Unit::Facts, "tea").ok()?;
            Some(found.iter().map(|one| one.id).collect::<Vec<i64>>())
        };
        assert_eq!(ids(2, &[0, 5 | IN_TAGS, 1_023]), Some(vec![2_048, 2_053, 3_071]));
        for (at, bad) in [
            (0, &[1_024][..]),
            (0, &[7, 7 | IN_TAGS]),
            (0, &[2, 1]),
            (-1, &[0]),
            (i64::MAX, &[0]),
            (i64::MIN, &[0]),
        ] {
            assert_eq!(ids(at, bad), None, "{at} {bad:?}");
        }
    }
}
