//! Facts whose text the index does not have: those that contain a secret.
//!
//! Invariant: they are read from their files.

use super::{
    database::{Content, Index, Unit},
    store::Store,
};
use crate::identity::{Memory, RelPath};
use crate::machine::folder;

/// Memories that contain a secret: their text is not stored in the index.
pub(super) fn kept_out(store: &Store, index: &Index) -> Vec<Memory> {
    let others = index.reads(Unit::Facts).others().unwrap_or_default();
    let read = |content: Content| memory_at(store, &content.path);
    others.into_iter().filter(Content::is_kept_out).filter_map(read).collect()
}

/// The fact in a file, read from the file itself.
pub(super) fn memory_at(store: &Store, path: &str) -> Option<Memory> {
    let path = RelPath::new(path)?;
    let (blob, _) = folder::read_file(&path, &store.root.join(path.as_str())).ok()?;
    Memory::read(&path, &blob).ok()
}
