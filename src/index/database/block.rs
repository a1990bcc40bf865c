//! Blocks: what a question reads of all texts and words, stored for some of them at a time.
//!
//! Invariant: a block holds neighbouring ids, in their order, and fills a page of the file, so that
//! a save rewrites one page of each kind, and a question reads few rows. Must not know what a
//! vector means.

use super::{IndexError, TextRow, Unit, proof::sum_of};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

/// The most entries of a block of any kind.
const PLACES: u8 = 60;

/// What a block holds of each of its texts, or words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// [`TextRow`].
    Rows,
    /// The vector of the static table or an endpoint.
    Vectors,
    /// The vector of the encoder.
    Encoded,
    /// A word and its vector, as `word_vectors` writes them.
    Words,
    /// The path of a file and its stat, by the id of the file.
    Files,
}

impl Kind {
    /// How many entries share a block: as many as fit into a page of 4 KiB, as a rule.
    fn together(self) -> i64 {
        match self {
            Kind::Rows => i64::from(PLACES),
            Kind::Vectors => 15,
            Kind::Words => 14,
            Kind::Encoded => 10,
            Kind::Files => 35,
        }
    }
}

/// The row of `block` for a text or a word, and its place there.
fn place_of(unit: Unit, kind: Kind, id: i64) -> (i64, u8) {
    let place = id.rem_euclid(kind.together());
    let place = u8::try_from(place).expect("because a block is that small");
    (first_of(unit, kind) + id.div_euclid(kind.together()), place)
}

/// The first row of `block` for a unit and a kind; the next ones are for later ids.
fn first_of(unit: Unit, kind: Kind) -> i64 {
    (unit as i64 * 8 + kind as i64) << 40
}

/// So many blocks are kept before they are written: a megabyte of them.
const MANY: usize = 256;

/// Changed blocks that are not written yet.
#[derive(Default)]
pub(super) struct Blocks {
    changed: BTreeMap<i64, Block>,
}

/// The entries of a block, by their places.
type Block = BTreeMap<u8, Vec<u8>>;

impl Blocks {
    pub(super) fn put_row(
        &mut self,
        connection: &Connection,
        unit: Unit,
        row: TextRow,
    ) -> Result<(), IndexError> {
        self.put(connection, (unit, Kind::Rows, row.id), row.to_bytes())
    }

    pub(super) fn put(
        &mut self,
        connection: &Connection,
        (unit, kind, id): (Unit, Kind, i64),
        entry: Vec<u8>,
    ) -> Result<(), IndexError> {
        let (block, place) = place_of(unit, kind, id);
        self.block(connection, block)?.insert(place, entry);
        Ok(())
    }

    /// The entry that was there.
    pub(super) fn remove(
        &mut self,
        connection: &Connection,
        (unit, kind, id): (Unit, Kind, i64),
    ) -> Result<Option<Vec<u8>>, IndexError> {
        let (block, place) = place_of(unit, kind, id);
        Ok(self.block(connection, block)?.remove(&place))
    }

    pub(super) fn row(
        &mut self,
        connection: &Connection,
        unit: Unit,
        id: i64,
    ) -> Result<Option<TextRow>, IndexError> {
        let (block, place) = place_of(unit, Kind::Rows, id);
        let entry = self.block(connection, block)?.get(&place);
        Ok(entry.and_then(|entry| TextRow::read(id, entry)))
    }

    fn block(&mut self, connection: &Connection, id: i64) -> Result<&mut Block, IndexError> {
        Ok(match self.changed.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(read(connection, id)?),
        })
    }

    /// Writes what changed, if that is much.
    pub(super) fn flush_many(&mut self, connection: &Connection) -> Result<(), IndexError> {
        if self.changed.len() < MANY { Ok(()) } else { self.flush(connection) }
    }

    /// Writes what changed.
    pub(super) fn flush(&mut self, connection: &Connection) -> Result<(), IndexError> {
        let mut put = connection.prepare_cached("insert or replace into block values(?, ?, ?)")?;
        let mut remove = connection.prepare_cached("delete from block where id = ?")?;
        for (id, block) in std::mem::take(&mut self.changed) {
            if block.is_empty() {
                remove.execute([id])?;
                continue;
            }
            let bytes = written(&block);
            put.execute(params![id, sum_of(&[&id.to_le_bytes(), &bytes]), bytes])?;
        }
        Ok(())
    }
}

