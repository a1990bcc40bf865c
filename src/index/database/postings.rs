//! Postings: which texts have a stem, and how often.
//!
//! Invariant: a row holds the texts of one stem whose ids begin alike, in order of their ids.

use super::{IndexError, Unit, proof::sum_of, text_row::short};
use crate::recall::word_hash::ByWord;
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};

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
    /// By [`Unit`].
    changed: [Changed; 2],
    /// How many changes there are.
    count: usize,
    /// By [`Unit`], the first row of each stem that cannot be stored yet, if that is known.
    free: [Option<i64>; 2],
}

/// The changes of each stem.
#[derive(Default)]
struct Changed {
    /// Where in `changes` those of a stem are.
    places: ByWord<usize>,
    changes: Vec<Vec<Change>>,
}

/// A text, how often it has the stem, and whether in its tags; `None` if it has it no more. Of two
/// changes of a text, the later one counts.
type Change = (u32, Option<(u16, bool)>);

/// So many changes are kept before they are written: each time, rows of most stems are.
const MANY: usize = 128 * 1_024;

impl Postings {
    /// For an index in which there is nothing.
    pub(super) fn of_new() -> Postings {
        Postings { free: [Some(0); 2], ..Postings::default() }
    }

    /// Counts the stems of a text, separated by spaces.
    pub(super) fn add(&mut self, unit: Unit, id: i64, body: &str, tags: &str) {
        let id = short(id);
        let body = body.split_ascii_whitespace().map(|stem| (stem, false));
        let tags = tags.split_ascii_whitespace().map(|stem| (stem, true));
        for (stem, is_tag) in body.chain(tags) {
            let changes = self.of(unit, stem);
            match changes.last_mut() {
                Some((last, Some((frequency, in_tags)))) if *last == id => {
                    *frequency = frequency.saturating_add(1);
                    *in_tags |= is_tag;
                }
                _ => {
                    changes.push((id, Some((1, is_tag))));
                    self.count += 1;
                }
            }
        }
    }

    pub(super) fn remove(&mut self, unit: Unit, id: i64, stem: &str) {
        self.of(unit, stem).push((short(id), None));
        self.count += 1;
    }

    fn of(&mut self, unit: Unit, stem: &str) -> &mut Vec<Change> {
        let Changed { places, changes } = &mut self.changed[unit as usize];
        let place = match places.get(stem) {
            Some(place) => *place,
            None => {
                places.insert(stem.into(), changes.len());
                changes.push(Vec::new());
                changes.len() - 1
            }
        };
        &mut changes[place]
    }

    /// Writes what changed, if that is much.
    pub(super) fn flush_many(&mut self, connection: &Connection) -> Result<(), IndexError> {
        if self.count < MANY { Ok(()) } else { self.flush(connection) }
    }

    /// Writes what changed.
    pub(super) fn flush(&mut self, connection: &Connection) -> Result<(), IndexError> {
        if self.count == 0 {
            return Ok(());
        }
        let mut rows = Rows::of(connection)?;
        for unit in Unit::ALL {
            let Changed { places, mut changes } = std::mem::take(&mut self.changed[unit as usize]);
            let mut stems: Vec<(Box<str>, usize)> = places.into_iter().collect();
            // In the order of the table.
            stems.sort_unstable_by(|(stem, _), (other, _)| stem.cmp(other));
            let free = &mut self.free[unit as usize];
            let (before, mut last) = (*free, -1);
            for (stem, place) in stems {
                let mut changes = std::mem::take(&mut changes[place]);
                changes.sort_by_key(|(id, _)| *id);
                let row = |(id, _): &Change| row_of(*id);
                for some in changes.chunk_by(|a, b| row(a) == row(b)) {
                    let at = row(&some[0]);
                    last = last.max(at);
                    let is_new = before.is_some_and(|free| at >= free);
                    rows.write((unit, &*stem, at), some, if is_new { Row::New } else { Row::Any })?;
                }
            }
            *free = before.map(|free| free.max(last + 1));
        }
        self.count = 0;
        Ok(())
    }
}

/// The row of a text.
fn row_of(id: u32) -> i64 {
    i64::from(id) / TEXTS
}

/// Whether a row may be stored already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row {
    New,
    Any,
}

/// Reads and writes the rows of stems.
struct Rows<'a> {
    connection: &'a Connection,
    read: CachedStatement<'a>,
    put: CachedStatement<'a>,
    /// What is written of one.
    bytes: Vec<u8>,
    entries: Vec<(u16, Option<(u16, bool)>)>,
}

