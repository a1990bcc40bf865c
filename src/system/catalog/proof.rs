//! Checksums of index rows.
//!
//! Invariant: SQLite does not notice a flipped byte; texts, facts, pairs and vectors of the encoder carry
//! their own sums.

use super::Alike;
use crate::system::git;

/// What git calls a file with these bytes.
pub type Name = [u8; 20];

/// The name of some bytes; None for those that were made to share another's name.
pub fn name_of(bytes: &[u8]) -> Option<Name> {
    git::blob_id(bytes)?.as_slice().try_into().ok()
}

/// Proves what was read in a file, and that it is of these bytes.
pub(super) fn sum_of_facts(name: &Name, facts: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(name);
    sum.update(facts);
    sum.finalize()
}

/// Proves which files are alike, in any order.
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

/// Proves a vector, the text that it is of, and what made it.
pub(super) fn sum_of(encoder: &str, text: i64, vector: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(encoder.as_bytes());
    sum.update(&text.to_le_bytes());
    sum.update(vector);
    sum.finalize()
}
