//! The seal next to a catalog: the catalog's stat when co last wrote it, and the boot in which it
//! is valid.
//!
//! Invariant: a catalog with a different size, time or inode was touched by something else, or by a
//! co that was killed while writing; one from before the last boot may have lost writes in a power
//! cut. Both are rebuilt, because SQLite does not detect a flipped byte.

use super::{CatalogError, Stat};
use crate::system::{boot, files};
use std::path::{Path, PathBuf};

/// What a catalog has to match.
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

    /// Whether a catalog is unchanged since co wrote it.
    pub(super) fn holds(&self, catalog: &Path) -> bool {
        self.text_of(catalog).is_some()
    }

    /// The seal's text if the catalog is unchanged since co wrote it; it differs after each write.
    pub(super) fn text_of(&self, catalog: &Path) -> Option<String> {
        let stat = Stat::of(catalog)?;
        // SQLite would replay a journal into the catalog; co leaves none.
        let is_left = |end: &str| files::exists(&beside(catalog, end));
        if !files::is_file(catalog) || JOURNALS.iter().any(|end| is_left(end)) {
            return None;
        }
        let seal = files::read_text(&file_of(catalog)).ok().flatten()?;
        let (boot, rest) = seal.split_once('\n')?;
        let is_ours = boot::is_same(boot, &self.boot) && rest == self.text(stat);
        is_ours.then_some(seal)
    }

    /// Seals a catalog.
    pub(super) fn put(&self, catalog: &Path) -> Result<(), CatalogError> {
        let stat = Stat::of(catalog).unwrap_or_default();
        let text = format!("{}\n{}", self.boot, self.text(stat));
        Ok(files::write_private(&file_of(catalog), text.as_bytes())?)
    }

    fn text(&self, stat: Stat) -> String {
        let Stat { size, modified, changed, inode } = stat;
        format!("{}\n{size} {modified} {changed} {inode}\n", self.key)
    }
}

/// Suffixes of the files that SQLite creates next to a catalog.
pub(super) const JOURNALS: [&str; 3] = ["db-journal", "db-wal", "db-shm"];

pub(super) fn beside(catalog: &Path, end: &str) -> PathBuf {
    catalog.with_extension(end)
}

fn file_of(catalog: &Path) -> PathBuf {
    catalog.with_extension("seal")
}
