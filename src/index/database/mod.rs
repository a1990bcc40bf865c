//! The index: the only store of parsed file contents, indexed by words and by meaning; a SQLite
//! database on disk, or in memory where nothing can be written.
//!
//! Invariant: everything in it can be rebuilt from the files, so it may be missing, damaged or
//! deleted at any time. What an answer depends on has a checksum; an index that fails one, or that
//! another version or another folder made, is made anew under a new name. It must not know how
//! scores are computed.

mod block;
mod call;
mod error;
mod folders;
mod hashes;
mod lexicon;
mod location;
mod lookup;
mod newest;
mod paths;
mod pending;
mod postings;
mod prior;
mod proof;
mod reading;
mod row;
mod schema;
mod searched;
mod shared;
mod store;
mod stored;
mod text_row;
mod unit;
mod word_vectors;

pub use crate::machine::stat::{Stat, Stats};
pub use call::Call;
pub use error::IndexError;
pub use folders::{Folder, FolderTimes};
pub use lookup::{Alike, Reads};
pub use postings::Occurrence;
pub use proof::{Name, name_of};
pub use reading::Use;
pub use row::{FileRow, Searchable};
pub use schema::edition;
pub use store::Writer;
pub use stored::{Content, FileMeta};
pub use text_row::{TextRow, short};
pub use unit::Unit;

use call::Lent;
use location::{Location, Longest};
use schema::{Counts, State};
use std::{path::Path, time::Duration};

/// What an index has to match to be usable.
#[derive(Clone, Debug)]
pub struct Key {
    /// Version, place and model.
    pub text: String,
    /// The encoder of the stored vectors.
    pub encoder: &'static str,
}

/// Whether there is an index that goes by this path, usable or not.
pub fn is_there(file: &Path) -> bool {
    Location::current(file).is_some()
}

/// Brings the log of changes to the index that goes by this path, unless the log is short or
/// somebody is reading. For when there is time: it waits for the disk.
pub fn bring_in_log(file: &Path) -> Result<(), IndexError> {
    let Some(location) = Location::current(file) else { return Ok(()) };
    let Some(connection) = location.open(Use::Kept, Duration::ZERO) else { return Ok(()) };
    location.bring_in_log(&connection, Longest::AtLeisure)
}

/// An index that can be read.
#[derive(Debug)]
pub struct Index {
    connection: Lent,
    /// `None` in memory.
    location: Option<Location>,
    state: State,
}

impl Index {
    /// `None` if it is missing, damaged, or of another version or folder. Fails if it cannot be
    /// read now, because somebody else uses it or the disk fails: then it may be as good as ever.
    pub fn open(
        file: &Path,
        key: &Key,
        use_: Use,
        call: &Call,
    ) -> Result<Option<Index>, IndexError> {
        let Some(location) = Location::current(file) else { return Ok(None) };
        let Some(connection) = call.connection(&location, use_) else { return Ok(None) };
        match call.noted(Index::begun(connection, Some(location.clone()))) {
            Ok(index) => {
                let is_ours = index.state.key == key.text && index.state.encoder == key.encoder;
                Ok(is_ours.then_some(index))
            }
            // It may have been removed while it was opened.
            Err(error) if error.is_damage() || !location.is_current() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Begins a snapshot for all reads, whatever others write meanwhile.
    fn begun(connection: Lent, location: Option<Location>) -> Result<Index, IndexError> {
        connection.execute_batch("begin")?;
        let state = State::read(&connection)?;
        Ok(Index { connection, location, state })
    }

    /// Ends the snapshot until [`Index::resume`]: only what has a checksum may be read meanwhile.
    pub fn pause(&self) -> Result<(), IndexError> {
        Ok(self.connection.execute_batch("commit")?)
    }

    /// Whether it is unchanged since it was opened; then all reads see one state again.
    pub fn resume(&self, call: &Call) -> bool {
        let is_current = |location: &Location| {
            location.lengthen_shared();
            location.is_current()
        };
        self.location.as_ref().is_none_or(is_current)
            && call.noted(self.begin(call)).is_ok_and(|now| now == self.state)
    }

    fn begin(&self, call: &Call) -> Result<State, IndexError> {
        // The call that opened it had a wait of its own.
        self.connection.busy_timeout(call.wait())?;
        self.connection.execute_batch("begin")?;
        State::read(&self.connection)
    }

    /// Another one after each change.
    pub fn version(&self) -> u64 {
        self.state.version
    }

    pub fn is_in_memory(&self) -> bool {
        self.location.is_none()
    }

    /// Whether so many ids are of texts that are gone that it is better made anew: an id is never
    /// given again, and what a question needs grows with the highest.
    pub fn is_sparse(&self) -> bool {
        self.state.counts.iter().any(Counts::are_sparse)
    }

    pub fn reads(&self, unit: Unit) -> Reads<'_> {
        Reads { connection: &self.connection, counts: self.state.counts, unit }
    }
}

#[cfg(test)]
mod tests {
    use super::{reading::WAIT, *};
    use rusqlite::{Connection, ffi};
    use std::{collections::BTreeSet, time::Instant};

    pub(crate) fn key() -> Key {
        Key { text: "key".to_owned(), encoder: "model" }
    }

    pub(crate) fn vector(word: &str) -> Vec<u8> {
        word.as_bytes().to_vec()
    }

