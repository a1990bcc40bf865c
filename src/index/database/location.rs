//! Where an index is, and how it is opened there.
//!
//! Invariant: a new index gets a name that no other ever had open; of several, the one with the
//! highest number counts. SQLite's log is shared by whoever has the file open, so a file is never
//! replaced by another one of the same name. On network file systems, whose locks and mappings
//! cannot be relied on, there is no write-ahead log and nothing is mapped.

use super::{
    error::IndexError,
    reading::{Use, WAIT},
    shared,
};
use crate::machine::{SystemError, files, platform};
use rusqlite::{Connection, OpenFlags, config::DbConfig};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// How much of an index is mapped into memory at most, in bytes.
const MAPPED: i64 = 1 << 30;
/// How long the log of changes may get before they are brought to the file itself, in bytes. That
/// waits for the disk: something that takes long anyway does it in time for a save not to have to.
/// Each command reads the whole log, so it must not get much longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Longest {
    /// After an exchange with others, or when there is time.
    AtLeisure = 256 << 10,
    /// After many files were read, or texts encoded.
    AfterMany = 1 << 20,
    /// After a few files were taken in, which somebody waits for: each seventh time or so, they
    /// wait for the disk, which costs less than all that read a longer log.
    AfterSave = 512 << 10,
}
/// Suffixes of the files that SQLite creates next to an index.
const JOURNALS: [&str; 3] = ["-journal", "-wal", "-shm"];
/// Extension of an index that is being built.
pub(super) const UNFINISHED: &str = "new";

/// The file of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Location {
    /// The path of the first index there, `…/index.db`.
    base: PathBuf,
    number: u64,
    pub(super) file: PathBuf,
    identity: Option<platform::FileId>,
}

impl Location {
    /// The newest index that goes by this path.
    pub(super) fn current(base: &Path) -> Option<Location> {
        let is_index = |(_, file): &(u64, PathBuf)| file.extension().is_some_and(|end| end == "db");
        let (number, file) = named(base).filter(is_index).max()?;
        Some(Location { base: base.to_owned(), number, identity: platform::file_id(&file), file })
    }

    /// Where the next index is to be put.
    pub(super) fn next(base: &Path) -> Location {
        // Also past the log of one that was deleted: SQLite would take it for the new one's.
        let number = named(base).map(|(number, ..)| number).max().map_or(1, |number| number + 1);
        let file = path_of(base, number);
        Location { base: base.to_owned(), number, file, identity: None }
    }

    /// After its file was put there.
    pub(super) fn placed(self) -> Location {
        Location { identity: platform::file_id(&self.file), ..self }
    }

    /// Whether it is still the newest.
    pub(super) fn is_current(&self) -> bool {
        Location::current(&self.base).as_ref() == Some(self)
    }

    /// `None` if it cannot be opened, or is no database. Nothing is begun yet; what is begun waits
    /// for others that long.
    pub(super) fn open(&self, use_: Use, wait: Duration) -> Option<Connection> {
        let beside = JOURNALS.map(|end| self.beside(end));
        // Opening a pipe would block.
        let is_regular = |file: &Path| !files::exists(file) || files::is_file(file);
        if !files::is_file(&self.file) || !beside.iter().all(|file| is_regular(file)) {
            return None;
        }
        let is_whole = is_whole(&self.file)?;
        self.lengthen_shared();
        let connection = self.opened()?;
        connection.busy_timeout(wait).ok()?;
        // Otherwise each command would bring its changes to disk when it ends.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).ok()?;
        // Otherwise SQLite plans a question anew for each number that is put in, in case another
        // index of a table suits it better.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).ok()?;
        if use_ == Use::Once && is_whole && is_local(&self.file) {
            connection.pragma_update(None, "mmap_size", MAPPED).ok()?;
        }
        Some(connection)
    }

