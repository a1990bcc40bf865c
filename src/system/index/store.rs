//! Writing an index: new, or brought up to date.
//!
//! Invariant: only one process writes (a lock of its own), readers see all of a change or nothing;
//! whatever is killed half-way leaves an index without its seal.

use super::{IndexError, Stat, TABLES, WAIT, seal};
use crate::system::{
    SystemError, files,
    lock::{self, Lock},
};
use rusqlite::{Connection, OptionalExtension, params};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

/// What the index keeps of one file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// From the root of its store.
    pub path: String,
    pub stat: Stat,
    pub bytes: Vec<u8>,
    /// What was read in the bytes, packed; empty for a file that is no document.
    pub facts: Vec<u8>,
    /// What is found of it: nothing of a file that is no document, a memory whole, an article in
    /// chunks.
    pub searchable: Vec<Searchable>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Searchable {
    pub created: i64,
    pub tie: u64,
    pub source: u64,
    pub length: u32,
    pub number: Option<u64>,
    pub pinned: bool,
    /// When it was learned or last changed, in microseconds since 1970.
    pub latest: i64,
    /// Stems, with blanks between.
    pub body: String,
    pub tags: String,
    pub vector: Option<Vec<u8>>,
}

/// How the name of an index ends that is being made.
const UNFINISHED: &str = "new";

/// What a row of the documents is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A file, with the file's id.
    Files,
    /// One of the chunks of a file: [`file_of`] knows which.
    Chunks,
}

/// Chunks of one file.
const CHUNKS: i64 = 1_024;

impl Shape {
    fn ids(self, file: i64) -> std::ops::Range<i64> {
        match self {
            Shape::Files => file..file + 1,
            Shape::Chunks => file * CHUNKS..(file + 1) * CHUNKS,
        }
    }
}

/// The file of a chunk.
pub fn file_of(chunk: i64) -> i64 {
    chunk / CHUNKS
}

pub struct Writer {
    connection: Connection,
    shape: Shape,
    /// Where the index will be.
    file: PathBuf,
    /// Where it is being made, if it is new.
    staged: Option<Staged>,
    key: String,
    _lock: Lock,
}

/// A new index that is not in its place yet; what is not finished does not stay.
struct Staged(PathBuf);

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = files::remove(&self.0);
    }
}

impl Writer {
    /// Waits for another writer. The index of before is read until this one is finished.
    pub fn anew(file: &Path, key: &str, shape: Shape) -> Result<Writer, IndexError> {
        let lock = lock_of(file)?;
        remove_unfinished(file)?;
        // A name of its own: somebody who deletes the folder deletes the lock as well.
        let staged = Staged(file.with_extension(format!("{}.{UNFINISHED}", std::process::id())));
        files::write_private(&staged.0, b"")?;
        let connection = Connection::open(&staged.0)?;
        connection.execute_batch(
            "pragma page_size = 16384; pragma journal_mode = off; pragma synchronous = off;
             pragma cache_size = -8000;",
        )?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch("begin")?;
        let (file, key) = (file.to_owned(), key.to_owned());
        Ok(Writer { connection, shape, file, staged: Some(staged), key, _lock: lock })
    }

    /// None when the index is not what co left; then it has to be made anew.
    pub fn update(file: &Path, key: &str, shape: Shape) -> Result<Option<Writer>, IndexError> {
        let lock = lock_of(file)?;
        if !seal::holds(file, key) {
            return Ok(None);
        }
        let connection = Connection::open(file)?;
        connection.busy_timeout(WAIT)?;
        // A co that is killed leaves a broken seal, and the bytes go to disk before the next seal:
        // SQLite's own journal and flushes would do both a second time.
        connection.execute_batch(
            "pragma journal_mode = memory; pragma synchronous = off; begin immediate;",
        )?;
        let (file, key) = (file.to_owned(), key.to_owned());
        Ok(Some(Writer { connection, shape, file, staged: None, key, _lock: lock }))
    }

