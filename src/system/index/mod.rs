//! The index on disk: the only store of parsed file contents, indexed by words and by meaning.
//!
//! Invariant: everything in it can be rebuilt from the files, so it may be missing, damaged or
//! deleted at any time, and is never synced to disk for its own sake. One that anything but co has
//! touched since, or that is older than the last boot, is treated as missing (see `seal`). The
//! schema has columns for both kinds of text (`pinned`, `number`, `created`); it must not know how
//! scores are computed.

mod lookup;
mod paths;
mod proof;
mod row;
mod seal;
mod stat;
mod store;

pub use lookup::{Alike, Content, DocRow, FileMeta, Folder, Instance, Reads};
pub use proof::{Name, name_of};
pub use row::{FileRow, Searchable};
pub use seal::Seal;
pub use stat::Stat;
pub use store::{Writer, file_of};

use super::{SystemError, files};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::{path::Path, time::Duration};

/// Fingerprint of the table definitions: an index with a different one is treated as missing.
pub fn edition() -> String {
    format!("{:08x}", crc32fast::hash(tables().as_bytes()))
}

/// The unit that search finds. Each has separate tables, because word counts are per unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Facts: the whole file, with the file's id.
    Facts,
    /// Passages of documents: [`file_of`] returns the file of one.
    Documents,
}

impl Unit {
    pub const ALL: [Unit; 2] = [Unit::Facts, Unit::Documents];

    /// SQL with the unit's name in place of `@`.
    fn sql(self, sql: &str) -> String {
        let name = match self {
            Unit::Facts => "whole",
            Unit::Documents => "passage",
        };
        sql.replace('@', name)
    }

    fn number(self) -> i64 {
        self as i64
    }
}

/// How long a reader or a writer waits for the other.
const WAIT: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("the search index: {0}")]
    Sql(#[from] rusqlite::Error),
    #[error(transparent)]
    System(#[from] SystemError),
    #[error("the search index was removed while it was being read")]
    Gone,
}

impl IndexError {
    /// Whether the index is damaged, rather than in use or on a failing disk.
    pub fn is_damage(&self) -> bool {
        let IndexError::Sql(error) = self else { return false };
        let code = error.sqlite_error_code();
        !matches!(
            code,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::DiskFull)
        )
    }
}

/// An index that is unchanged since co wrote it.
#[derive(Debug)]
pub struct Index {
    connection: Connection,
    /// The seal's text when it was opened.
    sealed: String,
}

/// Begins a snapshot for all reads, whatever others write meanwhile.
const BEGIN: &str = "begin; select count(*) from folder;";

impl Index {
    /// `None` if it is missing, of another co or folder, damaged or touched.
    pub fn open(file: &Path, seal: &Seal) -> Option<Index> {
        let sealed = seal.text_of(file)?;
        let index = Index::unsealed(file)?;
        // Another process may have written since the seal was read.
        (seal.text_of(file)? == sealed).then_some(Index { sealed, ..index })
    }

    /// Lets others write. Until [`Index::reacquire`], reads may see different states: only rows
    /// with checksums may be read.
    pub fn release(&self) -> Result<(), IndexError> {
        Ok(self.connection.execute_batch("commit")?)
    }

    /// Whether it is unchanged since it was opened; then all reads see one state again.
    pub fn reacquire(&self, file: &Path, seal: &Seal) -> bool {
        let is_same = || seal.text_of(file).is_some_and(|text| text == self.sealed);
        is_same() && self.connection.execute_batch(BEGIN).is_ok() && is_same()
    }

    /// Opens an index that may be damaged: only for rows with checksums.
    fn unsealed(file: &Path) -> Option<Index> {
        // Opening a pipe would block.
        let is_regular = |file: &Path| !files::exists(file) || files::is_file(file);
        let beside = seal::JOURNALS.map(|end| seal::beside(file, end));
        if !is_regular(file) || !beside.iter().all(|file| is_regular(file)) {
            return None;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags).ok()?;
        connection.busy_timeout(WAIT).ok()?;
        connection.execute_batch(BEGIN).ok()?;
        Some(Index { connection, sealed: String::new() })
    }
}

fn tables() -> String {
    let of_units: String = Unit::ALL.iter().map(|unit| unit.sql(TABLES_OF_A_UNIT)).collect();
    format!("{TABLES}{of_units}")
}

const TABLES: &str = "
    create table folder(
        path text primary key, modified integer not null, settled integer not null)
        without rowid;
    create table file(
        id integer primary key, path text not null unique, unit integer not null,
        size integer not null, modified integer not null, changed integer not null,
        inode integer not null, name blob not null,
        is_document integer not null);
    create index file_documents on file(unit, is_document);
    create table alike(newer text primary key, older text not null, score real not null)
        without rowid;
    create table compared(sum integer not null);
    create table content(
        id integer primary key, facts blob not null, sum integer not null, bytes blob not null);
";

const TABLES_OF_A_UNIT: &str = "
    create table @(
        id integer primary key, created integer not null, tie integer not null,
        source integer not null, length integer not null, number integer,
        pinned integer not null, latest integer not null, text integer not null);
    create index @_newest on @(pinned desc, latest desc, tie);
    create index @_by_tie on @(tie);
    create index @_by_number on @(number);
    create table @_vector(id integer primary key, vector blob not null);
    create table @_encoded(
        id integer primary key, text integer not null, sum integer not null, vector blob not null);
    create table @_word(word text primary key, often integer not null, vector blob not null)
        without rowid;
    create virtual table @_term using fts5(
        body, tags, content='', contentless_delete=1, tokenize='ascii');
    create virtual table @_instance using fts5vocab('@_term', 'instance');
";
