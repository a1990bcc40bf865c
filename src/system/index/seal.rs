//! The seal next to an index: the index's stat when co last wrote it, and the boot in which it
//! is valid.
//!
//! Invariant: an index with a different size, time or inode was touched by something else, or by a
//! co that was killed while writing; one from before the last boot may have lost writes in a power
//! cut. Both are rebuilt, because SQLite does not detect a flipped byte.

use super::{IndexError, Stat};
use crate::system::{boot, files};
use std::path::{Path, PathBuf};

/// What an index has to match.
#[derive(Clone, Debug)]
pub struct Seal {
    key: String,
    /// The id of the current boot.
    boot: String,
    /// The encoder of the stored vectors.
    pub(super) encoder: &'static str,
}

impl Seal {
    pub fn new(key: String, boot: Option<String>, encoder: &'static str) -> Seal {
        Seal { key, boot: boot.unwrap_or_default(), encoder }
    }

    /// Whether an index is unchanged since co wrote it.
    pub(super) fn holds(&self, index: &Path) -> bool {
        self.text_of(index).is_some()
    }

    /// The seal's text if the index is unchanged since co wrote it; it differs after each write.
    pub(super) fn text_of(&self, index: &Path) -> Option<String> {
        let stat = Stat::of(index)?;
        // SQLite would replay a journal into the index; co leaves none.
        let is_left = |end: &str| files::exists(&beside(index, end));
        if !files::is_file(index) || JOURNALS.iter().any(|end| is_left(end)) {
            return None;
        }
        let seal = files::read_text(&file_of(index)).ok().flatten()?;
        let (boot, rest) = seal.split_once('\n')?;
        let is_ours = boot::is_same(boot, &self.boot) && rest == self.text(stat);
        is_ours.then_some(seal)
    }

    /// Seals an index.
    pub(super) fn put(&self, index: &Path) -> Result<(), IndexError> {
        let stat = Stat::of(index).unwrap_or_default();
        let text = format!("{}\n{}", self.boot, self.text(stat));
        Ok(files::write_private(&file_of(index), text.as_bytes())?)
    }

    fn text(&self, stat: Stat) -> String {
        let Stat { size, modified, changed, inode } = stat;
        format!("{}\n{size} {modified} {changed} {inode}\n", self.key)
    }
}

/// Suffixes of the files that SQLite creates next to an index.
pub(super) const JOURNALS: [&str; 3] = ["db-journal", "db-wal", "db-shm"];

pub(super) fn beside(index: &Path, end: &str) -> PathBuf {
    index.with_extension(end)
}

fn file_of(index: &Path) -> PathBuf {
    index.with_extension("seal")
}
