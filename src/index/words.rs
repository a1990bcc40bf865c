//! The words of a corpus in an index: as stored, or counted again if a filter excludes some texts.
//!
//! Invariant: there are as many vectors as words, in the same order.

use super::database::{IndexError, Reads};
use crate::recall::{corpus::Words, embed, vectors::Vectors};
use std::collections::BTreeMap;

/// All words in an index, in byte order.
pub(super) fn all_words(reads: &Reads<'_>) -> Result<Words, IndexError> {
    let mut words = Words::default();
    reads.each_word(|text, frequency| words.push(text, frequency))?;
    Ok(words)
}

/// The words with a prefix, in byte order.
pub(super) fn words_beginning_with(reads: &Reads<'_>, text: &str) -> Result<Words, IndexError> {
    let mut words = Words::default();
    reads.each_word_beginning_with(text, |text, frequency| words.push(text, frequency))?;
    Ok(words)
}

/// The vectors of all words; fails if there are not as many.
pub(super) fn all_word_vectors(reads: &Reads<'_>, count: usize) -> Result<Vectors, IndexError> {
    let (mut vectors, mut found) = (Vectors::empty(count), 0);
    reads.each_word_vector(|at, bytes| {
        if at < count {
            vectors.put_bytes(at, bytes);
        }
        found += 1;
    })?;
    if found == count { Ok(vectors) } else { Err(IndexError::Gone) }
}

/// The words of some texts, in byte order.
pub(super) fn counted_words(texts: impl Iterator<Item = Vec<String>>) -> Words {
    let mut words: BTreeMap<String, u32> = BTreeMap::new();
    texts.flatten().for_each(|word| *words.entry(word).or_default() += 1);
    words.into_iter().collect()
}

pub(super) fn vectors_of(words: &Words) -> Vectors {
    let mut embedder = embed::BuiltIn::default();
    words.all().map(|word| embedder.vector(word.text).packed()).collect()
}
