//! Memories that say nearly the same: by the share of their common words (Jaccard), or by meaning
//! (see `alike`).
//!
//! Invariant: exact for the word threshold, except among texts that share only common words (see
//! [`CROWD`]), so that the work stays linear; similar texts are only reported, never merged.
//! Sources of the prefix bound: "Scaling Up All Pairs Similarity Search" (Bayardo et al., 2007),
//! and for more than one shared word "Can we beat the prefix filtering?" (Wang et al., 2012); of
//! the window: "The Merge/Purge Problem for Large Databases" (Hernández and Stolfo, 1995).

use super::{
    alike,
    distinct::are_apart,
    embed,
    vectors::{Packed, Vectors},
    wordsets::by_rarity,
};
use crate::identity::Memory;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Texts that share at least this much of their words are similar.
pub const THRESHOLD: f64 = 0.8;
/// Texts with fewer distinct words are too short to be compared by words.
const FEWEST: usize = 4;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Similar {
    /// The number of the newer one.
    pub id: Option<u64>,
    pub path: String,
    pub other_id: Option<u64>,
    pub other: String,
    /// As much of the other's first line as a terminal may have room for.
    #[serde(skip)]
    pub other_line: String,
    pub other_path: String,
    /// The share of common words, 0 to 1.
    pub score: f64,
}

/// Cached vectors of texts by [`crate::identity::ContentHash::hash_prefix`].
pub type VectorCache = HashMap<u64, Packed>;

/// Two memories by their index in a list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    pub newer: usize,
    pub older: usize,
    pub score: f64,
}

/// For each new memory, the most similar old one at or above the threshold.
pub fn nearest(new: &[&Memory], old: &[&Memory], known: &VectorCache) -> Vec<Similar> {
    if new.is_empty() || old.is_empty() {
        return Vec::new();
    }
    let all: Vec<&Memory> = old.iter().chain(new).copied().collect();
    described(&all, &best_earlier(&all, old.len(), known))
}

/// Sorted by age, oldest first.
pub fn by_age(memories: &[Memory]) -> Vec<&Memory> {
    let mut all: Vec<&Memory> = memories.iter().collect();
    all.sort_by_key(|memory| (memory.created, memory.hash));
    all
}

/// For each memory, in order of age, the most similar older one at or above the threshold.
pub fn pairs(all: &[&Memory], known: &VectorCache) -> Vec<Pair> {
    best_earlier(all, 0, known)
}

/// The pairs in the form that is shown.
pub fn described(all: &[&Memory], pairs: &[Pair]) -> Vec<Similar> {
    pairs.iter().map(|found| pair(all[found.newer], all[found.older], found.score)).collect()
}

fn pair(memory: &Memory, other: &Memory, score: f64) -> Similar {
    Similar {
        id: memory.id,
        path: memory.path.to_string(),
        other_id: other.id,
        other: other.summary(),
        other_line: other.first_line(),
        other_path: other.path.to_string(),
        score: (score * 100.0).floor() / 100.0,
    }
}

/// For each text from `first` on, the best partner before it, or before `first` if that is not 0.
fn best_earlier(all: &[&Memory], first: usize, known: &VectorCache) -> Vec<Pair> {
    let words = by_rarity(all);
    let by_words = by_words(all, first, &words);
    let mut best: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
    for (at, other, score) in by_words.into_iter().chain(by_meaning(all, first, &words, known)) {
        let known = best.entry(at).or_insert((other, score));
        if score > known.1 {
            *known = (other, score);
        }
    }
    best.into_iter().map(|(newer, (older, score))| Pair { newer, older, score }).collect()
}

/// The end of the range of possible partners for texts from `first` on.
fn end_of_partners(all: &[&Memory], first: usize) -> usize {
    if first == 0 { all.len() } else { first }
}

fn by_words(all: &[&Memory], first: usize, words: &[Vec<u32>]) -> Vec<(usize, usize, f64)> {
    let score = |(at, other): &(u32, u32)| {
        let (at, other) = (*at as usize, *other as usize);
        let (mine, theirs) = (&words[at], &words[other]);
        let near = theirs.len() as f64 >= THRESHOLD * mine.len() as f64;
        let score = if near && all[at].hash != all[other].hash { share(mine, theirs) } else { 0.0 };
        let is_like = score >= THRESHOLD && !are_apart(all[at].text(), all[other].text());
        is_like.then_some((at, other, score))
    };
    let last = end_of_partners(all, first);
    candidates(words, first, last).par_iter().filter_map(score).collect()
}

