//! What is close to a text when nothing equals it: a fact that says much the same as a new one, and
//! the facts whose words are spelt most like those of a question without an answer.
//!
//! Invariant: pure; only ever shown to a person, never merged or counted as an answer.

use super::{
    Candidate,
    tokens::{self, Stems},
};
use std::collections::{BTreeSet, HashMap};

/// The share of stems (Jaccard) from which two facts may be the same one in other words. Lower than
/// for whole identities, because a person sees one pair and decides.
const LIKE: f64 = 0.6;
/// Two facts with fewer different words say too little to be compared by them.
const FEWEST: usize = 3;
/// The share of letter pairs (Dice) from which two words may be one, misspelt.
const SPELT_LIKE: f64 = 0.5;

/// The one of `texts` that says much the same as `text`.
pub fn most_like<'a>(text: &str, texts: impl Iterator<Item = &'a str>) -> Option<usize> {
    let stems = Stems::default();
    let mine = content(text, &stems);
    if mine.len() < FEWEST {
        return None;
    }
    let share = |other: &str| {
        let other = content(other, &stems);
        let common = mine.intersection(&other).count();
        common as f64 / (mine.len() + other.len() - common) as f64
    };
    let shares = texts.map(share).enumerate().filter(|(_, share)| *share >= LIKE);
    shares.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(at, _)| at)
}

fn content(text: &str, stems: &Stems) -> BTreeSet<String> {
    let words = tokens::words(text).into_iter().filter(|word| !tokens::is_stop_word(word));
    words.map(|word| stems.of(&word)).collect()
}

/// The candidates with words spelt most like the query's, best first.
pub fn spelt_like(query: &str, candidates: &[Candidate], limit: usize) -> Vec<usize> {
    let asked: Vec<Vec<(char, char)>> = tokens::words(query)
        .iter()
        .filter(|word| !tokens::is_stop_word(word))
        .map(|word| pairs(word))
        .collect();
    let mut known: HashMap<String, f64> = HashMap::new();
    let mut score = |word: String| {
        let best = |word: &str| {
            let pairs = pairs(word);
            asked.iter().map(|asked| dice(asked, &pairs)).fold(0.0, f64::max)
        };
        *known.entry(word).or_insert_with_key(|word| best(word))
    };
    let mut scored: Vec<(f64, usize)> = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let words = tokens::words(&candidate.body);
        let tags = candidate.tags.iter().flat_map(|tag| tokens::words(tag));
        let best = words.into_iter().chain(tags).map(&mut score).fold(0.0, f64::max);
        if best >= SPELT_LIKE {
            scored.push((best, at));
        }
    }
    let newer = |at: usize| std::cmp::Reverse(candidates[at].created);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(newer(a.1).cmp(&newer(b.1))));
    scored.into_iter().take(limit).map(|(_, at)| at).collect()
}

/// The pairs of neighbouring letters, sorted.
fn pairs(word: &str) -> Vec<(char, char)> {
    let letters: Vec<char> = word.chars().collect();
    let mut pairs: Vec<(char, char)> = letters.windows(2).map(|two| (two[0], two[1])).collect();
    pairs.sort_unstable();
    pairs
}

/// Twice the common ones over all (Sørensen and Dice).
fn dice(a: &[(char, char)], b: &[(char, char)]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    2.0 * common as f64 / (a.len() + b.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_in_other_words_is_like_and_a_shared_word_is_not() {
        let texts = ["Prefers tea", "I prefer async/await over callbacks", "Prefers coffee black"];
        let like = |text: &str| most_like(text, texts.into_iter());
        assert_eq!(like("prefers async and await to callbacks"), Some(1));
        assert_eq!(like("Prefers walking over driving"), None);
        assert_eq!(like("Prefers"), None);
    }

    #[test]
    fn a_misspelt_word_finds_its_fact() {
        let fact = |body: &str, tag: &str, created| Candidate {
            source: String::new(),
            body: body.into(),
            tags: vec![tag.into()],
            created,
        };
        let facts =
            [fact("Likes trains", "", 1), fact("Runs kubernetes", "", 2), fact("Helm", "kube", 3)];
        assert_eq!(spelt_like("kubernets", &facts, 3), [1, 2]);
        assert!(spelt_like("zebra", &facts, 3).is_empty());
    }
}
