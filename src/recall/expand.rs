//! Words of the collection that mean much the same as one that is asked for.
//!
//! Invariant: pure; only where memories are short, because long ones say it in several words.

use super::{
    collection::{Collection, TermId},
    embed::{self, cosine},
    wordpiece,
};

/// Words in the mean memory from which nothing is added.
const LONG: f64 = 40.0;
const MOST: usize = 10;
/// The cosine below which two words have nothing in common.
const ALIKE: f32 = 0.4;

/// Terms with their weights, below 0.5. `idf` is that of a term, `own` that of the word.
pub fn of(
    word: &str,
    collection: &Collection,
    own: f64,
    idf: impl Fn(TermId) -> f64,
) -> Vec<(TermId, f64)> {
    // The pieces of an unknown word say nothing about it.
    let is_known = wordpiece::is_word(word) || collection.word(word).is_some();
    if collection.average_length > LONG || !is_known {
        return Vec::new();
    }
    let asked = embed::embed(word);
    let alike = collection.term_vectors().iter().map(|vector| cosine(&asked, vector));
    let mut near: Vec<(f32, TermId)> = alike
        .enumerate()
        .filter(|(_, cosine)| *cosine > ALIKE)
        .map(|(term, cosine)| (cosine, term as TermId))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let weight = |(cosine, term): (f32, TermId)| {
        let alike = f64::from((cosine - ALIKE) / (1.0 - ALIKE)).min(1.0);
        (term, 0.5 * alike * (own / idf(term)).min(1.0))
    };
    near.into_iter().take(MOST).map(weight).collect()
}
