//! Corrects the spelling of query words, including joined and split words.
//!
//! Invariant: pure; never changes a word that the collection has, nor a number.

use super::{corpus::Corpus, wordpiece};

/// The weight of a corrected word, relative to one that matches.
pub const REPAIRED: f64 = 0.8;
/// The weight of longer words that start with the last query word.
pub const BEGINS: f64 = 0.5;

/// The replacements for a word whose stem is unknown.
pub fn unknown(word: &str, corpus: &dyn Corpus) -> Vec<String> {
    let letters = word.chars().count();
    // A word of the language is spelt correctly and merely does not occur.
    if word.chars().all(char::is_numeric) || letters < 2 || wordpiece::is_word(word) {
        return Vec::new();
    }
    if letters >= 6
        && let Some(two) = split(word, corpus)
    {
        return two.map(str::to_owned).to_vec();
    }
    if letters >= 4
        && let Some(known) = misspelt(word, letters, corpus)
    {
        return vec![known];
    }
    Vec::new()
}

/// Two adjacent words that the collection writes as one.
pub fn joined(asked: &[String], corpus: &dyn Corpus) -> Vec<String> {
    let pairs = asked.windows(2).map(|two| format!("{}{}", two[0], two[1]));
    pairs.filter(|word| corpus.frequency(word).is_some()).collect()
}

/// Two known words of at least three letters; of several splits, the one whose rarer word is the
/// most frequent.
fn split<'a>(word: &'a str, corpus: &dyn Corpus) -> Option<[&'a str; 2]> {
    let cuts = word.char_indices().map(|(at, _)| at).skip(3);
    let halves = cuts.map(|at| word.split_at(at)).filter(|(_, right)| right.chars().count() >= 3);
    let known = halves.filter_map(|(left, right)| {
        let frequency = corpus.frequency(left)?.min(corpus.frequency(right)?);
        Some((frequency, [left, right]))
    });
    known.max_by_key(|(frequency, _)| *frequency).map(|(_, two)| two)
}

/// The most frequent known word with the same first letter that is one edit away, or two for long
/// words (Damerau and Levenshtein).
fn misspelt(word: &str, letters: usize, corpus: &dyn Corpus) -> Option<String> {
    let most = if letters >= 8 { 2 } else { 1 };
    let first: String = word.chars().take(1).collect();
    let words = corpus.beginning_with(&first);
    let near = words.all().filter(|known| {
        known.text.chars().count().abs_diff(letters) <= most
            && strsim::damerau_levenshtein(known.text, word) <= most
    });
    // Of two equally frequent words, the first alphabetically.
    let best = near.max_by_key(|known| (known.frequency, std::cmp::Reverse(known.text)));
    best.map(|known| known.text.to_owned())
}
