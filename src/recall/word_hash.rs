//! Tables by words, for what an index asks of every word of every text.
//!
//! Invariant: the hash is seeded for each process, so that no text can be written to fill one place
//! of a table; the order of a table means nothing.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher, RandomState},
    sync::LazyLock,
};

static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0_u8));

/// From the golden ratio: odd, and without a pattern in its bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A table by words.
pub type ByWord<T> = HashMap<Box<str>, T, WordHash>;

/// Makes the hashes of words: one multiplication for eight bytes.
#[derive(Clone, Copy, Debug)]
pub struct WordHash(u64);

impl Default for WordHash {
    fn default() -> WordHash {
        WordHash(*SEED)
    }
}

impl BuildHasher for WordHash {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// The hash of a word so far.
#[derive(Debug)]
pub struct Folded(u64);

impl Folded {
    /// Multiplies, and folds the halves of the product.
    fn add(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(FACTOR);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        for eight in eights {
            self.add(u64::from_le_bytes(*eight));
        }
        self.add(few(rest));
        self.add(bytes.len() as u64);
    }

    /// The end of a text, which its length has said already.
    fn write_u8(&mut self, _: u8) {}
}

/// Up to seven bytes as a number: different ones for different bytes of one length.
fn few(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
    }
    let at = |place: usize| u64::from(bytes[place]);
    match bytes.len() {
        0 => 0,
        length => at(0) << 16 | at(length / 2) << 8 | at(length - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn words_have_different_hashes() {
        let hash = WordHash::default();
        let words = (0..20_000).map(|number| format!("{}{number}", "w".repeat(number % 20)));
        let hashes: BTreeSet<u64> = words.map(|word| hash.hash_one(word.as_str())).collect();
        assert_eq!(hashes.len(), 20_000);
        // A table takes the low bits.
        let low: BTreeSet<u64> = hashes.iter().map(|hash| hash % 65_536).collect();
        assert!(low.len() > 15_000, "{}", low.len());
    }

    #[test]
    fn short_words_have_different_hashes() {
        let hash = WordHash::default();
        let mut words = vec![String::new()];
        for length in 1..9 {
            let longest = words.iter().filter(|word| word.len() == length - 1);
            let more =
                longest.flat_map(|word| ["a", "b", "\0"].map(|letter| format!("{word}{letter}")));
            let more: Vec<String> = more.collect();
            words.extend(more);
        }
        let hashes: BTreeSet<u64> = words.iter().map(|word| hash.hash_one(word.as_str())).collect();
        assert_eq!(hashes.len(), words.len());
    }
}