    /// The index as it is within this change.
    pub fn reads(&self) -> super::Indexed<'_> {
        super::Indexed(&self.connection)
    }

    pub fn insert(&self, row: &Row) -> Result<(), IndexError> {
        let Stat { size, modified, changed, inode } = row.stat;
        let sql = "insert into file(path, size, modified, changed, inode) values(?, ?, ?, ?, ?)";
        self.connection
            .prepare_cached(sql)?
            .execute(params![row.path, size, modified, changed, inode])?;
        let id = self.connection.last_insert_rowid();
        self.connection
            .prepare_cached("insert into content values(?, ?, ?)")?
            .execute(params![id, row.bytes, row.facts])?;
        for (id, text) in self.shape.ids(id).zip(&row.searchable) {
            self.insert_text(id, text)?;
        }
        Ok(())
    }

    fn insert_text(&self, id: i64, text: &Searchable) -> Result<(), IndexError> {
        let (tie, source) = (text.tie.cast_signed(), text.source.cast_signed());
        let number = text.number.map(u64::cast_signed);
        self.connection
            .prepare_cached("insert into document values(?, ?, ?, ?, ?, ?, ?, ?)")?
            .execute(params![
                id,
                text.created,
                tie,
                source,
                text.length,
                number,
                text.pinned,
                text.latest
            ])?;
        self.connection
            .prepare_cached("insert into term(rowid, body, tags) values(?, ?, ?)")?
            .execute(params![id, text.body, text.tags])?;
        if let Some(vector) = &text.vector {
            self.connection
                .prepare_cached("insert into vector values(?, ?)")?
                .execute(params![id, vector])?;
        }
        Ok(())
    }

    /// Nothing happens when it is not there.
    pub fn remove(&self, path: &str) -> Result<(), IndexError> {
        let mut find = self.connection.prepare_cached("select id from file where path = ?")?;
        let id: Option<i64> = find.query_row([path], |row| row.get(0)).optional()?;
        let Some(id) = id else { return Ok(()) };
        let texts = self.shape.ids(id);
        for (table, id) in [("document", "id"), ("vector", "id"), ("term", "rowid")] {
            let sql = format!("delete from {table} where {id} >= ? and {id} < ?");
            self.connection.prepare_cached(&sql)?.execute([texts.start, texts.end])?;
        }
        for table in ["content", "file"] {
            let sql = format!("delete from {table} where id = ?");
            self.connection.prepare_cached(&sql)?.execute([id])?;
        }
        Ok(())
    }

    /// How often words occur more, or less, than before; those that are new with their vectors.
    pub fn count_words(
        &self,
        more: &HashMap<String, i64>,
        vector: impl Fn(&str) -> Vec<u8>,
    ) -> Result<(), IndexError> {
        let mut change =
            self.connection.prepare_cached("update word set often = often + ?2 where word = ?1")?;
        let mut add = self.connection.prepare_cached("insert into word values(?, ?, ?)")?;
        // In the order of the table.
        for (word, often) in more.iter().collect::<BTreeMap<_, _>>() {
            if *often != 0 && change.execute(params![word, often])? == 0 {
                add.execute(params![word, often, vector(word)])?;
            }
        }
        self.connection.execute_batch("delete from word where often <= 0")?;
        Ok(())
    }

    /// Makes the change seen. `folders` are those that were listed, with their times of before.
    pub fn finish(self, folders: &[(String, Stat)]) -> Result<(), IndexError> {
        self.connection.execute_batch("delete from meta")?;
        let mut add = self.connection.prepare_cached("insert into meta values(?, ?)")?;
        for (folder, stat) in folders {
            add.execute(params![folder, stat.modified])?;
        }
        drop(add);
        self.connection.execute_batch("commit")?;
        self.connection.close().map_err(|(_, error)| error)?;
        if let Some(staged) = &self.staged {
            // A journal that another program left would be played into the new index.
            for end in ["db-journal", "db-wal", "db-shm"] {
                files::remove(&self.file.with_extension(end))?;
            }
            files::bring_to_disk(&staged.0)?;
            files::rename(&staged.0, &self.file)?;
        }
        seal::put(&self.file, &self.key)
    }
}

/// What a co that died was making.
fn remove_unfinished(index: &Path) -> Result<(), SystemError> {
    let folder = index.parent().unwrap_or(Path::new("."));
    let ours = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == UNFINISHED)
            && path.file_prefix() == index.file_stem()
    };
    let mut all = files::names(folder).into_iter().map(|name| folder.join(name)).filter(ours);
    all.try_for_each(|path| files::remove(&path))
}

fn lock_of(index: &Path) -> Result<Lock, SystemError> {
    let file = index.with_extension("lock");
    if !files::exists(&file) {
        // Never in the place of one that another co has just made, and holds.
        files::append(&file, b"")?;
    }
    if !files::is_file(&file) {
        let why = std::io::Error::other("it is no file");
        return Err(SystemError::File { action: "lock", path: file, source: why });
    }
    lock::folder(&file, WAIT)
}
