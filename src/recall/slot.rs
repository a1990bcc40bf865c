//! The hash function of the vocabulary's hash table.
//!
//! Invariant: this file is shared by the build script, which builds the table, and the program,
//! which reads it.

/// Twice the vocabulary size, so that most pieces are in the first slot probed.
pub const SLOTS: usize = 1 << 16;
/// Marks an empty slot.
pub const FREE: u16 = u16::MAX;

/// The first slot to probe for a piece; it is there or in a later slot before the next free one.
/// (FNV-1a with its halves folded.)
pub fn first(piece: &[u8]) -> usize {
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    let hash = piece.iter().fold(0x811c_9dc5, step);
    (hash ^ hash >> 16) as usize % SLOTS
}
