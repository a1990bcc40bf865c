//! The index on disk: what was read in files, in a form that finds them by their words.
//!
//! Invariant: everything in it can be made again from the files, so it may be missing, damaged or
//! deleted at any time; one that anything but co has touched since counts as missing (see `seal`).
//! Must not know: what a memory is, how a score is made.

mod lookup;
mod seal;
mod stat;
mod store;

pub use lookup::{Content, Entry, Indexed, Instance};
pub use stat::Stat;
pub use store::{Row, Searchable, Shape, Writer, file_of};

use super::SystemError;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::{path::Path, time::Duration};

/// Names the tables: an index with other ones is none.
pub fn edition() -> String {
    format!("{:08x}", crc32fast::hash(TABLES.as_bytes()))
}

/// How long a reader or a writer waits for the other.
const WAIT: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("the index: {0}")]
    Sql(#[from] rusqlite::Error),
    #[error(transparent)]
    System(#[from] SystemError),
}

impl IndexError {
    /// Whether the index is at fault, and not somebody who is using it or the disk.
    pub fn is_damage(&self) -> bool {
        let IndexError::Sql(error) = self else { return false };
        let code = error.sqlite_error_code();
        !matches!(
            code,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::DiskFull)
        )
    }
}

/// An index that is what co left.
#[derive(Debug)]
pub struct Index {
    connection: Connection,
}

impl Index {
    /// None when it is missing, of another co, of another folder, damaged or touched. `key` names
    /// what it has to be of.
    pub fn open(file: &Path, key: &str) -> Option<Index> {
        if !seal::holds(file, key) {
            return None;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags).ok()?;
        connection.busy_timeout(WAIT).ok()?;
        // One state for all that is read, whatever others write meanwhile.
        connection.execute_batch("begin; select count(*) from meta;").ok()?;
        // Somebody may have written between the look at the seal and now.
        seal::holds(file, key).then_some(Index { connection })
    }
}

const TABLES: &str = "
    create table meta(folder text primary key, changed integer not null) without rowid;
    create table file(
        id integer primary key, path text not null unique,
        size integer not null, modified integer not null, changed integer not null,
        inode integer not null);
    create table content(id integer primary key, bytes blob not null, facts blob not null);
    create table document(
        id integer primary key, created integer not null, tie integer not null,
        source integer not null, length integer not null, number integer,
        pinned integer not null, latest integer not null);
    create index newest on document(pinned desc, latest desc, tie);
    create index by_tie on document(tie);
    create table vector(id integer primary key, vector blob not null);
    create table word(word text primary key, often integer not null, vector blob not null)
        without rowid;
    create virtual table term using fts5(
        body, tags, content='', contentless_delete=1, tokenize='ascii');
    create virtual table instance using fts5vocab('term', 'instance');
";
