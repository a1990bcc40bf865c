//! The bytes of one file, and what was read in them.
//!
//! Invariant: equal bytes mean the same; what a memory file says is read at most once, whichever
//! snapshots share the blob. Bytes that lie in a store come when they are asked for. Cloning copies
//! nothing.

use super::memory::{Facts, Unusable};
use std::{
    cmp::Ordering,
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

/// Shared bytes.
#[derive(Clone)]
pub struct Blob(Arc<Inner>);

struct Inner {
    bytes: OnceLock<Box<[u8]>>,
    facts: OnceLock<Result<Facts, Unusable>>,
    stored: Option<Stored>,
}

struct Stored {
    name: Name,
    size: u64,
    store: Arc<dyn Store>,
}

/// The name that a store has for bytes: other bytes, another name.
pub type Name = [u8; 20];

/// Where bytes lie that were read before.
pub trait Store: Send + Sync {
    /// The bytes of that name. A store that lost them gives none and remembers that: whoever works
    /// with its blobs asks before anything is written.
    fn load(&self, name: &Name) -> Vec<u8>;
}

impl Blob {
    /// Bytes that lie in a store, of which is known what they say.
    pub fn stored(name: Name, size: u64, facts: Facts, store: Arc<dyn Store>) -> Blob {
        let stored = Some(Stored { name, size, store });
        Blob(Arc::new(Inner { bytes: OnceLock::new(), facts: OnceLock::from(Ok(facts)), stored }))
    }

    /// Whether the bytes lie in a store.
    pub fn is_stored(&self) -> bool {
        self.0.stored.is_some()
    }

    /// How many bytes there are.
    pub fn size(&self) -> u64 {
        match &self.0.stored {
            Some(stored) => stored.size,
            None => self.bytes().len() as u64,
        }
    }

    /// Has the bytes come, where they lie in a store.
    pub fn bring(&self) {
        self.bytes();
    }

    fn bytes(&self) -> &[u8] {
        self.0.bytes.get_or_init(|| match &self.0.stored {
            Some(stored) => stored.store.load(&stored.name).into(),
            None => Box::default(),
        })
    }

    /// Whether names alone tell that two blobs are the same, or are not.
    fn same_name(&self, other: &Blob) -> Option<bool> {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Some(true);
        }
        match (&self.0.stored, &other.0.stored) {
            (Some(ours), Some(theirs)) => Some(ours.name == theirs.name),
            _ => (self.size() != other.size()).then_some(false),
        }
    }

    /// What these bytes say as a memory.
    ///
    /// # Errors
    /// [`Unusable`] when they are no memory; they still travel.
    pub fn facts(&self) -> Result<&Facts, &Unusable> {
        self.0.facts.get_or_init(|| Facts::read(self.bytes())).as_ref()
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
