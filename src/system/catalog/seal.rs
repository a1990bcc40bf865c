//! The seal beside a catalog: what the file looked like when co last wrote it, and since which start of
//! the machine it stands.
//!
//! Invariant: a catalog whose size, times or inode differ was touched by something else, or by a co
//! that was killed while it wrote; one of before the last start may have lost writes to a power cut.
//! Both are made again, because SQLite does not notice a flipped byte.

use super::{CatalogError, Stat};
use crate::system::{boot, files};
use std::path::{Path, PathBuf};

/// What a catalog has to be of.
#[derive(Clone, Debug)]
pub struct Seal {
    key: String,
    /// This start of the machine.
    boot: String,
    /// The encoder whose vectors it has.
    pub(super) encoder: &'static str,
}

impl Seal {
    pub fn new(key: String, boot: Option<String>, encoder: &'static str) -> Seal {
        Seal { key, boot: boot.unwrap_or_default(), encoder }
    }

    /// Whether a catalog is what co left.
    pub(super) fn holds(&self, catalog: &Path) -> bool {
        self.text_of(catalog).is_some()
    }

    /// What the seal says, where the catalog is what co left: another text after each change.
    pub(super) fn text_of(&self, catalog: &Path) -> Option<String> {
        let stat = Stat::of(catalog)?;
        // SQLite would play a journal into the catalog; co leaves none.
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

/// How the names of the files end that SQLite puts beside a catalog.
pub(super) const JOURNALS: [&str; 3] = ["db-journal", "db-wal", "db-shm"];

pub(super) fn beside(catalog: &Path, end: &str) -> PathBuf {
    catalog.with_extension(end)
}

fn file_of(catalog: &Path) -> PathBuf {
    catalog.with_extension("seal")
}
