//! Writes an index: a new one, or an update.
//!
//! Invariant: only one process writes (it has its own lock), and readers see all of a change or
//! nothing; a kill while writing leaves an index without a valid seal.

use super::{
    Alike, FileRow, Index, IndexError, Reads, Seal, Searchable, Stat, Unit, WAIT,
    proof::{sum_of, sum_of_alike, sum_of_facts},
    seal, tables,
};
use crate::system::{
    SystemError, files,
    lock::{self, Lock},
};
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    time::Duration,
};

/// Extension of an index that is being built.
const UNFINISHED: &str = "new";
/// The most passages of one file.
const PASSAGES: i64 = 1_024;

impl Unit {
    /// The id of the first text of a file.
    pub fn first(self, file: i64) -> i64 {
        self.ids(file).start
    }

    fn ids(self, file: i64) -> std::ops::Range<i64> {
        match self {
            Unit::Facts => file..file + 1,
            Unit::Documents => file * PASSAGES..(file + 1) * PASSAGES,
        }
    }
}

/// The file of a passage.
pub fn file_of(passage: i64) -> i64 {
    passage / PASSAGES
}

pub struct Writer {
    connection: Connection,
    /// The final path of the index.
    file: PathBuf,
    /// The temporary file of a new index.
    staged: Option<Staged>,
    seal: Seal,
    /// Vectors of removed or earlier texts, by text key.
    known: RefCell<HashMap<i64, Vec<u8>>>,
    /// Whether a whole file was added or removed. (With a trigger, FTS5 would write for each row.)
    is_changed: Cell<bool>,
    _lock: Lock,
}

/// A new index that is not yet in place; removed unless it is finished.
struct Staged(PathBuf);

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = files::remove(&self.0);
    }
}

impl Writer {
    /// Waits for another writer. The old index can be read until this one is finished; its
    /// vectors are reused if their checksums match.
    pub fn anew(file: &Path, seal: &Seal) -> Result<Writer, IndexError> {
        let lock = lock_of(file, WAIT)?;
        remove_unfinished(file)?;
        let before = Index::unsealed(file);
        let known = before.map_or_else(HashMap::new, |before| proven(&before, seal.encoder));
        // A unique name: somebody who deletes the folder also deletes the lock.
        let staged = Staged(file.with_extension(format!("{}.{UNFINISHED}", std::process::id())));
        files::write_private(&staged.0, b"")?;
        let connection = Connection::open(&staged.0)?;
        connection.execute_batch(
            "pragma page_size = 4096; pragma journal_mode = off; pragma synchronous = off;
             pragma cache_size = -8000;",
        )?;
        connection.execute_batch(&tables())?;
        connection.execute_batch("begin")?;
        let (file, seal, known) = (file.to_owned(), seal.clone(), RefCell::new(known));
        Ok(Writer {
            connection,
            file,
            staged: Some(staged),
            seal,
            known,
            is_changed: Cell::default(),
            _lock: lock,
        })
    }

    /// `None` if the index was touched since co wrote it; then it has to be rebuilt.
    pub fn update(file: &Path, seal: &Seal) -> Result<Option<Writer>, IndexError> {
        Writer::update_within(file, seal, WAIT)
    }

    /// As [`Writer::update`], but does not wait for another writer or a reader.
    pub fn try_update(file: &Path, seal: &Seal) -> Result<Option<Writer>, IndexError> {
        Writer::update_within(file, seal, Duration::ZERO)
    }

    fn update_within(
        file: &Path,
        seal: &Seal,
        wait: Duration,
    ) -> Result<Option<Writer>, IndexError> {
        let lock = lock_of(file, wait)?;
        if !seal.holds(file) {
            return Ok(None);
        }
        let connection = Connection::open(file)?;
        connection.busy_timeout(wait)?;
        // A killed co leaves a broken seal, and a boot invalidates every seal: SQLite's own journal
        // and syncs would only protect what is discarded anyway.
        connection.execute_batch(
            "pragma journal_mode = memory; pragma synchronous = off; begin immediate;",
        )?;
        let (file, seal, known) = (file.to_owned(), seal.clone(), RefCell::default());
        Ok(Some(Writer {
            connection,
            file,
            staged: None,
            seal,
            known,
            is_changed: Cell::default(),
            _lock: lock,
        }))
    }

