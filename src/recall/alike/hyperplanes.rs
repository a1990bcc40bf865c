//! Finds vectors with a high cosine similarity.
//!
//! Invariant: pure; linear in the number of vectors. Found by random hyperplanes ("Similarity
//! Estimation Techniques from Rounding Algorithms", Charikar, 2002), rotated by Hadamard transforms
//! ("Practical and Optimal LSH for Angular Distance", Andoni et al., 2015): one in ten pairs at the
//! threshold is missed, none in a hundred well above it. In a crowd, neighbours in an order are
//! compared ("The Merge/Purge Problem for Large Databases", Hernández and Stolfo, 1995).

use crate::recall::vectors::Vectors;
use rayon::prelude::*;

/// The cosine from which two texts may be the same fact. Measured with the built-in table.
const ALIKE: f32 = 0.9;
/// Random rotations of each vector; each gives as many sign bits as it has dimensions.
const TURNS: usize = 4;
/// Extra bits: with sixteen buckets per vector, few unrelated vectors share one.
const ROOM: usize = 4;
/// In a larger bucket, each vector is compared only with its neighbours in the order of values.
const CROWD: usize = 64;
/// How many of those neighbours.
const WINDOW: usize = 8;

/// Pairs of similar vectors, the later one first, in order, with their cosines.
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

/// Like [`pairs`], but exhaustive: the vectors from `first` on against those before it.
pub fn with(vectors: &Vectors, first: usize) -> Vec<(u32, u32, f32)> {
    let heads = vectors.heads(first);
    let of_one = |at: usize| {
        let near = vectors.near(at, &heads, ALIKE).into_iter();
        near.map(move |(other, cosine)| (at as u32, other as u32, cosine))
    };
    (first..vectors.len()).into_par_iter().flat_map_iter(of_one).collect()
}

/// The similar pairs among the vectors whose `bits` signs from `from` on are equal.
fn in_band(from: usize, bits: usize, signs: &[Vec<u64>], vectors: &Vectors) -> Vec<(u32, u32)> {
    let sign = |signs: &[u64], at: usize| signs[at / 64] >> (at % 64) & 1;
    let key = |signs: &[u64]| (from..from + bits).fold(0, |key, at| key << 1 | sign(signs, at));
    let signed = signs.iter().enumerate().filter(|(_, signs)| !signs.is_empty());
    // The signs in the upper half, the index in the lower.
    let mut keys: Vec<u64> = signed.map(|(at, signs)| key(signs) << 32 | at as u64).collect();
    keys.sort_unstable();
    let mut pairs = Vec::new();
    for bucket in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        let bucket = bucket.iter().map(|key| *key as u32).collect();
        let is_alike = |(a, b): &(u32, u32)| vectors.cosine(*a as usize, *b as usize) >= ALIKE;
        pairs.extend(met(bucket, vectors).into_iter().filter(is_alike));
    }
    pairs
}

/// The pairs of a bucket to be compared, the later one first: all, or in a crowd only neighbours.
fn met(mut bucket: Vec<u32>, vectors: &Vectors) -> Vec<(u32, u32)> {
    let reach = if bucket.len() > CROWD { WINDOW } else { CROWD };
    if bucket.len() > CROWD {
        // Puts equal vectors next to each other.
        let signed = |at: u32| {
            let values = vectors.values(at as usize).into_iter().flatten();
            values.map(|value| value.cast_signed())
        };
        bucket.sort_unstable_by(|a, b| signed(*a).cmp(signed(*b)));
    }
    let mut pairs = Vec::new();
    for (n, one) in bucket.iter().enumerate() {
        let near = bucket[n.saturating_sub(reach)..n].iter();
        pairs.extend(near.map(|other| (*one.max(other), *one.min(other))));
    }
    pairs
}

/// The sides of random hyperplanes that a vector is on; empty for a zero vector.
fn signs(values: Option<&[u8]>) -> Vec<u64> {
    let Some(values) = values else { return Vec::new() };
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let turned: Vec<f32> = (0..TURNS).flat_map(|_| turned(values, &mut state)).collect();
    let sides = |some: &[f32]| {
        some.iter().enumerate().fold(0, |sides, (at, value)| sides | u64::from(*value > 0.0) << at)
    };
    turned.chunks_exact(64).map(sides).collect()
}

/// A vector after a fixed random rotation: pseudo-random sign flips followed by a fast
/// Walsh-Hadamard transform, twice.
fn turned(values: &[u8], state: &mut u64) -> Vec<f32> {
    let length = values.len().next_power_of_two();
    let mut turned: Vec<f32> = values.iter().map(|value| f32::from(value.cast_signed())).collect();
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
