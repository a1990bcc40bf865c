//! Spelling correction of query words, including joined and split words.
//!
//! Invariant: pure; a word that the collection knows is never changed, nor is a number.

use super::{
    corpus::{self, Word},
    wordpiece,
};

/// What a repaired word counts, beside one that is there.
pub const REPAIRED: f64 = 0.8;
/// What the longer words count that begin with the last one asked for.
pub const BEGINS: f64 = 0.5;

/// The words that stand for one whose stem is unknown.
pub fn unknown(word: &str, words: &[Word]) -> Vec<String> {
    let letters = word.chars().count();
    // What the language has is spelt right, and only not there.
    if word.chars().all(char::is_numeric) || letters < 2 || wordpiece::is_word(word) {
        return Vec::new();
    }
    if letters >= 6
        && let Some(two) = split(word, words)
    {
        return two.map(str::to_owned).to_vec();
    }
    if letters >= 4
        && let Some(known) = misspelt(word, letters, words)
    {
        return vec![known.to_owned()];
    }
    Vec::new()
}

/// Two neighbouring words that the collection writes as one.
pub fn joined(asked: &[String], words: &[Word]) -> Vec<String> {
    let pairs = asked.windows(2).map(|two| format!("{}{}", two[0], two[1]));
    pairs.filter(|word| corpus::frequency(words, word).is_some()).collect()
}

/// Two known words of three letters and more; of several splits, the one with the most frequent
/// rarer word.
fn split<'a>(word: &'a str, words: &[Word]) -> Option<[&'a str; 2]> {
    let cuts = word.char_indices().map(|(at, _)| at).skip(3);
    let halves = cuts.map(|at| word.split_at(at)).filter(|(_, right)| right.chars().count() >= 3);
    let known = halves.filter_map(|(left, right)| {
        let frequency = corpus::frequency(words, left)?.min(corpus::frequency(words, right)?);
        Some((frequency, [left, right]))
    });
    known.max_by_key(|(frequency, _)| *frequency).map(|(_, two)| two)
}

/// The most frequent known word with the same first letter that is one change away, two for long
/// words (Damerau and Levenshtein).
fn misspelt<'a>(word: &str, letters: usize, words: &'a [Word]) -> Option<&'a str> {
    let most = if letters >= 8 { 2 } else { 1 };
    let first: String = word.chars().take(1).collect();
    let same_start = corpus::beginning_with(words, &first).iter();
    let near = same_start.filter(|known| {
        known.text.chars().count().abs_diff(letters) <= most
            && strsim::damerau_levenshtein(&known.text, word) <= most
    });
    // Of two that are as frequent, the first in the alphabet.
    near.max_by_key(|known| (known.frequency, std::cmp::Reverse(&known.text)))
        .map(|known| known.text.as_str())
}
