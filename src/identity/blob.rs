//! The bytes of one file, and the facts parsed from them.
//!
//! Invariant: a blob is parsed at most once, however many snapshots share it; bytes in a store are
//! loaded on first use; cloning copies nothing.

use super::memory_meta::{MemoryMeta, Unusable};
use std::{
    cmp::Ordering,
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

#[derive(Clone)]
pub struct Blob(Arc<Inner>);

struct Inner {
    bytes: OnceLock<Box<[u8]>>,
    facts: OnceLock<Result<MemoryMeta, Unusable>>,
    stored: Option<Stored>,
}

struct Stored {
    name: Name,
    size: u64,
    store: Arc<dyn Store>,
}

/// The store's content address: different bytes have a different name.
pub type Name = [u8; 20];

/// Where the bytes of a stored blob are loaded from.
pub trait Store: Send + Sync {
    /// Returns nothing if the store lost the bytes, and remembers it: callers check before a write.
    fn load(&self, name: &Name) -> Vec<u8>;
}

impl Blob {
    /// A blob whose bytes are in a store, with its facts if it is a memory and they are known.
    pub fn stored(name: Name, size: u64, facts: Option<MemoryMeta>, store: Arc<dyn Store>) -> Blob {
        let stored = Some(Stored { name, size, store });
        let facts = facts.map_or_else(OnceLock::new, |facts| OnceLock::from(Ok(facts)));
        Blob(Arc::new(Inner { bytes: OnceLock::new(), facts, stored }))
    }

    /// A blob whose facts are already known; `None` if they cannot belong to these bytes.
    pub fn known(bytes: Vec<u8>, facts: MemoryMeta) -> Option<Blob> {
        let (bytes, facts) = (bytes.into_boxed_slice(), facts);
        facts.fit(&bytes).then(|| {
            let (bytes, facts) = (OnceLock::from(bytes), OnceLock::from(Ok(facts)));
            Blob(Arc::new(Inner { bytes, facts, stored: None }))
        })
    }

    /// `None` for bytes that are not in a store.
    pub fn name(&self) -> Option<&Name> {
        self.0.stored.as_ref().map(|stored| &stored.name)
    }

    /// In bytes; does not load them from the store.
    pub fn size(&self) -> u64 {
        match &self.0.stored {
            Some(stored) => stored.size,
            None => self.bytes().len() as u64,
        }
    }

    /// Loads the bytes now if they are in a store.
    pub fn load(&self) {
        self.bytes();
    }

    fn bytes(&self) -> &[u8] {
        self.0.bytes.get_or_init(|| match &self.0.stored {
            Some(stored) => stored.store.load(&stored.name).into(),
            None => Box::default(),
        })
    }

    /// Whether two blobs are equal by name or size; `None` when the bytes must decide.
    fn same_name(&self, other: &Blob) -> Option<bool> {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Some(true);
        }
        match (&self.0.stored, &other.0.stored) {
            (Some(ours), Some(theirs)) => Some(ours.name == theirs.name),
            _ => (self.size() != other.size()).then_some(false),
        }
    }

    /// Parses the bytes as a memory; bytes that are not a memory are still carried.
    #[inline]
    pub fn facts(&self) -> Result<&MemoryMeta, &Unusable> {
        self.0.facts.get_or_init(|| MemoryMeta::read(self.bytes())).as_ref()
    }
}

impl Deref for Blob {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes()
    }
}

impl AsRef<[u8]> for Blob {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl std::borrow::Borrow<[u8]> for Blob {
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Blob {
        let bytes = OnceLock::from(bytes.into_boxed_slice());
        Blob(Arc::new(Inner { bytes, facts: OnceLock::new(), stored: None }))
    }
}

impl From<String> for Blob {
    fn from(text: String) -> Blob {
        text.into_bytes().into()
    }
}

impl From<&[u8]> for Blob {
    fn from(bytes: &[u8]) -> Blob {
        bytes.to_vec().into()
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Blob {
        text.as_bytes().into()
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Blob) -> bool {
        self.same_name(other).unwrap_or_else(|| self.bytes() == other.bytes())
    }
}

impl Eq for Blob {}

impl PartialOrd for Blob {
    fn partial_cmp(&self, other: &Blob) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Blob {
    fn cmp(&self, other: &Blob) -> Ordering {
        if self.same_name(other) == Some(true) {
            return Ordering::Equal;
        }
        self.bytes().cmp(other.bytes())
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self))
    }
}
