//! The folders that were listed for an index.
//!
//! Invariant: only values; the reader tells whether a folder is still as it was listed.

use super::{IndexError, Reads, Stat};

/// A folder as it was listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    pub path: String,
    pub modified: i64,
    pub changed: i64,
    pub times: FolderTimes,
}

/// What the times of a folder tell of changes that the index does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FolderTimes {
    /// Nothing of those at the moment of co's last write.
    Doubtful = 0,
    /// Every one: the names were compared, and the times are older than that.
    Settled = 1,
    /// Every one after co's last write; nothing of those during it.
    Exact = 2,
}

impl FolderTimes {
    fn of_stored(stored: i64) -> FolderTimes {
        let all = [FolderTimes::Settled, FolderTimes::Exact];
        all.into_iter().find(|times| times.stored() == stored).unwrap_or(FolderTimes::Doubtful)
    }

    pub(super) fn stored(self) -> i64 {
        self as i64
    }
}

impl Folder {
    /// Whether nothing came to or left the folder, as far as its times tell.
    pub fn is_as_listed(&self, now: Option<Stat>) -> bool {
        now.is_some_and(|now| (now.modified, now.changed) == (self.modified, self.changed))
    }
}

impl Reads<'_> {
    /// The listed folders, with their times.
    pub fn folders(&self) -> Result<Vec<Folder>, IndexError> {
        let mut statement = self.prepared("select path, modified, changed, settled from folder")?;
        let folders = statement.query_map([], |row| {
            let (path, times) = (row.get(0)?, FolderTimes::of_stored(row.get(3)?));
            Ok(Folder { path, modified: row.get(1)?, changed: row.get(2)?, times })
        })?;
        Ok(folders.collect::<Result<Vec<Folder>, _>>()?)
    }
}
