//! Words of a question that no memory has: spelt otherwise, or written as one or as two.
//!
//! Invariant: pure; a word that the collection knows is never changed, nor is a number.

use super::{
    collection::{Collection, TermId},
    wordpiece,
};

/// What a repaired word counts, beside one that is there.
pub const REPAIRED: f64 = 0.8;
/// What the longer words count that begin with the last one asked for.
const BEGINS: f64 = 0.5;

/// The terms that stand for a word whose stem is unknown.
pub fn unknown(word: &str, collection: &Collection) -> Vec<(TermId, f64)> {
    let letters = word.chars().count();
    // What the language has is spelt right, and only not there.
    if word.chars().all(char::is_numeric) || letters < 2 || wordpiece::is_word(word) {
        return Vec::new();
    }
    if letters >= 6
        && let Some(two) = split(word, collection)
    {
        return two.map(|term| (term, REPAIRED)).to_vec();
    }
    if letters >= 4
        && let Some(term) = misspelt(word, letters, collection)
    {
        return vec![(term, REPAIRED)];
    }
    Vec::new()
}

/// Two neighbouring words that the collection writes as one.
pub fn joined(words: &[String], collection: &Collection) -> Vec<TermId> {
    let pairs = words.windows(2).map(|two| format!("{}{}", two[0], two[1]));
    pairs.filter_map(|word| Some(collection.word(&word)?.0)).collect()
}

/// The terms of the words that begin with an unknown one.
pub fn begun(word: &str, collection: &Collection) -> Vec<(TermId, f64)> {
    let longer = collection.words().filter(|(known, ..)| known.starts_with(word));
    let mut terms: Vec<TermId> = longer.map(|(_, term, _)| term).collect();
    terms.sort_unstable();
    terms.dedup();
    terms.into_iter().map(|term| (term, BEGINS)).collect()
}

/// Two known words of three letters and more; of several splits, the one with the most frequent
/// rarer word.
fn split(word: &str, collection: &Collection) -> Option<[TermId; 2]> {
    let cuts = word.char_indices().map(|(at, _)| at).skip(3);
    let halves = cuts.map(|at| word.split_at(at)).filter(|(_, right)| right.chars().count() >= 3);
    let known = halves.filter_map(|(left, right)| {
        let (left, right) = (collection.word(left)?, collection.word(right)?);
        Some((left.1.min(right.1), [left.0, right.0]))
    });
    known.max_by_key(|(often, _)| *often).map(|(_, terms)| terms)
}

/// The most frequent known word with the same first letter that is one change away, two for long
/// words (Damerau and Levenshtein).
fn misspelt(word: &str, letters: usize, collection: &Collection) -> Option<TermId> {
    let most = if letters >= 8 { 2 } else { 1 };
    let first = word.chars().next();
    let near = collection.words().filter(|(known, ..)| {
        known.chars().next() == first
            && known.chars().count().abs_diff(letters) <= most
            && strsim::damerau_levenshtein(known, word) <= most
    });
    // The same for every order of the words.
    near.max_by_key(|(known, _, often)| (*often, std::cmp::Reverse(*known)))
        .map(|(_, term, _)| term)
}
