//! Writes an index: a new one, or an update.
//!
//! Invariant: only one process writes, and readers see all of a change or nothing; a kill while
//! writing leaves the index as it was. What a change touches is collected and written at its end.

use super::{
    Alike, Call, FileRow, FolderTimes, Index, IndexError, Key, Reads, Stat, Unit, Use,
    block::Kind,
    call::Lent,
    lexicon,
    location::{self, Location, Longest},
    lookup::{ALIKE, AS_GIT},
    pending::Pending,
    postings::Postings,
    prior::{known, lock_of},
    reading::WAIT,
    schema::{self, State, TABLES},
    stored::{FileMeta, StoredFile, content_sum, facts_sum, path_with_stat},
    word_vectors::WordVectors,
};
use crate::machine::{files, lock::Lock};
use rusqlite::{Connection, OptionalExtension, params};
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    ops::Range,
    path::{Path, PathBuf},
    time::Duration,
};

/// How much of an index a writer keeps in memory, in KiB. Most of what it writes is appended; the
/// rest is written in the order of its table, once for many changes.
const CACHE: i32 = -2_000;

pub struct Writer {
    connection: Lent,
    target: Target,
    pending: RefCell<Pending>,
}

/// Where a change goes.
enum Target {
    Memory,
    /// A new file, removed unless it is finished.
    New {
        staged: Staged,
        /// By which path indexes go there.
        base: PathBuf,
        call: Call,
        _lock: Lock,
    },
    Existing(Location),
}

struct Staged(PathBuf);

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = files::remove(&self.0);
    }
}

impl Writer {
    /// Waits for another writer. The old index can be read until this one is finished; its vectors
    /// of the same encoder are used again.
    pub fn anew(file: &Path, key: &Key, call: &Call) -> Result<Writer, IndexError> {
        let lock = call.noted(lock_of(file, call.wait()).map_err(IndexError::from))?;
        Location::remove_unfinished(file)?;
        let known = known(file, key.encoder, call.wait());
        // A unique name: somebody who deletes the folder also deletes the lock.
        let unfinished = format!("{}.{}", std::process::id(), location::UNFINISHED);
        let staged = Staged(file.with_extension(unfinished));
        files::write_private(&staged.0, b"")?;
        let connection = Connection::open(&staged.0)?;
        connection.execute_batch("pragma journal_mode = off; pragma synchronous = off;")?;
        let target = Target::New { staged, base: file.to_owned(), call: call.clone(), _lock: lock };
        Writer::empty(connection, target, key, known)
    }

    /// An index that lasts as long as it is held.
    pub fn in_memory(key: &Key) -> Result<Writer, IndexError> {
        Writer::empty(Connection::open_in_memory()?, Target::Memory, key, HashMap::new())
    }

    fn empty(
        connection: Connection,
        target: Target,
        key: &Key,
        known: HashMap<u64, Vec<u8>>,
    ) -> Result<Writer, IndexError> {
        connection.pragma_update(None, "cache_size", CACHE)?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch("begin")?;
        let (text, encoder) = (key.text.clone(), key.encoder.to_owned());
        let state = State { key: text, encoder, ..State::default() };
        let postings = Postings::of_new();
        let pending = RefCell::new(Pending { state, known, postings, ..Pending::default() });
        Ok(Writer { connection: connection.into(), target, pending })
    }

    /// `None` if there is no usable index; then it has to be rebuilt.
    pub fn update(file: &Path, key: &Key, call: &Call) -> Result<Option<Writer>, IndexError> {
        let open = |location: &Location| location.open(Use::Kept, call.wait()).map(Lent::from);
        call.noted(Writer::update_within(file, key, call.wait(), &open))
    }

    /// As [`Writer::update`], but does not wait for another writer; with the connection that the
    /// call has idle, because it has read what a small change needs.
    pub fn try_update(
        file: &Path,
        key: &Key,
        (call, use_): (&Call, Use),
    ) -> Result<Option<Writer>, IndexError> {
        let open = |location: &Location| call.connection(location, use_);
        Writer::update_within(file, key, Duration::ZERO, &open)
    }

    fn update_within(
        file: &Path,
        key: &Key,
        wait: Duration,
        open: &dyn Fn(&Location) -> Option<Lent>,
    ) -> Result<Option<Writer>, IndexError> {
        let Some(location) = Location::current(file) else { return Ok(None) };
        let Some(connection) = open(&location) else { return Ok(None) };
        connection.busy_timeout(wait)?;
        connection.pragma_update(None, "synchronous", "normal")?;
        // See `Location::bring_in_log`.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "cache_size", CACHE)?;
        connection.execute_batch("begin immediate")?;
        let state = State::read(&connection)?;
        // Another index may have been put in its place before this one was locked.
        if state.key != key.text || state.encoder != key.encoder || !location.is_current() {
            return Ok(None);
        }
        let pending = RefCell::new(Pending { state, ..Pending::default() });
        Ok(Some(Writer { connection, target: Target::Existing(location), pending }))
    }

