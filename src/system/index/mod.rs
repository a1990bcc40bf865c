//! The index: the only store of parsed file contents, indexed by words and by meaning; a SQLite
//! database on disk, or in memory where nothing can be written.
//!
//! Invariant: everything in it can be rebuilt from the files, so it may be missing, damaged or
//! deleted at any time. What an answer depends on has a checksum; an index that fails one, or that
//! another version or another folder made, is made anew under a new name. It must not know how
//! scores are computed.

mod block;
mod lexicon;
mod location;
mod lookup;
mod paths;
mod pending;
mod postings;
mod proof;
mod row;
mod schema;
mod shared;
mod stat;
mod store;

pub use block::TextRow;
pub use lookup::{Alike, Content, FileMeta, Folder, Reads};
pub use postings::Occurrence;
pub use proof::{Name, name_of};
pub use row::{FileRow, Searchable};
pub use schema::edition;
pub use stat::Stat;
pub use store::Writer;

use super::SystemError;
use location::Location;
use rusqlite::{Connection, ErrorCode};
use schema::State;
use std::{path::Path, time::Duration};

/// The unit that search finds. Statistics are per unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unit {
    /// Facts: the whole text of a file.
    Facts,
    /// Passages of documents.
    Documents,
}

impl Unit {
    pub const ALL: [Unit; 2] = [Unit::Facts, Unit::Documents];
}

/// How long a reader or a writer waits for the other.
const WAIT: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("the search index: {0}")]
    Sql(#[from] rusqlite::Error),
    #[error(transparent)]
    System(#[from] SystemError),
    #[error("the search index is damaged: {0}")]
    Damaged(&'static str),
    #[error("the search index was removed while it was being read")]
    Gone,
}

impl IndexError {
    /// Whether the index is damaged, rather than in use or on a failing disk.
    pub fn is_damage(&self) -> bool {
        match self {
            IndexError::Sql(error) => !matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::DiskFull)
            ),
            IndexError::Damaged(_) => true,
            IndexError::System(_) | IndexError::Gone => false,
        }
    }
}

/// What an index has to match to be usable.
#[derive(Clone, Debug)]
pub struct Key {
    /// Version, place and model.
    pub text: String,
    /// The encoder of the stored vectors.
    pub encoder: &'static str,
}

/// How long an index is read for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// For one command. Mapped into memory, where the file system is local.
    Once,
    /// For many questions, so long that something else may cut the file, which would kill a process
    /// that has it mapped.
    Kept,
}

/// Whether there is an index that goes by this path, usable or not.
pub fn is_there(file: &Path) -> bool {
    Location::current(file).is_some()
}

/// An index that can be read.
#[derive(Debug)]
pub struct Index {
    connection: Connection,
    /// `None` in memory.
    location: Option<Location>,
    state: State,
}

impl Index {
    /// `None` if it is missing, damaged, or of another version or folder.
    pub fn open(file: &Path, key: &Key, use_: Use) -> Option<Index> {
        let location = Location::current(file)?;
        let connection = location.open(use_)?;
        let index = Index::begun(connection, Some(location)).ok()?;
        (index.state.key == key.text && index.state.encoder == key.encoder).then_some(index)
    }

    /// Begins a snapshot for all reads, whatever others write meanwhile.
    fn begun(connection: Connection, location: Option<Location>) -> Result<Index, IndexError> {
        connection.execute_batch("begin")?;
        let state = State::read(&connection)?;
        Ok(Index { connection, location, state })
    }

    /// Ends the snapshot until [`Index::resume`]: only what has a checksum may be read meanwhile.
    pub fn pause(&self) -> Result<(), IndexError> {
        Ok(self.connection.execute_batch("commit")?)
    }

    /// Whether it is unchanged since it was opened; then all reads see one state again.
    pub fn resume(&self) -> bool {
        let is_current = |location: &Location| {
            location.lengthen_shared();
            location.is_current()
        };
        self.location.as_ref().is_none_or(is_current)
            && self.connection.execute_batch("begin").is_ok()
            && State::read(&self.connection).is_ok_and(|now| now == self.state)
    }

    pub fn is_in_memory(&self) -> bool {
        self.location.is_none()
    }

    pub fn reads(&self, unit: Unit) -> Reads<'_> {
        Reads { connection: &self.connection, counts: self.state.counts, unit }
    }
}
