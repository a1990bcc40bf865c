//! Checksums of what an index stores.
//!
//! Invariant: SQLite does not detect a flipped byte; whatever an answer depends on has a checksum
//! of its own. The blob id of a file's bytes, which takes far longer, tells it from other files.

use crate::git;

/// The git blob id of a file's bytes.
pub type Name = [u8; 20];

/// The blob id of some bytes; `None` if they were crafted for a hash collision.
pub fn name_of(bytes: &[u8]) -> Option<Name> {
    git::blob_id(bytes)?.as_slice().try_into().ok()
}

pub(super) fn sum_of(parts: &[&[u8]]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.finalize()
}
