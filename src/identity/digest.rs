//! Cached result of checking a file, keyed by content hash.
//!
//! Invariant: a digest is of bytes, by their name: it says nothing of a file that holds others.

use super::{
    blob::{Blob, Name},
    path::RelPath,
    stamp::Stamp,
};
use crate::secrets::{ALLOW, reference};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Of one file. Kept: a change to what is in it needs a new [`Digest::EDITION`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Digest {
    /// Whether no fault was found in it, whatever stands beside it.
    pub is_sound: bool,
    /// Whether no rule for secrets finds anything in it, also where somebody allowed it.
    pub is_plain: bool,
    /// Whether it names a secret of the keyring.
    pub names_secrets: bool,
    /// The latest of its stamps: a clock may have been put back since.
    pub latest: Option<Stamp>,
    /// The files that it says are there.
    pub needs: Vec<String>,
}

impl Digest {
    pub const EDITION: u32 = 3;

    /// Of a file without a secret, that needs no other.
    pub fn of(bytes: &[u8], is_sound: bool) -> Digest {
        let is_plain = memchr::memmem::find(bytes, ALLOW.as_bytes()).is_none();
        let names_secrets = reference::occurs(bytes);
        Digest { is_sound, is_plain, names_secrets, ..Digest::default() }
    }
}

/// Digests of a set of files, by content hash.
#[derive(Clone, Default)]
pub struct Digests(HashMap<RelPath, (Name, Digest)>);

impl Digests {
    pub fn insert(&mut self, path: RelPath, name: Name, digest: Digest) {
        self.0.insert(path, (name, digest));
    }

    /// None where the file holds other bytes, or was not looked at.
    pub fn get(&self, path: &RelPath, blob: &Blob) -> Option<&Digest> {
        let (name, digest) = self.0.get(path)?;
        (blob.name() == Some(name)).then_some(digest)
    }

    /// Whether no fault was found in the file.
    pub fn is_sound(&self, path: &RelPath, blob: &Blob) -> bool {
        self.get(path, blob).is_some_and(|digest| digest.is_sound)
    }

    /// Whether it may name a secret.
    pub fn may_name_secrets(&self, path: &RelPath, blob: &Blob) -> bool {
        self.get(path, blob).is_none_or(|digest| digest.names_secrets)
    }
}
