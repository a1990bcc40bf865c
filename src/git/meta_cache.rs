//! Cache of memory metadata by blob id, so that a sync parses only changed files.
//!
//! Invariant: an entry is keyed by the hash of its bytes and can never be stale; bytes are loaded
//! from the object database on demand.

use super::{Id, Repo};
use crate::identity::{
    Blob,
    blob::{Name, Store},
    memory::MemoryMeta,
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Facts and file sizes, by blob id.
pub type ByName = HashMap<Name, (u64, MemoryMeta)>;

/// Metadata cache, loaded lazily.
#[derive(Default)]
pub(super) enum MetaCache {
    /// Everything is read from the repository.
    #[default]
    Unused,
    Unread(Box<dyn FnOnce() -> ByName>),
    Read {
        facts: ByName,
        objects: Arc<Objects>,
    },
}

/// Loads blobs from the object database on demand.
pub(super) struct Objects {
    gix: Mutex<gix::Repository>,
    lost: AtomicBool,
}

impl Store for Objects {
    fn load(&self, name: &Name) -> Vec<u8> {
        let gix = self.gix.lock().unwrap_or_else(PoisonError::into_inner);
        let found = gix.find_blob(Id::Sha1(*name));
        found.map(|mut blob| blob.take_data()).unwrap_or_else(|_| {
            self.lost.store(true, Ordering::Release);
            Vec::new()
        })
    }
}

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