    fn opened(&self) -> Option<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let folder = self.file.parent()?;
        if files::can_be_written(folder) {
            // One that cannot be kept up to date is replaced where that is possible.
            files::can_be_written(&self.file).then_some(())?;
            let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE;
            return Connection::open_with_flags(&self.file, flags).ok();
        }
        // Nobody else writes either: with something in the log, it would not be the newest state.
        if files::size(&self.beside("-wal")) > 0 {
            return None;
        }
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let path = self.file.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        Connection::open_with_flags(format!("file:{path}?immutable=1"), flags).ok()
    }

    /// Brings a long log to the file itself and empties it, unless somebody is reading. SQLite does
    /// not empty it: the next command, which is alone, would recover and bring all of it again.
    pub(super) fn bring_in_log(
        &self,
        connection: &Connection,
        longest: Longest,
    ) -> Result<(), IndexError> {
        if files::size(&self.beside("-wal")) <= longest as usize {
            return Ok(());
        }
        connection.busy_timeout(Duration::ZERO)?;
        // If that fails, the next change does it.
        let _ = connection.execute_batch("pragma wal_checkpoint(truncate)");
        Ok(connection.busy_timeout(WAIT)?)
    }

    /// To be called before what was open is used again.
    pub(super) fn lengthen_shared(&self) {
        shared::lengthen(&self.beside("-shm"), &self.beside("-wal"));
    }

    fn beside(&self, end: &str) -> PathBuf {
        let mut name = self.file.clone().into_os_string();
        name.push(end);
        name.into()
    }

    /// Removes the older indexes. One that cannot be removed is never opened again.
    pub(super) fn remove_older(&self) {
        for (_, file) in named(&self.base).filter(|(number, _)| *number < self.number) {
            let _ = files::remove(&file);
        }
    }

    /// Removes the unfinished indexes of a killed co.
    pub(super) fn remove_unfinished(base: &Path) -> Result<(), SystemError> {
        let folder = base.parent().unwrap_or(Path::new("."));
        let ours = |path: &PathBuf| {
            // With the log that SQLite opens at the end.
            let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
            (end == UNFINISHED || JOURNALS.iter().any(|log| end == format!("{UNFINISHED}{log}")))
                && path.file_prefix() == base.file_stem()
        };
        let mut all = files::names(folder).into_iter().map(|name| folder.join(name)).filter(ours);
        all.try_for_each(|path| files::remove(&path))
    }
}

/// `…/index.db` for the first, `…/index.2.db` for the second.
fn path_of(base: &Path, number: u64) -> PathBuf {
    if number == 1 { base.to_owned() } else { base.with_extension(format!("{number}.db")) }
}

/// Every file that belongs to an index that goes by this path, with the index's number.
fn named(base: &Path) -> impl Iterator<Item = (u64, PathBuf)> {
    let folder = base.parent().unwrap_or(Path::new(".")).to_owned();
    let stem = base.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let number = move |name: &str| {
        let beside = JOURNALS.iter().find_map(|end| name.strip_suffix(end));
        let number = beside.unwrap_or(name).strip_prefix(&stem)?.strip_suffix(".db")?;
        if number.is_empty() { Some(1) } else { written(number.strip_prefix('.')?) }
    };
    let names = files::names(&folder);
    names.into_iter().filter_map(move |name| Some((number(&name)?, folder.join(name))))
}

/// The number of an index after the first, as [`path_of`] writes it: a file of another name is not
/// ours, and an index past the highest number would never count.
fn written(digits: &str) -> Option<u64> {
    const MOST_DIGITS: usize = 9;
    let number = digits.parse::<u64>().ok().filter(|_| digits.len() <= MOST_DIGITS)?;
    (number > 1 && number.to_string() == digits).then_some(number)
}

/// Whether the file has all the pages that it says it has; `None` if it is no database.
fn is_whole(file: &Path) -> Option<bool> {
    let head = files::beginning(file, 32)?;
    let head: &[u8; 32] = head.as_slice().try_into().ok()?;
    // With another version of its format, SQLite would open it for reading only.
    let is_known = head[18..20].iter().all(|version| (1..=2).contains(version));
    (is_known && head.starts_with(b"SQLite format 3\0")).then_some(())?;
    let page = u64::from(u16::from_be_bytes([head[16], head[17]]));
    let pages = u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
    Some(page > 0 && files::size(file) as u64 >= page * pages)
}

pub(super) fn is_local(file: &Path) -> bool {
    file.parent().is_some_and(|folder| platform::is_local(folder) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_number_counts_and_others_files_do_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let base = folder.path().join("index.db");
        assert_eq!(Location::current(&base), None);
        assert_eq!(Location::next(&base).file, base);
        let others = [
            "index.+9.db",
            "index.012.db",
            "index.1.db",
            "index.18446744073709551615.db",
            "index.x.db",
        ];
        let ours = ["index.db", "index.9.db", "index.10.db", "index.11.db-wal"];
        for name in ours.iter().chain(&others) {
            files::write(&folder.path().join(name), b"").expect("written");
        }
        let current = Location::current(&base).expect("an index");
        assert_eq!(current.file, folder.path().join("index.10.db"));
        let next = Location::next(&base);
        assert_eq!(next.file, folder.path().join("index.12.db"));
        next.remove_older();
        assert!(!current.is_current());
        assert_eq!(files::names(folder.path()), others);
    }
}
