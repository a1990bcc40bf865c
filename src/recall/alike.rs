//! Texts that mean nearly the same: vectors whose cosine is high.
//!
//! Invariant: linear in the number of vectors; what is alike is only pointed out, never merged.
//! Found by random hyperplanes ("Similarity Estimation Techniques from Rounding Algorithms",
//! Charikar, 2002), turned by Hadamard transforms ("Practical and Optimal LSH for Angular
//! Distance", Andoni et al., 2015): of ten pairs at the threshold one is missed, of a hundred well
//! above it none.

use super::{similar::met, vectors::Vectors};
use rayon::prelude::*;

/// The cosine from which two texts may be one fact. Measured with the built-in table.
pub const ALIKE: f32 = 0.9;
/// Random turns of each vector, which gives as many signs times its dimensions.
const TURNS: usize = 4;
/// Buckets for sixteen times as many vectors as there are: most that meet by chance do not meet.
const ROOM: usize = 4;
/// Pairs of vectors that are alike, the later one first, in order, with their cosines.
pub fn pairs(vectors: &Vectors) -> Vec<(u32, u32, f32)> {
    let count = vectors.len();
    let signs: Vec<Vec<u64>> =
        (0..count).into_par_iter().map(|at| signs(vectors.values(at))).collect();
    let length = signs.iter().map(Vec::len).max().unwrap_or(0) * 64;
    let bits = (count.max(1).ilog2() as usize + ROOM).clamp(8, 20);
    let bands: Vec<usize> = (0..length / bits).collect();
    let mut pairs: Vec<(u32, u32)> = bands
        .par_iter()
        .flat_map_iter(|band| in_band(band * bits, bits, &signs, vectors))
        .collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    let cosine = |(a, b): (u32, u32)| (a, b, vectors.cosine(a as usize, b as usize));
    pairs.into_iter().map(cosine).collect()
}

/// As [`pairs`], of the vectors from a place on with those before it; all that are alike.
pub fn with(vectors: &Vectors, first: usize) -> Vec<(u32, u32, f32)> {
    let of_one = |at: usize| {
        let alike = move |other: usize| {
            let cosine = vectors.cosine(at, other);
            (cosine >= ALIKE).then_some((at as u32, other as u32, cosine))
        };
        (0..first).filter_map(alike)
    };
    (first..vectors.len()).into_par_iter().flat_map_iter(of_one).collect()
}

/// The pairs that are alike among those with the same signs from a place on.
fn in_band(from: usize, bits: usize, signs: &[Vec<u64>], vectors: &Vectors) -> Vec<(u32, u32)> {
    let sign = |signs: &[u64], at: usize| signs[at / 64] >> (at % 64) & 1;
    let key = |signs: &[u64]| (from..from + bits).fold(0, |key, at| key << 1 | sign(signs, at));
    let signed = signs.iter().enumerate().filter(|(_, signs)| !signs.is_empty());
    // The signs in the upper half, the place in the lower.
    let mut keys: Vec<u64> = signed.map(|(at, signs)| key(signs) << 32 | at as u64).collect();
    keys.sort_unstable();
    let mut pairs = Vec::new();
    for bucket in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        let bucket = bucket.iter().map(|key| *key as u32).collect();
        // In a crowd, those that say the same stand together.
        let by_value =
            |a: &u32, b: &u32| vectors.values(*a as usize).cmp(&vectors.values(*b as usize));
        let is_alike = |(a, b): &(u32, u32)| vectors.cosine(*a as usize, *b as usize) >= ALIKE;
        pairs.extend(met(bucket, by_value).into_iter().filter(is_alike));
    }
    pairs
}

/// On which sides of random hyperplanes a vector is; none for one without meaning.
fn signs(values: Option<&[i8]>) -> Vec<u64> {
    let Some(values) = values else { return Vec::new() };
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let turned: Vec<f32> = (0..TURNS).flat_map(|_| turned(values, &mut state)).collect();
    let sides = |some: &[f32]| {
        some.iter().enumerate().fold(0, |sides, (at, value)| sides | u64::from(*value > 0.0) << at)
    };
    turned.chunks_exact(64).map(sides).collect()
}

/// A vector after a fixed random turn: signs changed by a pseudo-random sequence, then a fast
/// Walsh-Hadamard transform, twice.
fn turned(values: &[i8], state: &mut u64) -> Vec<f32> {
    let length = values.len().next_power_of_two();
    let mut turned: Vec<f32> = values.iter().map(|value| f32::from(*value)).collect();
    turned.resize(length, 0.0);
    for _ in 0..2 {
        for value in &mut turned {
            // xorshift64 (Marsaglia, 2003)
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            if *state & 1 << 32 != 0 {
                *value = -*value;
            }
        }
        transform(&mut turned);
    }
    turned
}

fn transform(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_exact_mut(2 * half) {
            let (left, right) = block.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::embed;

    #[test]
    fn the_same_in_other_words_is_found_among_many() {
        let mut texts: Vec<String> =
            (0..500).map(|n| format!("fact {n} about subject {}", n * 7919 % 1000)).collect();
        texts.push("Builds command line tools with typer".into());
        texts.push("Lives in Berlin with two cats".into());
        texts.push("Builds command-line tools using typer".into());
        let vectors: Vectors = texts.iter().map(|text| embed::embed(text).packed()).collect();
        let found = pairs(&vectors);
        assert!(found.iter().any(|(a, b, _)| (*a, *b) == (502, 500)));
        assert!(!found.iter().any(|(a, b, _)| *a == 501 || *b == 501));
    }

    #[test]
    fn few_pairs_at_the_threshold_are_missed() {
        let words = ["tea", "rust", "berlin", "trains", "music", "python", "coffee", "winter"];
        let text = |n: usize| -> String {
            (0..14)
                .map(|at| words[(n * 31 + at * at * 7 + n / 8) % 8])
                .collect::<Vec<_>>()
                .join(" ")
        };
        let vectors: Vectors = (0..400).map(|n| embed::embed(&text(n)).packed()).collect();
        let mut all = 0;
        for a in 0..400 {
            all += (0..a).filter(|b| vectors.cosine(a, *b) >= ALIKE).count();
        }
        let found = pairs(&vectors).len();
        assert!(all > 100 && found as f64 >= 0.98 * all as f64, "{found} of {all}");
    }
}
