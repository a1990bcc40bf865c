//! "Did you mean": the facts with words that are spelt most like those of a query without hits.
//!
//! Invariant: pure; only ever shown to a person, never counted as an answer.

use super::{
    corpus::{Corpus, Word},
    tokens::{self, Stems},
};
use std::{cmp::Reverse, collections::BTreeMap};

/// The share of letter pairs (Dice) from which one word may be a misspelling of the other.
const SPELT_LIKE: f64 = 0.5;

/// The documents with words whose spelling is closest to the query's, best first.
pub fn spelt_like(query: &str, corpus: &dyn Corpus, limit: usize) -> Vec<usize> {
    let words = tokens::words(query).into_iter().filter(|word| !tokens::is_stop_word(word));
    let asked = words.map(|word| pairs(&word)).filter(|pairs| !pairs.is_empty());
    let asked: Vec<Vec<(char, char)>> = asked.collect();
    let Some(sieve) = Sieve::of(&asked) else { return Vec::new() };
    let like = |word: Word<'_>| {
        let pairs = pairs(word.text);
        asked.iter().map(|asked| dice(asked, &pairs)).fold(0.0, f64::max)
    };
    let stems = Stems::default();
    let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
    for word in corpus.words().all().filter(|word| sieve.lets_through(word.text)) {
        let like = like(word);
        if like < SPELT_LIKE {
            continue;
        }
        for posting in corpus.postings(&stems.stem(word.text)) {
            let score = scores.entry(posting.at as usize).or_default();
            *score = score.max(like);
        }
    }
    let mut scored: Vec<(usize, f64)> = scores.into_iter().collect();
    let documents = corpus.documents();
    let newer = |at: usize| (Reverse(documents[at].created), documents[at].hash_prefix);
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| newer(a.0).cmp(&newer(b.0))));
    scored.into_iter().take(limit).map(|(at, _)| at).collect()
}

/// The pairs of adjacent letters, sorted.
fn pairs(word: &str) -> Vec<(char, char)> {
    let letters: Vec<char> = word.chars().collect();
    let mut pairs: Vec<(char, char)> = letters.windows(2).map(|two| (two[0], two[1])).collect();
    pairs.sort_unstable();
    pairs
}

/// Twice the common pairs divided by all pairs (Sørensen and Dice).
fn dice(a: &[(char, char)], b: &[(char, char)]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    share(common, a.len() + b.len())
}

fn share(common: usize, all: usize) -> f64 {
    2.0 * common as f64 / all.max(1) as f64
}

/// How many kinds of pairs a [`Sieve`] tells apart.
const KINDS: usize = 256;

/// Holds back most words that are spelt unlike each one asked, without a list of their pairs.
struct Sieve {
    /// Whether a word that is asked has a pair of this kind.
    is_asked: [bool; KINDS],
    /// The fewest pairs of a word that is asked.
    fewest: usize,
}

impl Sieve {
    /// `None` if nothing is asked.
    fn of(asked: &[Vec<(char, char)>]) -> Option<Sieve> {
        let fewest = asked.iter().map(Vec::len).min()?;
        let mut is_asked = [false; KINDS];
        for (first, second) in asked.iter().flatten() {
            is_asked[kind(*first, *second)] = true;
        }
        Some(Sieve { is_asked, fewest })
    }

    /// Never false for a word that is spelt like one that is asked.
    fn lets_through(&self, word: &str) -> bool {
        let mut letters = word.chars();
        let Some(mut last) = letters.next() else { return false };
        let (mut all, mut common) = (0, 0);
        for letter in letters {
            common += usize::from(self.is_asked[kind(last, letter)]);
            all += 1;
            last = letter;
        }
        share(common, self.fewest + all) >= SPELT_LIKE
    }
}

fn kind(first: char, second: char) -> usize {
    (first as usize).wrapping_mul(31).wrapping_add(second as usize) % KINDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{Candidate, Collection};

    #[test]
    fn a_misspelt_word_finds_its_fact() {
        let fact = |body: &str, tag: &str, created| Candidate {
            body: body.into(),
            tags: vec![tag.into()],
            created,
            ..Candidate::default()
        };
        let facts =
            [fact("Likes trains", "", 1), fact("Runs kubernetes", "", 2), fact("Helm", "kube", 3)];
        let facts = Collection::new(&facts);
        assert_eq!(spelt_like("kubernets", &facts, 3), [1, 2]);
        assert!(spelt_like("zebra", &facts, 3).is_empty());
    }

    #[test]
    fn no_word_that_is_spelt_like_one_asked_is_held_back() {
        let words = [
            "kubernetes",
            "kubernets",
            "kube",
            "cube",
            "tea",
            "teapot",
            "te",
            "t",
            "",
            "thé",
            "東京",
            "東京都",
            "ferry",
            "fery",
            "ferries",
            "banana",
            "bananas",
            "nana",
            "aaaa",
            "aa",
        ];
        let mut held_back = 0;
        for one in words {
            for other in words {
                let asked: Vec<Vec<(char, char)>> =
                    [one, other].map(pairs).into_iter().filter(|pairs| !pairs.is_empty()).collect();
                let Some(sieve) = Sieve::of(&asked) else { continue };
                for word in words {
                    let own = pairs(word);
                    let is_like = asked.iter().any(|asked| dice(asked, &own) >= SPELT_LIKE);
                    assert!(!is_like || sieve.lets_through(word), "{one} {other} {word}");
                    held_back += usize::from(!sieve.lets_through(word));
                }
            }
        }
        assert!(held_back > 4_000, "{held_back}");
    }
}
