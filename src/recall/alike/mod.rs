//! Facts that say nearly the same: the cosine of their meaning is high, and none has a number,
//! identifier or name that the other lacks (`distinct`).
//!
//! Invariant: pure; similar facts are only reported to a person, never merged or counted as an
//! answer. Linear in the number of facts (see `hyperplanes`). `opposed` finds those that say
//! different things of one subject.

pub mod distinct;
mod hyperplanes;
pub mod opposed;

use super::{
    embed::{self, BuiltIn},
    vectors::{Packed, Vectors},
};
use crate::identity::Memory;
use distinct::are_apart;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The cosine from which a new fact may be one that is there, in other words. Lower than among all
/// facts, because a person sees a single pair and decides.
const LIKE: f32 = 0.85;
/// The cosine below which two short facts have no subject in common.
const NEAR: f32 = 0.3;
/// Of facts with fewer different words, many are close in meaning and not the same.
const FEWEST: usize = 4;
/// With this many old texts per new one, comparing all is faster than looking for candidates.
const BRUTE_FORCE_RATIO: usize = 64;

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
    /// The cosine of their meaning, at most 1.
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
    let end = if first == 0 { all.len() } else { first };
    let fits = |(at, other, score): (u32, u32, f32)| {
        let (at, other) = (at as usize, other as usize);
        let (newer, older) = (all[at], all[other]);
        let is_asked = at >= first && other < end && newer.hash != older.hash;
        let is_like = is_asked
            && says_enough(newer.text())
            && says_enough(older.text())
            && !are_apart(newer.text(), older.text())
            && !opposed::says_otherwise(newer.text(), older.text());
        is_like.then_some((at, other, f64::from(score)))
    };
    let vectors = vectors(all, known);
    let is_few = (all.len() - first) * BRUTE_FORCE_RATIO <= all.len();
    let pairs =
        if is_few { hyperplanes::with(&vectors, first) } else { hyperplanes::pairs(&vectors) };
    let pairs: Vec<(usize, usize, f64)> = pairs.into_par_iter().filter_map(fits).collect();
    let mut best: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
    for (at, other, score) in pairs {
        let known = best.entry(at).or_insert((other, score));
        if score > known.1 {
            *known = (other, score);
        }
    }
    best.into_iter().map(|(newer, (older, score))| Pair { newer, older, score }).collect()
}

fn says_enough(text: &str) -> bool {
    let words: BTreeSet<String> = opposed::words(text).into_iter().collect();
    words.len() >= FEWEST
}

/// In the order of the memories.
pub fn vectors(all: &[&Memory], known: &VectorCache) -> Vectors {
    let vector = |memory: &&Memory| match known.get(&memory.hash.hash_prefix()) {
        Some(known) => known.clone(),
        None => embed::embed(memory.text()).packed(),
    };
    all.par_iter().map(vector).collect::<Vec<Packed>>().into_iter().collect()
}

/// The one of `others` that says much the same as `text`. Each has the cosine of its meaning with
/// that of `text`.
pub fn most_like(text: &str, others: &[(&str, f32)]) -> Option<usize> {
    let near = others.iter().enumerate();
    let near = near.filter(|(_, (other, cosine))| {
        *cosine >= LIKE && !are_apart(other, text) && !opposed::says_otherwise(other, text)
    });
    near.max_by(|(at, a), (than, b)| a.1.total_cmp(&b.1).then(than.cmp(at))).map(|(at, _)| at)
}

/// The cosine from which [`most_like`] can choose another text for this one, or the other can say
/// something else of the same subject.
pub fn least_near(text: &str) -> f32 {
    if opposed::can_be_opposed(text) { NEAR } else { LIKE }
}

/// The cosine of the meaning of each text with that of `text`.
pub fn cosines(text: &str, texts: &[&str]) -> Vec<f32> {
    let mut embedder = BuiltIn::default();
    let mine = embedder.vector(text).packed();
    let vectors: Vectors = texts.iter().map(|text| embedder.vector(text).packed()).collect();
    vectors.cosines(&mine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{RelPath, Stamp, memory::new_file};

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
            [(Some(3), Some(1), 0.99)]
        );
        let (new, old): (Vec<&Memory>, Vec<&Memory>) =
            memories.iter().partition(|memory| memory.id == Some(1));
        assert_eq!(nearest(&new, &old, &VectorCache::new()).len(), 1);
    }

    #[test]
    fn in_a_crowd_of_texts_from_one_template_the_same_is_found() {
        let text =
            |n: u64| format!("keep answers about thing{n} short and show what other{n} does");
        let mut memories: Vec<Memory> = (0..1_000).map(|n| memory(n + 1, &text(n))).collect();
        memories
            .push(memory(2_000, "Keep answers about thing500 short and show what other500 did"));
        let all = by_age(&memories);
        let found = described(&all, &pairs(&all, &VectorCache::new()));
        let ids: Vec<_> = found.iter().map(|pair| (pair.id, pair.other_id)).collect();
        assert_eq!(ids, [(Some(2_000), Some(501))]);
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

    #[test]
    fn the_same_in_other_words_is_like_and_a_shared_word_is_not() {
        let texts = ["Prefers tea", "I prefer async/await over callbacks", "Prefers coffee black"];
        let most_like = |text: &str, texts: &[&str]| {
            let cosines = cosines(text, texts);
            let others: Vec<(&str, f32)> = texts.iter().copied().zip(cosines).collect();
            most_like(text, &others)
        };
        let like = |text: &str| most_like(text, &texts);
        assert_eq!(like("prefers async and await to callbacks"), Some(1));
        assert_eq!(like("Prefers walking over driving"), None);
        assert_eq!(like("Prefers"), None);
        let texts = ["Edits with neovim on every laptop"];
        assert_eq!(most_like("Uses neovim on all laptops", &texts), Some(0));
    }
}
