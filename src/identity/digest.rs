//! The cached result of checking a file, keyed by content hash.
//!
//! Invariant: a digest belongs to the bytes of one name; it says nothing about any other content.

use super::{
    blob::{Blob, Name},
    path::RelPath,
    stamp::Stamp,
};
use crate::secrets::{ALLOW, reference};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The digest of one file. It is cached: a change to its fields needs a new [`Digest::EDITION`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Digest {
    /// Whether the file has no faults, regardless of the files around it.
    pub is_sound: bool,
    /// Whether no secret rule matches, not even one that is allowed.
    pub is_plain: bool,
    /// The names of the secrets that it refers to.
    pub secrets: Vec<String>,
    /// The latest of its stamps: the clock may have been set back since.
    pub latest: Option<Stamp>,
    /// The files that it says exist.
    pub needs: Vec<String>,
}

impl Digest {
    pub const EDITION: u32 = 9;

    /// For a file that contains no secret and needs no other file.
    pub fn of(bytes: &[u8], is_sound: bool) -> Digest {
        let is_plain = memchr::memmem::find(bytes, ALLOW.as_bytes()).is_none();
        Digest { is_sound, is_plain, secrets: reference::names(bytes), ..Digest::default() }
    }
}

/// Digests of a set of files, each valid for one content.
#[derive(Clone, Default)]
pub struct Digests(HashMap<RelPath, (Name, Digest)>);

impl Digests {
    pub fn insert(&mut self, path: RelPath, name: Name, digest: Digest) {
        self.0.insert(path, (name, digest));
    }

    /// `None` if the file has other content, or was not checked.
    pub fn get(&self, path: &RelPath, blob: &Blob) -> Option<&Digest> {
        let (name, digest) = self.0.get(path)?;
        (blob.name() == Some(name)).then_some(digest)
    }

    /// Whether the file is known to have no faults.
    pub fn is_sound(&self, path: &RelPath, blob: &Blob) -> bool {
        self.get(path, blob).is_some_and(|digest| digest.is_sound)
    }

    /// Whether it may refer to a secret.
    pub fn may_name_secrets(&self, path: &RelPath, blob: &Blob) -> bool {
        self.get(path, blob).is_none_or(|digest| !digest.secrets.is_empty())
    }
}
