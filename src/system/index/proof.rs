//! Checksums of index rows.
//!
//! Invariant: SQLite does not detect a flipped byte; texts, facts, pairs and encoder vectors have
//! their own checksums.

use super::Alike;
use crate::system::git;

/// The git blob id of a file's bytes.
pub type Name = [u8; 20];

/// The blob id of some bytes; `None` if they were crafted for a hash collision.
pub fn name_of(bytes: &[u8]) -> Option<Name> {
    git::blob_id(bytes)?.as_slice().try_into().ok()
}

/// The checksum of a file's facts and its blob id.
pub(super) fn sum_of_facts(name: &Name, facts: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(name);
    sum.update(facts);
    sum.finalize()
}

/// The checksum of the similar pairs, in any order.
pub(super) fn sum_of_alike(all: &[Alike]) -> u32 {
    let of_one = |one: &Alike| {
        let mut sum = crc32fast::Hasher::new();
        for part in [one.newer.as_bytes(), one.older.as_bytes(), &one.score.to_le_bytes()] {
            sum.update(part);
        }
        sum.finalize()
    };
    all.iter().map(of_one).fold(all.len() as u32, u32::wrapping_add)
}

/// The checksum of a vector, its text and its encoder.
pub(super) fn sum_of(encoder: &str, text: i64, vector: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(encoder.as_bytes());
    sum.update(&text.to_le_bytes());
    sum.update(vector);
    sum.finalize()
}