/// Empty if there is none.
fn read(connection: &Connection, id: i64) -> Result<Block, IndexError> {
    let mut one = connection.prepare_cached("select sum, bytes from block where id = ?")?;
    let mut block = Block::new();
    let found = one.query_row([id], |row| {
        let bytes = row.get_ref(1)?.as_blob()?;
        Ok(each_of(id, row.get(0)?, bytes, |place, entry| {
            block.insert(place, entry.to_vec());
        }))
    });
    found.optional()?.transpose()?;
    Ok(block)
}

/// Each entry as its place, its length and its bytes.
fn written(block: &Block) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (place, entry) in block {
        let length = u16::try_from(entry.len()).expect("because an entry is at most a vector");
        bytes.push(*place);
        bytes.extend(length.to_le_bytes());
        bytes.extend(entry);
    }
    bytes
}

/// Each place once, in their order.
fn each_of(
    id: i64,
    sum: u32,
    bytes: &[u8],
    mut each: impl FnMut(u8, &[u8]),
) -> Result<(), IndexError> {
    const DAMAGED: IndexError = IndexError::Damaged("a block of texts");
    if sum_of(&[&id.to_le_bytes(), bytes]) != sum {
        return Err(DAMAGED);
    }
    let (mut rest, mut free) = (bytes, 0);
    while let Some((place, after)) = rest.split_first() {
        if !(free..PLACES).contains(place) {
            return Err(DAMAGED);
        }
        free = *place + 1;
        let (length, after) = after.split_first_chunk().ok_or(DAMAGED)?;
        let length = usize::from(u16::from_le_bytes(*length));
        let (entry, after) = after.split_at_checked(length).ok_or(DAMAGED)?;
        each(*place, entry);
        rest = after;
    }
    Ok(())
}

/// Calls `each` with each stored entry and the id of its text or word, in the order of the ids.
pub(super) fn each(
    connection: &Connection,
    unit: Unit,
    kind: Kind,
    mut each: impl FnMut(i64, &[u8]),
) -> Result<(), IndexError> {
    let first = first_of(unit, kind);
    let sql = "select id, sum, bytes from block where id >= ? and id < ? order by id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([first, first + (1 << 40)])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let bytes = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        let of_block = (id - first) * kind.together();
        each_of(id, row.get(1)?, bytes, |place, entry| each(of_block + i64::from(place), entry))?;
    }
    Ok(())
}

/// As [`each`], of these texts or words.
pub(super) fn each_among(
    connection: &Connection,
    (unit, kind): (Unit, Kind),
    ids: &BTreeSet<i64>,
    mut each: impl FnMut(i64, &[u8]),
) -> Result<(), IndexError> {
    let mut one = connection.prepare_cached("select sum, bytes from block where id = ?")?;
    let ids: Vec<i64> = ids.iter().copied().collect();
    let block_of = |id: i64| place_of(unit, kind, id).0;
    for some in ids.chunk_by(|a, b| block_of(*a) == block_of(*b)) {
        let (block, first) = (block_of(some[0]), some[0] - some[0].rem_euclid(kind.together()));
        let found = one.query_row([block], |row| {
            let bytes = row.get_ref(1)?.as_blob()?;
            Ok(each_of(block, row.get(0)?, bytes, |place, entry| {
                let id = first + i64::from(place);
                if some.binary_search(&id).is_ok() {
                    each(id, entry);
                }
            }))
        });
        found.optional()?.transpose()?;
    }
    Ok(())
}

/// All texts of a unit, in the order of their ids.
pub(super) fn rows(connection: &Connection, unit: Unit) -> Result<Vec<TextRow>, IndexError> {
    let mut all = Vec::new();
    each_row(connection, unit, |row| all.push(row))?;
    Ok(all)
}