fn by_meaning(
    all: &[&Memory],
    first: usize,
    words: &[Vec<u32>],
    known: &VectorCache,
) -> Vec<(usize, usize, f64)> {
    let last = end_of_partners(all, first);
    let fits = |(at, other, _): &(usize, usize, f64)| {
        let says_enough = words[*at].len().min(words[*other].len()) >= FEWEST;
        let is_asked = *at >= first && *other < last && says_enough;
        is_asked
            && all[*at].hash != all[*other].hash
            && !are_apart(all[*at].text(), all[*other].text())
    };
    let vectors = vectors(all, known);
    let is_few = (all.len() - first) * BRUTE_FORCE_RATIO <= all.len();
    let pairs = if is_few { alike::with(&vectors, first) } else { alike::pairs(&vectors) };
    let pairs = pairs.into_iter();
    pairs.map(|(at, other, cos)| (at as usize, other as usize, cos.into())).filter(fits).collect()
}

/// In the order of the memories.
pub fn vectors(all: &[&Memory], known: &VectorCache) -> Vectors {
    let vector = |memory: &&Memory| match known.get(&memory.hash.hash_prefix()) {
        Some(known) => known.clone(),
        None => embed::embed(memory.text()).packed(),
    };
    all.par_iter().map(vector).collect::<Vec<Packed>>().into_iter().collect()
}

/// Pairs of texts, the later one first, that share two of their rarest words; sorted.
fn candidates(words: &[Vec<u32>], first: usize, last: usize) -> Vec<(u32, u32)> {
    let asked = rarest(&words[first..]);
    let keyed = |(at, set): (usize, &Vec<u32>)| -> Vec<(u64, u32)> {
        // Two words that no later text has are no reason to compare with one.
        let is_asked = |word: &u32| asked.get(*word as usize).copied().unwrap_or(false);
        let rare: Vec<u32> = prefix(set).iter().copied().filter(is_asked).collect();
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let pairs = rare.iter().enumerate().flat_map(|(n, a)| {
            rare[n + 1..].iter().map(move |b| (u64::from(*a) << 32 | u64::from(*b), at))
        });
        pairs.collect()
    };
    let mut keys: Vec<(u64, u32)> = words.par_iter().enumerate().flat_map_iter(keyed).collect();
    keys.par_sort_unstable();
    let mut pairs = Vec::new();
    for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let group = group.iter().map(|(_, at)| *at).collect();
        let fits =
            |(later, earlier): &(u32, u32)| *later as usize >= first && (*earlier as usize) < last;
        let by_words = |a: &u32, b: &u32| words[*a as usize].cmp(&words[*b as usize]);
        pairs.extend(met(group, by_words).into_iter().filter(fits));
    }
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

/// For each word, whether it is among the rarest of one of these texts.
fn rarest(words: &[Vec<u32>]) -> Vec<bool> {
    let most = words.iter().filter_map(|set| prefix(set).last()).max();
    let mut is_rare = vec![false; most.map_or(0, |most| *most as usize + 1)];
    for word in words.iter().flat_map(|set| prefix(set)) {
        is_rare[*word as usize] = true;
    }
    is_rare
}

/// The pairs of a group to be compared, the later one first: all, or in a crowd only neighbours in
/// the given order.
pub(super) fn met(
    mut group: Vec<u32>,
    order: impl Fn(&u32, &u32) -> std::cmp::Ordering,
) -> Vec<(u32, u32)> {
    let reach = if group.len() > CROWD { WINDOW } else { CROWD };
    if group.len() > CROWD {
        group.sort_unstable_by(order);
    }
    let mut pairs = Vec::new();
    for (n, one) in group.iter().enumerate() {
        let near = group[n.saturating_sub(reach)..n].iter();
        pairs.extend(near.map(|other| (*one.max(other), *one.min(other))));
    }
    pairs
}

/// With this many old texts per new one, comparing all is faster than looking for candidates.
const BRUTE_FORCE_RATIO: usize = 64;

/// If more texts than this share two of their rarest words, those words are common, and each text
/// is compared only with its neighbours in the order of their rarest words.
const CROWD: usize = 64;
/// How many of those neighbours.
const WINDOW: usize = 8;

/// How many of their rarest words two texts must share to be compared.
const SHARED: usize = 2;

/// Two similar sets share at least [`SHARED`] of these words. Empty for a text that is too short.
fn prefix(set: &[u32]) -> &[u32] {
    if set.len() < FEWEST {
        return &[];
    }
    let common = (THRESHOLD * set.len() as f64).ceil() as usize;
    &set[..(set.len() - common + SHARED).min(set.len())]
}

