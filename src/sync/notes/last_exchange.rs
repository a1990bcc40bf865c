//! The base of the three-way merge of notes: the folder's content after the last exchange.
//!
//! Invariant: in `local/`, never synced. If a copy is lost or damaged, both sides look changed and
//! both stay. A copy left behind by a kill makes a note look deleted only if the identity has
//! exactly the same bytes again.

use super::folder::Notes;
use crate::identity::{Blob, ContentHash, RelPath, Snapshot};
use crate::machine::files;
use std::path::{Path, PathBuf};

pub struct LastExchange {
    root: PathBuf,
}

impl LastExchange {
    /// For the folder at a path on this laptop.
    pub fn of(own: &Path, folder: &Path) -> LastExchange {
        let name = ContentHash::of_bytes(folder.to_string_lossy().as_bytes()).short(16);
        LastExchange { root: own.join("seen").join(name) }
    }

    pub fn read(&self, prefix: &str) -> Snapshot {
        Notes::below(&self.root, prefix).snapshot
    }

    /// `None` for a note that was deleted.
    pub fn set(&self, path: &RelPath, blob: Option<&Blob>) {
        let file = self.root.join(path.as_str());
        // If this fails, the next exchange keeps more than necessary.
        let _ = match blob {
            Some(blob) => files::write_private(&file, blob),
            None => files::discard(&file),
        };
    }
}
