//! Facts of a repository's blobs that are known, so that a sync parses only changed files.
//!
//! Invariant: bytes that could not be loaded are reported before anything is written.

use super::{
    Id, Repo,
    meta_cache::{ByName, MetaCache, Objects},
};
use crate::identity::{Blob, blob::Name};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

impl Repo {
    /// Memories with known facts are not read again; their bytes are loaded on demand. Before
    /// writing, check [`Repo::all_loaded`].
    pub fn use_known_facts(&self, known: impl FnOnce() -> ByName + 'static) {
        *self.known.borrow_mut() = MetaCache::Unread(Box::new(known));
    }

    /// Also false after an object could not be loaded, see [`Repo::all_loaded`].
    pub fn uses_known_facts(&self) -> bool {
        !matches!(*self.known.borrow(), MetaCache::Unused)
    }

    /// A blob whose facts are known; its bytes are not read yet.
    pub(super) fn known_blob(&self, id: Id) -> Option<Blob> {
        let mut known = self.known.borrow_mut();
        *known = match std::mem::take(&mut *known) {
            MetaCache::Unread(read) => {
                let gix = Mutex::new(self.gix.clone());
                let objects = Arc::new(Objects { gix, lost: AtomicBool::new(false) });
                MetaCache::Read { facts: read(), objects }
            }
            known => known,
        };
        let MetaCache::Read { facts, objects } = &mut *known else { return None };
        let name: Name = id.as_slice().try_into().ok()?;
        let (size, facts) = facts.remove(&name)?;
        Some(Blob::stored(name, size, Some(facts), objects.clone()))
    }

    /// Whether all bytes requested since the last call could be loaded. If not, the known facts are
    /// dropped, so that the next attempt reads everything and reports the error.
    pub fn all_loaded(&self) -> bool {
        let lost = match &*self.known.borrow() {
            MetaCache::Read { objects, .. } => objects.lost.load(Ordering::Acquire),
            MetaCache::Unused | MetaCache::Unread(_) => false,
        };
        if lost {
            *self.known.borrow_mut() = MetaCache::Unused;
            self.blobs.borrow_mut().clear();
        }
        !lost
    }
}
