//! Facts read from memories, cached between runs by blob id: a sync reads only what changed.
//!
//! Invariant: an entry is keyed by the hash of its bytes and can never be stale; a file that is
//! damaged, or of another edition, counts as empty. It can be deleted at any time.

use super::{GitError, Id, Repo, error::Words};
use crate::identity::{
    Blob,
    blob::{Name, Store},
    memory::Facts,
};
use crate::system::files;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// The cache, loaded when it is first needed.
#[derive(Default)]
pub(super) enum Known {
    /// Not enabled: everything is read from the repository.
    #[default]
    Unused,
    /// Enabled, but not loaded yet.
    Unread,
    Read {
        facts: HashMap<Name, (u64, Facts)>,
        objects: Arc<Objects>,
        /// How many entries the file had.
        loaded: usize,
    },
}

/// Loads blobs from the object database on demand.
pub(super) struct Objects {
    gix: Mutex<gix::Repository>,
    lost: AtomicBool,
}

impl Store for Objects {
    fn load(&self, name: &Name) -> Vec<u8> {
        let gix = self.gix.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = gix.find_blob(Id::Sha1(*name));
        found.map(|mut blob| blob.take_data()).unwrap_or_else(|_| {
            self.lost.store(true, Ordering::Release);
            Vec::new()
        })
    }
}

impl Repo {
    fn facts_file(&self) -> PathBuf {
        self.co_dir().join("facts")
    }

    /// Enables the cache: memories that an earlier run read are not read again, their bytes are
    /// loaded on demand. Whoever writes afterwards checks [`Repo::is_intact`] first.
    pub fn use_known_facts(&self) {
        *self.known.borrow_mut() = Known::Unread;
    }

    /// A blob whose facts are cached; its bytes are not read yet.
    pub(super) fn known_blob(&self, id: Id) -> Option<Blob> {
        let mut known = self.known.borrow_mut();
        if let Known::Unread = *known {
            let read = files::read(&self.facts_file()).ok().flatten().unwrap_or_default();
            let facts = unpacked(&read);
            let gix = Mutex::new(self.gix.clone());
            let objects = Arc::new(Objects { gix, lost: AtomicBool::new(false) });
            *known = Known::Read { loaded: facts.len(), facts, objects };
        }
        let Known::Read { facts, objects, .. } = &mut *known else { return None };
        let name: Name = id.as_slice().try_into().ok()?;
        let (size, facts) = facts.remove(&name)?;
        Some(Blob::stored(name, size, Some(facts), objects.clone()))
    }

    /// Whether all requested bytes could be loaded. If not, the cache is deleted, so that the next
    /// run reads everything and reports what is wrong.
    pub fn is_intact(&self) -> bool {
        let lost = match &*self.known.borrow() {
            Known::Read { objects, .. } => objects.lost.load(Ordering::Acquire),
            Known::Unused | Known::Unread => false,
        };
        if lost {
            *self.known.borrow_mut() = Known::Unused;
            self.blobs.borrow_mut().clear();
            let _ = files::remove(&self.facts_file());
        }
        !lost
    }

    /// Caches the facts of these commits' memories. A file that cannot be written costs only time.
    pub fn keep_known_facts(&self, commits: &[Id]) -> Result<(), GitError> {
        let blobs = self.blobs.borrow();
        let mut kept: HashMap<Name, (u64, &Facts)> = HashMap::new();
        for commit in commits {
            let Some(tree) = self.identity_tree(self.tree_of(*commit)?)? else { continue };
            for (path, id) in self.known_entries(tree)?.iter() {
                let blob = blobs.get(id).filter(|_| path.is_memory());
                let name = Name::try_from(id.as_slice()).ok();
                if let (Some(blob), Some(name)) = (blob, name)
                    && let Ok(facts) = blob.facts()
                {
                    kept.insert(name, (blob.size(), facts));
                }
            }
        }
        let loaded = match &*self.known.borrow() {
            Known::Read { loaded, .. } => *loaded,
            Known::Unused | Known::Unread => 0,
        };
        let new = |name: &Name| blobs.get(&Id::Sha1(*name)).is_some_and(|blob| !blob.is_stored());
        if kept.len() != loaded || kept.keys().any(new) {
            let entries: Vec<_> = kept.iter().collect();
            let _ = files::write_private(&self.facts_file(), &packed(&entries)?);
        }
        Ok(())
    }
}

/// Versions of co and of the facts: a file with another head is ignored.
fn head() -> Vec<u8> {
    format!("co {} facts {}\n", env!("CARGO_PKG_VERSION"), Facts::EDITION).into_bytes()
}

/// The head, a checksum, and the entries.
fn packed(entries: &[(&Name, &(u64, &Facts))]) -> Result<Vec<u8>, GitError> {
    let body = postcard::to_stdvec(entries).map_err(|error| {
        GitError::local("keep facts", std::path::Path::new("facts"), Words(error.to_string()))
    })?;
    let mut bytes = head();
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

fn unpacked(bytes: &[u8]) -> HashMap<Name, (u64, Facts)> {
    let read = || -> Option<HashMap<Name, (u64, Facts)>> {
        let (sum, body) = bytes.strip_prefix(head().as_slice())?.split_first_chunk()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return None;
        }
        let entries: Vec<(Name, (u64, Facts))> = postcard::from_bytes(body).ok()?;
        Some(entries.into_iter().collect())
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_damage_counts_as_empty() {
        let blob =
            Blob::from("---\nid: 1\ncreated: 2026-01-01T00:00:00Z\ntags: [a]\n---\n\nText.\n");
        let facts = blob.facts().expect("a memory");
        let bytes = packed(&[(&[7; 20], &(blob.size(), facts))]).expect("packed");
        assert_eq!(unpacked(&bytes).get(&[7; 20]), Some(&(blob.size(), facts.clone())));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(unpacked(&damaged).is_empty(), "byte {at}");
            assert!(unpacked(&bytes[..at]).is_empty(), "cut at {at}");
        }
    }
}
