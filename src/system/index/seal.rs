//! The seal beside an index: what the file looked like when co last wrote it.
//!
//! Invariant: one whose size, times or inode differ was touched by something else, or by a co that
//! was killed while it wrote; it is made again, because SQLite does not notice a flipped byte.

use super::{IndexError, Stat};
use crate::system::files;
use std::path::{Path, PathBuf};

pub(super) fn file_of(index: &Path) -> PathBuf {
    index.with_extension("seal")
}

fn text(stat: Stat, key: &str) -> String {
    let Stat { size, modified, changed, inode } = stat;
    format!("{key}\n{size} {modified} {changed} {inode}\n")
}

/// Whether an index is what co left, and of this key.
pub(super) fn holds(index: &Path, key: &str) -> bool {
    let Some(stat) = Stat::of(index) else { return false };
    files::read(&file_of(index))
        .ok()
        .flatten()
        .is_some_and(|seal| seal == text(stat, key).as_bytes())
}

/// Seals an index whose bytes are on disk.
pub(super) fn put(index: &Path, key: &str) -> Result<(), IndexError> {
    files::bring_to_disk(index)?;
    let stat = Stat::of(index).unwrap_or_default();
    Ok(files::write_private(&file_of(index), text(stat, key).as_bytes())?)
}
