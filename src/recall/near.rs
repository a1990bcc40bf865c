//! Suggestions: the existing memory most similar to a new one, and "did you mean" results for a
//! query without hits.
//!
//! Invariant: pure; only ever shown to a person, never merged or counted as an answer.

use super::{
    corpus::{Corpus, Word},
    distinct::are_apart,
    embed::BuiltIn,
    tokens::{self, Stems},
    vectors::Vectors,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

/// The share of stems (Jaccard) from which two facts may be the same in other words. Lower than for
/// whole identities, because a person sees a single pair and decides.
const LIKE: f64 = 0.6;
/// The cosine from which two facts may be the same in other words; lower for the same reason.
const MEANS_LIKE: f32 = 0.85;
/// Facts with fewer distinct words have too few to be compared.
const FEWEST: usize = 3;
/// The share of letter pairs (Dice) from which one word may be a misspelling of the other.
const SPELT_LIKE: f64 = 0.5;

/// The one of `others` that says much the same as `text`: by words, or else by meaning. Each has
/// the cosine of its meaning with that of `text`.
pub fn most_like(text: &str, others: &[(&str, f32)]) -> Option<usize> {
    by_words(text, others).or_else(|| by_meaning(text, others))
}

/// The stems by which [`most_like`] compares a text.
pub fn stems(text: &str) -> BTreeSet<String> {
    Stemmed::default().content(text)
}

/// Whether [`most_like`] can choose a text, whose meaning has this cosine, and which has at most
/// `shared` of the `all` stems of the other one.
pub fn may_be_like(cosine: f32, shared: usize, all: usize) -> bool {
    cosine >= MEANS_LIKE || (all >= FEWEST && shared as f64 / all as f64 >= LIKE)
}

/// The cosine of the meaning of each text with that of `text`.
pub fn cosines(text: &str, texts: &[&str]) -> Vec<f32> {
    let mut embedder = BuiltIn::default();
    let mine = embedder.vector(text).packed();
    let vectors: Vectors = texts.iter().map(|text| embedder.vector(text).packed()).collect();
    vectors.cosines(&mine)
}

fn by_words(text: &str, others: &[(&str, f32)]) -> Option<usize> {
    let mut stemmed = Stemmed::default();
    let mine = stemmed.content(text);
    if mine.len() < FEWEST {
        return None;
    }
    let share = |(other, _): &(&str, f32)| {
        let other = stemmed.content(other);
        let common = mine.intersection(&other).count();
        common as f64 / (mine.len() + other.len() - common) as f64
    };
    let shares = others.iter().map(share).enumerate();
    let shares = shares.filter(|(at, share)| *share >= LIKE && !are_apart(others[*at].0, text));
    shares.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(at, _)| at)
}

fn by_meaning(text: &str, others: &[(&str, f32)]) -> Option<usize> {
    let near = others.iter().enumerate();
    let near = near.filter(|(_, (other, cosine))| *cosine >= MEANS_LIKE && !are_apart(other, text));
    near.max_by(|(at, a), (than, b)| a.1.total_cmp(&b.1).then(than.cmp(at))).map(|(at, _)| at)
}

/// Finds the stem of each word once: texts that are near share many.
#[derive(Default)]
struct Stemmed {
    stems: Stems,
    known: HashMap<String, String>,
}

impl Stemmed {
    fn content(&mut self, text: &str) -> BTreeSet<String> {
        let words = tokens::words(text).into_iter().filter(|word| !tokens::is_stop_word(word));
        let Stemmed { stems, known } = self;
        let stem = |word: String| match known.get(&word) {
            Some(stem) => stem.clone(),
            None => {
                let stem = stems.stem(&word);
                known.insert(word, stem.clone());
                stem
            }
        };
        words.map(stem).collect()
    }
}

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
        assert_eq!(most_like("Uses neovim on all laptops", &texts), Some(0), "by meaning");
    }

    #[test]
    fn what_is_most_like_may_be_like_by_its_stems() {
        let texts = [
            "prefers async and await to callbacks",
            "I prefer async/await over callbacks",
            "Uses neovim on all laptops",
            "Edits with neovim on every laptop",
            "Runs the server at home",
            "Runs the old server and the new server at home, with backups",
            "the and",
            "",
        ];
        let mut found = 0;
        for text in texts {
            let own = stems(text);
            for (other, cosine) in texts.iter().copied().zip(cosines(text, &texts)) {
                let shared = own.intersection(&stems(other)).count();
                if most_like(text, &[(other, cosine)]).is_some() {
                    found += 1;
                    assert!(may_be_like(cosine, shared, own.len()), "{text}: {other}");
                    assert!(may_be_like(0.0, own.len(), own.len()) || own.len() < FEWEST);
                }
            }
        }
        assert!(found > texts.len() && found < texts.len() * texts.len(), "{found}");
        assert!(!may_be_like(0.84, 2, 4) && may_be_like(0.86, 0, 4) && may_be_like(0.0, 3, 5));
    }

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