    /// The index as seen within this change.
    pub fn reads(&self, unit: Unit) -> Reads<'_> {
        Reads { connection: &self.connection, unit }
    }

    fn prepared(&self, unit: Unit, sql: &str) -> Result<CachedStatement<'_>, IndexError> {
        Ok(self.connection.prepare_cached(&unit.sql(sql))?)
    }

    pub fn insert(&self, unit: Unit, row: &FileRow) -> Result<(), IndexError> {
        let Stat { size, modified, changed, inode } = row.stat;
        let sql = "insert into file(path, unit, size, modified, changed, inode, name, is_document)
            values(?, ?, ?, ?, ?, ?, ?, ?)";
        let values = params![
            row.path,
            unit.number(),
            size,
            modified,
            changed,
            inode,
            row.name,
            !row.facts.is_empty()
        ];
        self.connection.prepare_cached(sql)?.execute(values)?;
        let id = self.connection.last_insert_rowid();
        let sum = sum_of_facts(&row.name, &row.facts);
        self.connection
            .prepare_cached("insert into content values(?, ?, ?, ?)")?
            .execute(params![id, row.facts, sum, row.bytes])?;
        self.is_changed.set(self.is_changed.get() || unit == Unit::Facts);
        for (id, text) in unit.ids(id).zip(&row.searchable) {
            self.insert_text(unit, id, text)?;
        }
        Ok(())
    }

    fn insert_text(&self, unit: Unit, id: i64, text: &Searchable) -> Result<(), IndexError> {
        let (hash_prefix, source) = (text.hash_prefix.cast_signed(), text.source.cast_signed());
        let number = text.number.map(u64::cast_signed);
        let key = text.text.cast_signed();
        self.prepared(unit, "insert into @ values(?, ?, ?, ?, ?, ?, ?, ?, ?)")?.execute(
            params![
                id,
                text.created,
                hash_prefix,
                source,
                text.length,
                number,
                text.pinned,
                text.latest,
                key
            ],
        )?;
        self.prepared(unit, "insert into @_term(rowid, body, tags) values(?, ?, ?)")?
            .execute(params![id, text.body, text.tags])?;
        if let Some(vector) = &text.vector {
            self.prepared(unit, "insert into @_vector values(?, ?)")?
                .execute(params![id, vector])?;
        }
        match self.known.borrow().get(&key) {
            Some(known) => self.put_encoded(unit, id, key, known),
            None => Ok(()),
        }
    }

    /// Stores the encoder's vector of a text with this key. Does nothing if the id now belongs to
    /// another text: ids of removed rows are reused.
    pub fn put_encoded(
        &self,
        unit: Unit,
        id: i64,
        text: i64,
        vector: &[u8],
    ) -> Result<(), IndexError> {
        let mut find = self.prepared(unit, "select text from @ where id = ?")?;
        let now: Option<i64> = find.query_row([id], |row| row.get(0)).optional()?;
        if now != Some(text) {
            return Ok(());
        }
        self.prepared(unit, "insert or replace into @_encoded values(?, ?, ?, ?)")?
            .execute(params![id, text, sum_of(self.seal.encoder, text, vector), vector])?;
        Ok(())
    }

    /// Stores the similar pairs after all files were compared with each other.
    pub fn put_alike(&self, all: &[Alike]) -> Result<(), IndexError> {
        self.connection.execute_batch("delete from alike; delete from compared;")?;
        let mut add = self.connection.prepare_cached("insert into alike values(?, ?, ?)")?;
        for Alike { newer, older, score } in all {
            add.execute(params![newer, older, score])?;
        }
        self.connection.execute("insert into compared values(?)", [sum_of_alike(all)])?;
        Ok(())
    }

    /// Does nothing if there is no such file.
    pub fn remove(&self, unit: Unit, path: &str) -> Result<(), IndexError> {
        let mut find = self.connection.prepare_cached("select id from file where path = ?")?;
        let id: Option<i64> = find.query_row([path], |row| row.get(0)).optional()?;
        let Some(id) = id else { return Ok(()) };
        self.is_changed.set(self.is_changed.get() || unit == Unit::Facts);
        let texts = unit.ids(id);
        let sql = "select text, vector from @_encoded where id >= ? and id < ?";
        let mut kept = self.prepared(unit, sql)?;
        let kept =
            kept.query_map([texts.start, texts.end], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for one in kept {
            let (text, vector) = one?;
            self.known.borrow_mut().insert(text, vector);
        }
        let tables = [("@", "id"), ("@_vector", "id"), ("@_encoded", "id"), ("@_term", "rowid")];
        for (table, id) in tables {
            let sql = format!("delete from {table} where {id} >= ? and {id} < ?");
            self.prepared(unit, &sql)?.execute([texts.start, texts.end])?;
        }
        for table in ["content", "file"] {
            let sql = format!("delete from {table} where id = ?");
            self.connection.prepare_cached(&sql)?.execute([id])?;
        }
        Ok(())
    }

    /// Adds these differences to the counts of words; new words get their vectors.
    pub fn count_words(
        &self,
        unit: Unit,
        more: &HashMap<String, i64>,
        vector: impl Fn(&str) -> Vec<u8>,
    ) -> Result<(), IndexError> {
        let sql = "update @_word set often = often + ?2 where word = ?1";
        let mut change = self.prepared(unit, sql)?;
        let mut add = self.prepared(unit, "insert into @_word values(?, ?, ?)")?;
        // In the order of the table.
        for (word, frequency) in more.iter().collect::<BTreeMap<_, _>>() {
            if *frequency != 0 && change.execute(params![word, frequency])? == 0 {
                add.execute(params![word, frequency, vector(word)])?;
            }
        }
        self.prepared(unit, "delete from @_word where often <= 0")?.execute([])?;
        Ok(())
    }

    /// Publishes the change. `folders` are the listed folders, with their times before the listing.
    pub fn finish(self, folders: &[(String, Stat)]) -> Result<(), IndexError> {
        self.connection.execute_batch("delete from folder")?;
        let sql = "insert or replace into folder values(?, ?, 1)";
        let mut add = self.connection.prepare_cached(sql)?;
        for (folder, stat) in folders {
            add.execute(params![folder, stat.modified])?;
        }
        drop(add);
        self.finish_as_listed()
    }

    /// As [`Writer::finish`], if only these folders changed. What others wrote there at the same
    /// moment is found by a closer check.
    pub fn finish_written(self, folders: &[(&str, Stat)]) -> Result<(), IndexError> {
        let sql = "update folder set modified = ?, settled = 0 where path = ?";
        let mut change = self.connection.prepare_cached(sql)?;
        for (folder, now) in folders {
            change.execute(params![now.modified, folder])?;
        }
        drop(change);
        self.finish_as_listed()
    }

    /// As [`Writer::finish`], without a new listing.
    pub fn finish_as_listed(self) -> Result<(), IndexError> {
        if self.is_changed.get() {
            self.connection.execute_batch("delete from compared")?;
        }
        self.connection.execute_batch("commit")?;
        self.connection.close().map_err(|(_, error)| error)?;
        if let Some(staged) = &self.staged {
            // SQLite would replay a journal left by another program into the new index.
            for end in seal::JOURNALS {
                files::remove(&seal::beside(&self.file, end))?;
            }
            files::rename_private(&staged.0, &self.file)?;
        }
        self.seal.put(&self.file)
    }
}