    /// The files of the index as seen within this change.
    pub fn reads(&self, unit: Unit) -> Reads<'_> {
        Reads { connection: &self.connection, counts: self.pending.borrow().state.counts, unit }
    }

    pub fn insert(&self, unit: Unit, row: FileRow) -> Result<(), IndexError> {
        let pending = &mut *self.pending.borrow_mut();
        let texts = pending.allocate(unit, row.searchable.len());
        let size = if row.is_kept_out() { row.stat.size } else { row.bytes.len() as i64 };
        let FileRow { path, stat, name, bytes, facts, names_secrets, is_timed, searchable } = row;
        let stat = Stat { size, ..stat };
        let meta = FileMeta { id: 0, path, stat, name, facts };
        let stored = StoredFile { meta, unit: unit as i64, texts: (texts.start, texts.end) };
        let FileMeta { path, name, facts, .. } = &stored.meta;
        let sql = "insert into file(
            path, unit, facts_sum, stat, name, first, past, names_secrets, is_timed, facts, sum)
            values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        self.connection.prepare_cached(sql)?.execute(params![
            path,
            stored.unit,
            facts_sum(stored.unit, path, facts),
            stat.to_bytes(),
            name,
            texts.start,
            texts.end,
            names_secrets,
            is_timed,
            facts,
            stored.sum()
        ])?;
        let file = self.connection.last_insert_rowid();
        let mut add = self.connection.prepare_cached("insert into content values(?, ?, ?)")?;
        add.execute(params![file, content_sum(file, name, &bytes), bytes])?;
        pending.blocks.put(
            &self.connection,
            (unit, Kind::Files, file),
            path_with_stat(path, stat),
        )?;
        pending.is_other |= unit == Unit::Facts;
        let counts = pending.state.of_mut(unit);
        counts.files += 1;
        counts.documents += usize::from(!facts.is_empty());
        counts.name_secrets += usize::from(names_secrets);
        counts.timed += usize::from(is_timed);
        for (id, text) in texts.zip(searchable) {
            pending.insert_text(&self.connection, (unit, file, id), text)?;
        }
        Ok(())
    }

    /// Stores the encoder's vector of a text with this key. Does nothing if the id now belongs to
    /// another text: ids of removed texts are used again.
    pub fn put_encoded(
        &self,
        unit: Unit,
        id: i64,
        text: u64,
        vector: Vec<u8>,
    ) -> Result<(), IndexError> {
        let pending = &mut *self.pending.borrow_mut();
        let row = pending.blocks.row(&self.connection, unit, id)?;
        if row.is_none_or(|row| row.text != text) {
            return Ok(());
        }
        pending.put_encoded(&self.connection, unit, id, vector)
    }

    /// Stores the similar pairs after all files were compared with each other.
    pub fn put_alike(&self, all: &[Alike]) -> Result<(), IndexError> {
        schema::put(&self.connection, ALIKE, &all)
    }

    /// Removes a file; `stems` are those of each of its texts. Does nothing if there is no such
    /// file.
    pub fn remove(
        &self,
        unit: Unit,
        path: &str,
        stems: &[BTreeSet<String>],
    ) -> Result<(), IndexError> {
        let sql = "select id, first, past, facts <> x'', names_secrets, is_timed
            from file where path = ?";
        let mut find = self.connection.prepare_cached(sql)?;
        let found = find.query_row([path], |row| {
            let texts: Range<i64> = row.get(1)?..row.get(2)?;
            let counted: [bool; 3] = [row.get(3)?, row.get(4)?, row.get(5)?];
            Ok((row.get::<_, i64>(0)?, texts, counted))
        });
        let Some((file, texts, [is_document, names_secrets, is_timed])) = found.optional()? else {
            return Ok(());
        };
        let count = texts.end.checked_sub(texts.start).map(usize::try_from);
        if count != Some(Ok(stems.len())) {
            return Err(IndexError::Damaged("the texts of a file"));
        }
        let pending = &mut *self.pending.borrow_mut();
        pending.is_other |= unit == Unit::Facts;
        for (id, stems) in texts.clone().zip(stems) {
            pending.remove_text(&self.connection, unit, id)?;
            stems.iter().for_each(|stem| pending.postings.remove(unit, id, stem));
        }
        pending.blocks.remove(&self.connection, (unit, Kind::Files, file))?;
        pending.free.push((unit, texts));
        let counts = pending.state.of_mut(unit);
        counts.files = counts.files.saturating_sub(1);
        counts.documents = counts.documents.saturating_sub(usize::from(is_document));
        counts.name_secrets = counts.name_secrets.saturating_sub(usize::from(names_secrets));
        counts.timed = counts.timed.saturating_sub(usize::from(is_timed));
        for table in ["content", "file"] {
            let sql = format!("delete from {table} where id = ?");
            self.connection.prepare_cached(&sql)?.execute([file])?;
        }
        Ok(())
    }

    /// Adds these differences to the counts of words.
    pub fn count_words<'a>(&self, unit: Unit, more: impl Iterator<Item = (&'a str, i64)>) {
        let pending = &mut *self.pending.borrow_mut();
        let words = pending.words.entry(unit).or_default();
        for (word, change) in more {
            match words.get_mut(word) {
                Some(count) => *count += change,
                None => {
                    words.insert(word.to_owned(), change);
                }
            }
        }
    }

    /// Writes the texts that were collected so far, so that they need little memory.
    pub fn flush(&self) -> Result<(), IndexError> {
        let pending = &mut *self.pending.borrow_mut();
        pending.blocks.flush(&self.connection)?;
        pending.postings.flush_many(&self.connection)
    }

    /// Publishes the change. `folders` are the listed folders, with their times before the listing;
    /// new words get their vectors.
    pub fn finish(
        self,
        folders: &[(String, Stat)],
        vector: &dyn Fn(&str) -> Vec<u8>,
    ) -> Result<Index, IndexError> {
        self.connection.execute_batch("delete from folder")?;
        let sql = "insert or replace into folder values(?, ?, ?, 1)";
        let mut add = self.connection.prepare_cached(sql)?;
        for (folder, stat) in folders {
            add.execute(params![folder, stat.modified, stat.changed])?;
        }
        drop(add);
        self.finish_as_listed(vector)
    }

    /// As [`Writer::finish`], if only these folders changed, for who reads nothing after that. What
    /// others wrote there at the same moment is found by a closer check.
    pub fn finish_written(
        self,
        folders: &[(&str, Stat)],
        times: FolderTimes,
        vector: &dyn Fn(&str) -> Vec<u8>,
    ) -> Result<(), IndexError> {
        let sql = "update folder set modified = ?, changed = ?, settled = ? where path = ?";
        let mut change = self.connection.prepare_cached(sql)?;
        for (folder, now) in folders {
            change.execute(params![now.modified, now.changed, times.stored(), folder])?;
        }
        drop(change);
        let (connection, target) = self.committed(vector)?;
        match target {
            Target::Existing(location) => location.bring_in_log(&connection, Longest::AfterSave),
            // Only an index that was there has folders to be changed.
            Target::Memory | Target::New { .. } => Ok(()),
        }
    }

    /// Notes that nobody else wrote into these folders when the index was last written, as `known`
    /// has it; does nothing if it was written since. Nothing that an answer depends on changes.
    pub fn settle(self, known: &Index, folders: &[&str]) -> Result<(), IndexError> {
        if self.pending.borrow().state != known.state {
            return Ok(());
        }
        let mut change =
            self.connection.prepare_cached("update folder set settled = 1 where path = ?")?;
        for folder in folders {
            change.execute([folder])?;
        }
        drop(change);
        Ok(self.connection.execute_batch("commit")?)
    }

    /// Notes that git's index, while it has this stamp, has each file as `known` has it; does
    /// nothing if that was written since.
    pub fn put_as_git(self, known: &Index, stamp: &str) -> Result<(), IndexError> {
        if self.pending.borrow().state != known.state {
            return Ok(());
        }
        schema::put(&self.connection, AS_GIT, &(stamp, known.version()))?;
        Ok(self.connection.execute_batch("commit")?)
    }

    /// As [`Writer::finish`], without a new listing.
    pub fn finish_as_listed(self, vector: &dyn Fn(&str) -> Vec<u8>) -> Result<Index, IndexError> {
        let (connection, target) = self.committed(vector)?;
        match target {
            Target::Memory => Index::begun(connection, None),
            Target::Existing(location) => {
                location.bring_in_log(&connection, Longest::AfterMany)?;
                Index::begun(connection, Some(location))
            }
            Target::New { staged, base, call, _lock } => {
                let log = if location::is_local(&base) { "wal" } else { "truncate" };
                connection.pragma_update(None, "journal_mode", log)?;
                connection.close()?;
                files::bring_to_disk(&staged.0)?;
                // Not before: somebody who deletes the lock lets two make one at the same time.
                let location = Location::next(&base);
                files::rename_private(&staged.0, &location.file)?;
                call.close_idle();
                location.remove_older();
                let location = location.placed();
                let connection = location.open(Use::Kept, WAIT).ok_or(IndexError::Gone)?;
                Index::begun(connection.into(), Some(location))
            }
        }
    }

    /// Writes what is pending, and commits.
    fn committed(self, vector: &dyn Fn(&str) -> Vec<u8>) -> Result<(Lent, Target), IndexError> {
        let Writer { connection, target, pending } = self;
        let pending = pending.into_inner();
        let Pending { mut state, mut blocks, mut hashes, mut postings, words, is_other, .. } =
            pending;
        for (unit, more) in &words {
            let counts = state.of_mut(*unit);
            let mut vectors = WordVectors { unit: *unit, blocks: &mut blocks, counts, vector };
            lexicon::count(&connection, &mut vectors, more)?;
        }
        blocks.flush(&connection)?;
        hashes.flush(&connection)?;
        postings.flush(&connection)?;
        if is_other {
            schema::drop_state(&connection, ALIKE)?;
        }
        state.version += 1;
        state.write(&connection)?;
        connection.execute_batch("commit")?;
        Ok((connection, target))
    }
}

#[cfg(test)]
mod tests;