/// Calls `of_row` with each text of a unit, in the order of their ids.
pub(super) fn each_row(
    connection: &Connection,
    unit: Unit,
    mut of_row: impl FnMut(TextRow),
) -> Result<(), IndexError> {
    let mut is_whole = true;
    each(connection, unit, Kind::Rows, |id, entry| match TextRow::read(id, entry) {
        Some(row) => of_row(row),
        None => is_whole = false,
    })?;
    is_whole.then_some(()).ok_or(IndexError::Damaged("a text"))
}

/// These texts of a unit, in the order of their ids.
pub(super) fn rows_of(
    connection: &Connection,
    unit: Unit,
    ids: &BTreeSet<i64>,
) -> Result<Vec<TextRow>, IndexError> {
    let mut all = Vec::with_capacity(ids.len());
    // Hot: nothing is copied of the other texts of a block.
    each_among(connection, (unit, Kind::Rows), ids, |id, entry| {
        all.extend(TextRow::read(id, entry));
    })?;
    let is_whole = all.len() == ids.len();
    is_whole.then_some(all).ok_or(IndexError::Damaged("a text is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_read_and_a_flipped_bit_is_noticed() {
        let connection = Connection::open_in_memory().expect("SQLite");
        connection.execute_batch(super::super::schema::TABLES).expect("tables");
        let mut blocks = Blocks::default();
        for id in [0, 63, 64, 1_000] {
            let row = TextRow { id, file: id, ..TextRow::default() };
            blocks.put_row(&connection, Unit::Facts, row).expect("put");
        }
        blocks.flush(&connection).expect("written");
        blocks.remove(&connection, (Unit::Facts, Kind::Rows, 63)).expect("removed");
        blocks.flush(&connection).expect("written");
        let ids = |unit| -> Vec<i64> {
            rows(&connection, unit).expect("rows").iter().map(|row| row.id).collect()
        };
        assert_eq!(ids(Unit::Facts), [0, 64, 1_000]);
        assert!(ids(Unit::Documents).is_empty());
        let some = rows_of(&connection, Unit::Facts, &BTreeSet::from([1_000, 64])).expect("rows");
        assert_eq!(some.iter().map(|row| row.file).collect::<Vec<_>>(), [64, 1_000]);
        assert!(rows_of(&connection, Unit::Facts, &BTreeSet::from([0, 63])).is_err());
        let among = |ids: &[i64]| {
            let (mut found, ids) = (Vec::new(), ids.iter().copied().collect());
            let kind = (Unit::Facts, Kind::Rows);
            each_among(&connection, kind, &ids, |id, _| found.push(id)).map(|()| found)
        };
        assert_eq!(among(&[1_000, 63, 1, 64, 7_000]).expect("read"), [64, 1_000]);
        let flip = "update block set bytes = zeroblob(length(bytes)) where id % 64 = 0";
        assert!(connection.execute(flip, []).expect("changed") > 0);
        assert!(rows(&connection, Unit::Facts).is_err());
        assert!(among(&[0]).is_err());
    }

    #[test]
    fn a_place_twice_out_of_order_or_of_another_block_is_damage() {
        let places = |places: &[u8]| {
            let bytes: Vec<u8> = places.iter().flat_map(|place| [*place, 1, 0, 7]).collect();
            let mut read = Vec::new();
            let sum = sum_of(&[&5_i64.to_le_bytes(), &bytes]);
            each_of(5, sum, &bytes, |place, _| read.push(place)).ok().map(|()| read)
        };
        for good in [&[][..], &[0], &[59], &[0, 1, 2], &[5, 58, 59]] {
            assert_eq!(places(good).as_deref(), Some(good));
        }
        for bad in [&[60][..], &[255], &[3, 3], &[2, 1], &[0, 59, 60], &[1, 2, 1]] {
            assert_eq!(places(bad), None, "{bad:?}");
        }
    }
}
