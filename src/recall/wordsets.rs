//! Texts as sets of words, to be compared by what they share.
//!
//! Invariant: pure; words are compared by hash, in lower case.

use crate::identity::Memory;
use rayon::prelude::*;
use std::collections::HashMap;

/// Each text as its set of words, rarest first; a word is its rank by rarity, so sets are sorted.
pub(super) fn by_rarity(all: &[&Memory]) -> Vec<Vec<u32>> {
    let texts: Vec<Vec<u64>> = all.par_iter().map(|memory| words(memory.text())).collect();
    let mut counts: HashMap<u64, u32, AsItIs> = HashMap::default();
    for word in texts.iter().flatten() {
        *counts.entry(*word).or_default() += 1;
    }
    let mut order: Vec<(u32, u64)> = counts.iter().map(|(word, count)| (*count, *word)).collect();
    order.sort_unstable();
    let mut rank: HashMap<u64, u32, AsItIs> =
        HashMap::with_capacity_and_hasher(order.len(), AsItIs);
    rank.extend(order.iter().zip(0..).map(|((_, word), at)| (*word, at)));
    let ranked = |text: &Vec<u64>| {
        let mut set: Vec<u32> = text.iter().map(|word| rank[word]).collect();
        set.sort_unstable();
        set
    };
    texts.par_iter().map(ranked).collect()
}

/// The words of a text as a set of hashes (FNV-1a over lower case).
fn words(text: &str) -> Vec<u64> {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let (mut set, mut word, mut inside) = (Vec::new(), START, false);
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            inside = true;
            word = (word ^ u64::from(letter.to_ascii_lowercase())).wrapping_mul(PRIME);
        } else if letter.is_alphanumeric() {
            inside = true;
            for lower in letter.to_lowercase() {
                word = (word ^ u64::from(lower)).wrapping_mul(PRIME);
            }
        } else if inside {
            set.push(word);
            (word, inside) = (START, false);
        }
    }
    if inside {
        set.push(word);
    }
    set.sort_unstable();
    set.dedup();
    set
}

/// A hasher for keys that are already hashes.
#[derive(Clone, Copy, Default)]
struct AsItIs;

impl std::hash::BuildHasher for AsItIs {
    type Hasher = Same;

    fn build_hasher(&self) -> Same {
        Same(0)
    }
}

struct Same(u64);

impl std::hash::Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