/// The Jaccard similarity of two sorted sets; 0 as soon as the threshold is out of reach. The
/// rarest words come first, so different texts stop after a few steps.
fn share(a: &[u32], b: &[u32]) -> f64 {
    let least = (THRESHOLD / (1.0 + THRESHOLD) * (a.len() + b.len()) as f64 - 1e-9).ceil() as usize;
    if least > a.len() || least > b.len() {
        return 0.0;
    }
    let (spare_a, spare_b) = (a.len() - least, b.len() - least);
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
        if i - common > spare_a || j - common > spare_b {
            return 0.0;
        }
    }
    common as f64 / (a.len() + b.len() - common) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{RelPath, Stamp, memory::new_file};

    fn plain(a: &[u32], b: &[u32]) -> f64 {
        let common = a.iter().filter(|word| b.contains(word)).count();
        common as f64 / (a.len() + b.len() - common) as f64
    }

    fn memory(n: u64, text: &str) -> Memory {
        let file = new_file(n, Stamp::from_micros(n as i64), &[], "user-told", text);
        Memory::read(
            &RelPath::known(&format!("knowledge/memories/{n:03}-x.md")),
            &file.into_bytes().into(),
        )
        .expect("readable")
    }

    #[test]
    fn alike_texts_are_found_and_others_are_not() {
        let texts = [
            "Always run uv sync before pytest in this repo",
            "Runs on coffee",
            "always run uv sync before pytest, in this repo!",
            "Prefers tabs over spaces",
        ];
        let memories: Vec<Memory> =
            texts.iter().enumerate().map(|(n, text)| memory(n as u64 + 1, text)).collect();
        let all = by_age(&memories);
        let found = described(&all, &pairs(&all, &VectorCache::new()));
        assert_eq!(
            found.iter().map(|pair| (pair.id, pair.other_id, pair.score)).collect::<Vec<_>>(),
            [(Some(3), Some(1), 1.0)]
        );
        let (new, old): (Vec<&Memory>, Vec<&Memory>) =
            memories.iter().partition(|memory| memory.id == Some(1));
        assert_eq!(nearest(&new, &old, &VectorCache::new()).len(), 1);
    }

    #[test]
    fn a_crowd_of_texts_from_one_template_costs_no_more_than_its_size() {
        let text =
            |n: u64| format!("keep answers about thing{n} short and show what other{n} does");
        let mut memories: Vec<Memory> = (0..1_000).map(|n| memory(n + 1, &text(n))).collect();
        memories
            .push(memory(2_000, "Keep answers about thing500 short and show what other500 did"));
        let sets = by_rarity(&memories.iter().collect::<Vec<_>>());
        let looked_at = candidates(&sets, 0, memories.len()).len();
        assert!(looked_at < 50 * memories.len(), "{looked_at} pairs");
        let all = by_age(&memories);
        let found = described(&all, &pairs(&all, &VectorCache::new()));
        let ids: Vec<_> = found.iter().map(|pair| (pair.id, pair.other_id)).collect();
        assert_eq!(ids, [(Some(2_000), Some(501))]);
    }

    #[test]
    fn the_prefix_bound_misses_nothing() {
        // Also compares every pair by brute force.
        let letter = |n: u64| String::from(char::from(b'a' + u8::try_from(n).expect("a letter")));
        let text = |n: u64| {
            (0..10)
                .map(|k| letter((n * 7 + k * (n % 3 + 1)) % 23).repeat(4))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let memories: Vec<Memory> = (0..60).map(|n| memory(n + 1, &text(n))).collect();
        let all: Vec<&Memory> = memories.iter().collect();
        let sets = by_rarity(&all);
        let slow = (0..60)
            .filter(|at| sets[*at].len() >= FEWEST)
            .filter(|at| {
                (0..*at).any(|other| {
                    memories[other].hash != memories[*at].hash
                        && sets[other].len() >= FEWEST
                        && plain(&sets[*at], &sets[other]) >= THRESHOLD
                })
            })
            .count();
        assert!(slow > 0, "the sample has pairs");
        let found: std::collections::BTreeSet<usize> =
            by_words(&all, 0, &sets).into_iter().map(|(at, ..)| at).collect();
        assert_eq!(found.len(), slow);
    }

    #[test]
    fn other_words_for_the_same_are_alike_and_other_numbers_are_not() {
        let texts = [
            "Builds command line tools with typer",
            "The port of the server is 8080",
            "Builds command-line tools using typer",
            "The port of the server is 8081",
        ];
        let memories: Vec<Memory> =
            texts.iter().enumerate().map(|(n, text)| memory(n as u64 + 1, text)).collect();
        let all = by_age(&memories);
        let found = described(&all, &pairs(&all, &VectorCache::new()));
        let ids: Vec<_> = found.iter().map(|pair| (pair.id, pair.other_id)).collect();
        assert_eq!(ids, [(Some(3), Some(1))]);
    }
}
