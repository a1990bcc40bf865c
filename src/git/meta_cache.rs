//! Cache of memory metadata by blob id, so that a sync parses only changed files.
//!
//! Invariant: an entry is keyed by the hash of its bytes and can never be stale; bytes are loaded
//! from the object database on demand.

use super::Id;
use crate::identity::{
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
    pub(super) gix: Mutex<gix::Repository>,
    pub(super) lost: AtomicBool,
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
