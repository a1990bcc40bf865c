//! The base of the three-way merge of notes: the folder's content after the last exchange.
//!
//! Invariant: in `local/`, never synced. A copy that is lost or damaged makes both sides look
//! changed, so that both stay. One that a kill left behind counts for a deleted note only where the
//! identity has the very same bytes again.

use super::folder::Notes;
use crate::identity::{Blob, ContentHash, RelPath, Snapshot};
use crate::system::files;
use std::path::{Path, PathBuf};

pub struct LastExchange {
    root: PathBuf,
}

impl LastExchange {
    /// Of the folder at a path of this laptop.
    pub fn of(own: &Path, folder: &Path) -> LastExchange {
        let name = ContentHash::of_bytes(folder.to_string_lossy().as_bytes()).short(16);
        LastExchange { root: own.join("seen").join(name) }
    }

    pub fn read(&self, prefix: &str) -> Snapshot {
        Notes::below(&self.root, prefix).snapshot
    }

    /// `None` for a note that is not there any more.
    pub fn set(&self, path: &RelPath, blob: Option<&Blob>) {
        let file = self.root.join(path.as_str());
        // What is not kept makes the next exchange keep more than it had to.
        let _ = match blob {
            Some(blob) => files::write_private(&file, blob),
            None => files::discard(&file),
        };
    }
}
