//! Query expansion: adds indexed words whose vectors are close to a query word.
//!
//! Invariant: pure; only for short memories, because long ones already use several words.

use super::{corpus::Corpus, embed, tokens::Stems, vectors::Packed, wordpiece};
use std::collections::BTreeSet;

/// Mean memory length, in words, above which nothing is added.
const LONG: f64 = 40.0;
const MAX: usize = 10;
/// The cosine below which two words are considered unrelated.
const ALIKE: f32 = 0.4;

/// Whether memories with this average length in words are short enough.
pub fn helps(average_length: f64) -> bool {
    average_length <= LONG
}

/// For each of these words that has any, stems with their weights, at most 0.5, before the idf
/// factor.
pub fn related_stems<'a>(
    words: &'a [String],
    corpus: &dyn Corpus,
    stems: &Stems,
) -> Vec<(&'a String, Vec<(String, f64)>)> {
    // The pieces of an unknown word do not carry its meaning.
    let is_known = |word: &&String| wordpiece::is_word(word) || corpus.frequency(word).is_some();
    let words: Vec<&String> = words.iter().filter(is_known).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let vectors: Vec<Packed> = words.iter().map(|word| embed::embed(word).packed()).collect();
    let near = corpus.near_words(&vectors, ALIKE).into_iter();
    words.into_iter().zip(near.map(|near| nearest(near, stems))).collect()
}

fn nearest(mut near: Vec<(String, f32)>, stems: &Stems) -> Vec<(String, f64)> {
    near.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut seen = BTreeSet::new();
    let weight = |cosine: f32| 0.5 * f64::from((cosine - ALIKE) / (1.0 - ALIKE)).min(1.0);
    let stemmed = near.into_iter().map(|(word, cosine)| (stems.stem(&word), weight(cosine)));
    stemmed.filter(|(stem, _)| seen.insert(stem.clone())).take(MAX).collect()
}
