//! What differs between Unix and Windows: stat data, permissions, renames, flushes, locks, process
//! groups and signals.
//!
//! Invariant: both halves offer the same functions, and nothing else calls what only one of the two
//! has, but for keyrings and tests. Other differences (where a system keeps things, how it writes
//! paths) are asked where they matter, with `cfg!`. What a system lacks is said by the return
//! value, so that the caller decides.

mod entries;
pub(crate) use entries::{EntryKind, each_entry};

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;

/// What the file system keeps about a file besides its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileStat {
    pub(crate) size: u64,
    /// In nanoseconds since 1970.
    pub(crate) modified: i64,
    /// When content or permissions last changed; on Windows, as `modified`.
    pub(crate) changed: i64,
    /// 0 on Windows.
    pub(crate) inode: u64,
}

/// What git's index stores of a file, or of the link to one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GitStat {
    pub(crate) stat: gix::index::entry::Stat,
    pub(crate) is_link: bool,
}

/// Which file of the machine a name leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileId {
    volume: u64,
    file: u64,
}