/// The vectors of an index with valid checksums, by text key.
fn proven(index: &Index, encoder: &str) -> HashMap<i64, Vec<u8>> {
    let mut known = HashMap::new();
    for unit in Unit::ALL {
        // For a damaged index, those before the damage.
        let _ = index.reads(unit).each_proven(encoder, |text, vector| {
            known.insert(text, vector.to_vec());
        });
    }
    known
}

/// Removes the unfinished indexes of a killed co.
fn remove_unfinished(index: &Path) -> Result<(), SystemError> {
    let folder = index.parent().unwrap_or(Path::new("."));
    let ours = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == UNFINISHED)
            && path.file_prefix() == index.file_stem()
    };
    let mut all = files::names(folder).into_iter().map(|name| folder.join(name)).filter(ours);
    all.try_for_each(|path| files::remove(&path))
}

fn lock_of(index: &Path, wait: Duration) -> Result<Lock, SystemError> {
    let file = index.with_extension("lock");
    if !files::exists(&file) {
        // Does not replace a lock file that another co has just created and holds.
        files::append(&file, b"")?;
    }
    if !files::is_file(&file) {
        let why = std::io::Error::other("it is not a file");
        return Err(SystemError::File { action: "lock", path: file, source: why });
    }
    lock::folder(&file, wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_kept_only_for_the_text_that_it_is_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let seal = Seal::new("key".to_owned(), None, "model");
        let writer = Writer::anew(&folder.path().join("catalog.db"), &seal).expect("an index");
        let text = Searchable { text: 7, ..Searchable::default() };
        let row = FileRow { path: "a.md".into(), searchable: vec![text], ..FileRow::default() };
        writer.insert(Unit::Facts, &row).expect("inserted");
        let missing = || writer.reads(Unit::Facts).unencoded(9).expect("ids and keys");
        let [(id, key)] = missing()[..] else { panic!("one") };
        writer.put_encoded(Unit::Facts, id, key + 1, b"of another text").expect("nothing kept");
        assert_eq!(missing(), [(id, key)]);
        writer.put_encoded(Unit::Facts, id, key, b"its own").expect("kept");
        assert!(missing().is_empty());
    }
}