    fn failure(code: i32) -> IndexError {
        IndexError::Sql(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
    }

    #[test]
    fn only_what_a_new_index_mends_is_damage() {
        for code in [ffi::SQLITE_CORRUPT, ffi::SQLITE_NOTADB, ffi::SQLITE_ERROR] {
            assert!(failure(code).is_damage(), "{code}");
        }
        assert!(IndexError::Damaged("a row").is_damage());
        assert!(IndexError::Sql(rusqlite::Error::QueryReturnedNoRows).is_damage());
        let busy = [ffi::SQLITE_BUSY, ffi::SQLITE_LOCKED, ffi::SQLITE_BUSY_RECOVERY];
        let others = [
            ffi::SQLITE_IOERR,
            ffi::SQLITE_IOERR_READ,
            ffi::SQLITE_CANTOPEN,
            ffi::SQLITE_READONLY,
            ffi::SQLITE_FULL,
            ffi::SQLITE_PERM,
            ffi::SQLITE_NOMEM,
        ];
        for code in busy.into_iter().chain(others) {
            assert!(!failure(code).is_damage(), "{code}");
            assert_eq!(failure(code).is_busy(), busy.contains(&code), "{code}");
        }
    }

    #[test]
    fn an_index_in_use_is_not_missing_and_is_waited_for_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("index.db");
        let open = |call: &Call| Index::open(&file, &key(), Use::Kept, call);
        assert!(open(&Call::default()).expect("no error").is_none());
        let writer = Writer::anew(&file, &key(), &Call::default()).expect("a writer");
        drop(writer.finish(&[], &vector).expect("an index"));
        assert!(open(&Call::default()).expect("no error").is_some());
        let other = Connection::open(&file).expect("SQLite");
        let lock = "pragma journal_mode = delete; begin exclusive;";
        other.execute_batch(lock).expect("locked");
        let call = Call::default();
        assert!(open(&call).is_err_and(|error| error.is_busy()));
        assert!(call.has_waited());
        let since = Instant::now();
        assert!(open(&call).is_err_and(|error| error.is_busy()));
        let update = Writer::update(&file, &key(), &call);
        assert!(update.is_err_and(|error| error.is_busy()));
        assert!(since.elapsed() < WAIT / 2, "{:?}", since.elapsed());
        other.execute_batch("rollback;").expect("unlocked");
        assert!(open(&call).expect("no error").is_some());
    }

    #[test]
    fn an_idle_connection_is_of_the_newest_state_and_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("index.db");
        let make = || {
            let writer = Writer::anew(&file, &key(), &Call::default()).expect("a writer");
            drop(writer.finish(&[], &vector).expect("an index"));
        };
        let call = Call::default();
        let count = || {
            let index = Index::open(&file, &key(), Use::Kept, &call).expect("no error");
            index.expect("an index").reads(Unit::Facts).count()
        };
        for _ in 0..2 {
            make();
            for before in 0..3 {
                assert_eq!(count(), before);
                let writer = Writer::update(&file, &key(), &Call::default()).expect("no error");
                let writer = writer.expect("a writer");
                let row = FileRow { path: format!("{before}.md"), ..FileRow::default() };
                writer.insert(Unit::Facts, row).expect("inserted");
                drop(writer.finish_as_listed(&vector).expect("finished"));
            }
            assert_eq!(count(), 3);
        }
    }

    #[test]
    fn a_file_that_is_not_found_again_is_missed() {
        let writer = Writer::in_memory(&key()).expect("an index");
        for unit in Unit::ALL {
            let (path, facts) = (format!("{unit:?}.md"), vec![1]);
            writer.insert(unit, FileRow { path, facts, ..FileRow::default() }).expect("inserted");
        }
        let index = writer.finish(&[], &vector).expect("finished");
        let are_found = |unit: Unit| {
            let reads = index.reads(unit);
            let documents = reads.each_document(|_, _| {});
            let (all, rows) = (reads.each_file(|_, _| true), reads.each_row(|_, _, _| true));
            let (files, metas) = (reads.files().is_ok(), reads.metas().is_ok());
            [files, metas, documents.is_ok(), all.is_ok(), rows.is_ok()]
        };
        assert!(Unit::ALL.into_iter().all(|unit| are_found(unit) == [true; 5]));
        let all = "delete from file; delete from block;";
        index.connection.execute_batch(all).expect("deleted");
        assert!(Unit::ALL.into_iter().all(|unit| are_found(unit) == [false; 5]));
    }

    #[test]
    fn with_far_more_ids_than_texts_it_is_sparse() {
        let with = |removed: usize, kept: usize| {
            let writer = Writer::in_memory(&key()).expect("an index");
            for (path, texts) in [("removed", removed), ("kept", kept)] {
                let searchable = vec![Searchable::default(); texts];
                let row = FileRow { path: path.into(), searchable, ..FileRow::default() };
                writer.insert(Unit::Documents, row).expect("inserted");
            }
            let stems = vec![BTreeSet::new(); removed];
            writer.remove(Unit::Documents, "removed", &stems).expect("removed");
            writer.finish(&[], &vector).expect("finished").is_sparse()
        };
        assert!(!with(0, 10_001));
        assert!(!with(10_000, 0));
        assert!(with(10_001, 0));
        assert!(!with(10_030, 10));
        assert!(with(10_031, 10));
    }
}