impl Rows<'_> {
    fn of(connection: &Connection) -> Result<Rows<'_>, IndexError> {
        let read = "select sum, bytes from posting where unit = ? and stem = ? and at = ?";
        let put = "insert or replace into posting values(?, ?, ?, ?, ?)";
        Ok(Rows {
            connection,
            read: connection.prepare_cached(read)?,
            put: connection.prepare_cached(put)?,
            bytes: Vec::new(),
            entries: Vec::new(),
        })
    }

    /// Writes changes that belong into one row.
    fn write(
        &mut self,
        (unit, stem, at): (Unit, &str, i64),
        changes: &[Change],
        row: Row,
    ) -> Result<(), IndexError> {
        let Rows { connection, read, put, bytes, entries } = self;
        let unit = unit as i64;
        entries.clear();
        if row == Row::Any {
            let known = read.query_row(params![unit, stem, at], |row| {
                let bytes = row.get_ref(1)?.as_blob()?;
                Ok(each_of((stem, at), row.get(0)?, bytes, |place, frequency, in_tags| {
                    entries.push((place, Some((frequency, in_tags))));
                }))
            });
            known.optional()?.transpose()?;
        }
        entries.extend(changes.iter().map(|(id, entry)| ((i64::from(*id) % TEXTS) as u16, *entry)));
        // Stable: a change is after what was stored.
        entries.sort_by_key(|(place, _)| *place);
        bytes.clear();
        for of_text in entries.chunk_by(|(a, _), (b, _)| a == b) {
            if let Some((place, Some((frequency, in_tags)))) = of_text.last() {
                let place = place | if *in_tags { IN_TAGS } else { 0 };
                bytes.extend_from_slice(&place.to_le_bytes());
                bytes.extend_from_slice(&frequency.to_le_bytes());
            }
        }
        if bytes.is_empty() {
            let sql = "delete from posting where unit = ? and stem = ? and at = ?";
            connection.prepare_cached(sql)?.execute(params![unit, stem, at])?;
            return Ok(());
        }
        let sum = sum_of(&[stem.as_bytes(), &at.to_le_bytes(), bytes.as_slice()]);
        put.execute(params![unit, stem, at, sum, *bytes])?;
        Ok(())
    }
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

/// How many texts have a stem, by the lengths of its rows, which are not read.
pub(super) fn count(connection: &Connection, unit: Unit, stem: &str) -> Result<usize, IndexError> {
    let sql = "select coalesce(sum(length(bytes)), 0) / 4 from posting where unit = ? and stem = ?";
    let mut one = connection.prepare_cached(sql)?;
    let count: i64 = one.query_row(params![unit as i64, stem], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
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
        let counted = |stem| count(&connection, Unit::Facts, stem).expect("counted");
        assert_eq!((counted("tea"), counted("green"), counted("coffee")), (2, 1, 0));
        postings.remove(Unit::Facts, 5, "tea");
        postings.flush(&connection).expect("written");
        assert_eq!(found(Unit::Facts), [of(2_000, 1, false)]);
        assert_eq!(found(Unit::Documents), [of(5, 1, false)]);
        connection.execute("update posting set bytes = x'00000000'", []).expect("changed");
        assert!(occurrences(&connection, Unit::Facts, "tea").is_err());
    }

    #[test]
    fn a_new_index_has_what_one_has_that_grows() {
        let texts: Vec<(i64, String)> = (0..3_000)
            .map(|id| (id, format!("all tea{} {}", id % 7, "often ".repeat(id as usize % 4))))
            .collect();
        let kept = |postings: Postings, together: usize| {
            let connection = Connection::open_in_memory().expect("SQLite");
            connection.execute_batch(super::super::schema::TABLES).expect("tables");
            let mut postings = postings;
            for some in texts.chunks(together) {
                some.iter().for_each(|(id, text)| postings.add(Unit::Documents, *id, text, "tea1"));
                postings.flush(&connection).expect("written");
            }
            // Removed, and its id given to another, in one change.
            postings.remove(Unit::Documents, 1_500, "all");
            postings.add(Unit::Documents, 1_500, "all all new", "");
            postings.remove(Unit::Documents, 2_000, "all");
            postings.flush(&connection).expect("written");
            let sql = "select stem, at, sum, bytes from posting where unit = 1 order by stem, at";
            let mut all = connection.prepare(sql).expect("a query");
            let row =
                |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
            let rows = all.query_map([], row).expect("rows");
            rows.collect::<Result<Vec<(String, i64, u32, Vec<u8>)>, _>>().expect("rows")
        };
        let grown = kept(Postings::default(), 7);
        for together in [1, 100, 1_024, 1_500, 3_000] {
            assert!(kept(Postings::of_new(), together) == grown, "{together}");
        }
        assert_eq!(grown.len(), 3 + 3 + 7 * 3 + 1, "rows");
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
