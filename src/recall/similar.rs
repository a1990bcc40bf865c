//! Texts that say nearly the same, by wording: the share of words they have in common (Jaccard).
//!
//! Invariant: exact for the threshold; never merged by anybody, only pointed out. Source of the prefix bound: "Scaling Up All Pairs
//! Similarity Search" (Bayardo et al., 2007).

use crate::identity::Memory;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// From this share of common words on two texts are worth a look.
pub const THRESHOLD: f64 = 0.8;
/// Texts with fewer different words are too short to be compared by them.
const FEWEST: usize = 4;

/// A pair of texts that look alike.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Similar {
    /// The number of the newer one.
    pub id: Option<u64>,
    /// Its path.
    pub path: String,
    /// The number of the other.
    pub other_id: Option<u64>,
    /// The other's first line.
    pub other: String,
    /// The other's path.
    pub other_path: String,
    /// The share of common words, 0 to 1.
    pub score: f64,
}

/// For each new memory the old one that is most like it, from the threshold on.
pub fn nearest(new: &[&Memory], old: &[&Memory]) -> Vec<Similar> {
    let all: Vec<&Memory> = old.iter().chain(new).copied().collect();
    let best = best_earlier(&all, old.len());
    best.into_iter().map(|(at, (other, score))| pair(all[at], all[other], score)).collect()
}

/// For each memory, in order of age, the older one that is most like it, from the threshold on.
pub fn pairs(memories: &[Memory]) -> Vec<Similar> {
    let mut all: Vec<&Memory> = memories.iter().collect();
    all.sort_by_key(|memory| (memory.created, memory.hash));
    best_earlier(&all, 0).into_iter().map(|(at, (other, score))| pair(all[at], all[other], score)).collect()
}

fn pair(memory: &Memory, other: &Memory, score: f64) -> Similar {
    Similar {
        id: memory.id,
        path: memory.path.to_string(),
        other_id: other.id,
        other: other.summary(),
        other_path: other.path.to_string(),
        score: (score * 100.0).floor() / 100.0,
    }
}

/// For each text from `first` on, the best partner among the texts before it (before `first`, where that is given).
fn best_earlier(all: &[&Memory], first: usize) -> BTreeMap<usize, (usize, f64)> {
    let words: Vec<Vec<u32>> = by_rarity(all);
    let mut seen: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut best = BTreeMap::new();
    let mut last_asked: Vec<usize> = vec![usize::MAX; all.len()];
    for (at, mine) in words.iter().enumerate() {
        if mine.len() < FEWEST {
            continue;
        }
        // Two sets this alike share a word among the rarest few of each.
        let prefix = mine.len() - (THRESHOLD * mine.len() as f64).ceil() as usize + 1;
        if at >= first {
            let candidates = mine[..prefix].iter().filter_map(|word| seen.get(word)).flatten().copied();
            for other in candidates {
                if std::mem::replace(&mut last_asked[other], at) == at || all[other].hash == all[at].hash {
                    continue;
                }
                let score = share(mine, &words[other]);
                let better = best.get(&at).is_none_or(|(_, known)| score > *known);
                if score >= THRESHOLD && better {
                    best.insert(at, (other, score));
                }
            }
        }
        if first == 0 || at < first {
            for word in &mine[..prefix] {
                seen.entry(*word).or_default().push(at);
            }
        }
    }
    best
}

/// Each text as its set of words, the rarest first. A word is its rank by rarity, so that sets are sorted numbers.
fn by_rarity(all: &[&Memory]) -> Vec<Vec<u32>> {
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut texts: Vec<Vec<u32>> = Vec::with_capacity(all.len());
    for memory in all {
        let mut set = memory.with_text(|text| words(text, &mut known));
        set.sort_unstable();
        set.dedup();
        texts.push(set);
    }
    let mut counts = vec![0_u32; known.len()];
    for word in texts.iter().flatten() {
        counts[*word as usize] += 1;
    }
    let mut order: Vec<u32> = (0..u32::try_from(counts.len()).unwrap_or(u32::MAX)).collect();
    order.sort_by_key(|word| (counts[*word as usize], *word));
    let mut rank = vec![0_u32; order.len()];
    for (at, word) in order.iter().enumerate() {
        rank[*word as usize] = u32::try_from(at).unwrap_or(u32::MAX);
    }
    for set in &mut texts {
        set.iter_mut().for_each(|word| *word = rank[*word as usize]);
        set.sort_unstable();
    }
    texts
}

fn words(text: &str, known: &mut HashMap<String, u32>) -> Vec<u32> {
    let mut lower = String::new();
    let split = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    split
        .map(|word| {
            lower.clear();
            lower.extend(word.chars().flat_map(char::to_lowercase));
            if let Some(number) = known.get(lower.as_str()) {
                return *number;
            }
            let number = u32::try_from(known.len()).unwrap_or(u32::MAX);
            known.insert(lower.clone(), number);
            number
        })
        .collect()
}

/// The share of common numbers of two sorted sets.
fn share(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    common as f64 / (a.len() + b.len() - common) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{RelPath, Stamp, memory::new_file};

    fn memory(n: u64, text: &str) -> Memory {
        let file = new_file(n, Stamp::from_micros(n as i64), &[], "user-told", text);
        Memory::read(&RelPath::known(&format!("knowledge/memories/{n:03}-x.md")), &file.into_bytes().into()).expect("readable")
    }

    #[test]
    fn alike_texts_are_found_and_others_are_not() {
        let texts = [
            "Always run uv sync before pytest in this repo",
            "Runs on coffee",
            "always run uv sync before pytest, in this repo!",
            "Prefers tabs over spaces",
        ];
        let memories: Vec<Memory> = texts.iter().enumerate().map(|(n, text)| memory(n as u64 + 1, text)).collect();
        let found = pairs(&memories);
        assert_eq!(found.iter().map(|pair| (pair.id, pair.other_id, pair.score)).collect::<Vec<_>>(), [(Some(3), Some(1), 1.0)]);
        let (new, old): (Vec<&Memory>, Vec<&Memory>) = memories.iter().partition(|memory| memory.id == Some(1));
        assert_eq!(nearest(&new, &old).len(), 1);
    }

    #[test]
    fn the_prefix_bound_misses_nothing() {
        // Every pair is compared the slow way as well.
        let text = |n: u64| (0..10).map(|k| format!("w{}", (n * 7 + k * (n % 3 + 1)) % 23)).collect::<Vec<_>>().join(" ");
        let memories: Vec<Memory> = (0..60).map(|n| memory(n + 1, &text(n))).collect();
        let sets = by_rarity(&memories.iter().collect::<Vec<_>>());
        let slow = (0..60)
            .filter(|at| sets[*at].len() >= FEWEST)
            .filter(|at| {
                (0..*at).any(|other| {
                    memories[other].hash != memories[*at].hash && sets[other].len() >= FEWEST && share(&sets[*at], &sets[other]) >= THRESHOLD
                })
            })
            .count();
        assert!(slow > 0, "the sample has pairs");
        assert_eq!(pairs(&memories).len(), slow);
    }
}
