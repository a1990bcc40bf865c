//! The bytes of one file, and what was read in them.
//!
//! Invariant: equal bytes mean the same; what a memory file says is read at most once, whichever
//! snapshots share the blob. Cloning copies nothing.

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
    bytes: Box<[u8]>,
    facts: OnceLock<Result<Facts, Unusable>>,
}

impl Blob {
    /// What these bytes say as a memory.
    ///
    /// # Errors
    /// [`Unusable`] when they are no memory; they still travel.
    pub fn facts(&self) -> Result<&Facts, &Unusable> {
        self.0.facts.get_or_init(|| Facts::read(&self.0.bytes)).as_ref()
    }
}

impl Deref for Blob {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0.bytes
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
        Blob(Arc::new(Inner { bytes: bytes.into(), facts: OnceLock::new() }))
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
        Arc::ptr_eq(&self.0, &other.0) || self.0.bytes == other.0.bytes
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
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        self.0.bytes.cmp(&other.0.bytes)
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self))
    }
}
