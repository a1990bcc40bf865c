//! The words of a corpus in an index: as stored, or counted again if a filter excludes some texts.
//!
//! Invariant: there are as many vectors as words, in the same order.

use crate::recall::{corpus::Word, embed, vectors::Vectors};
use crate::system::index::{IndexError, Reads};
use std::collections::BTreeMap;

/// All words in an index, in byte order.
pub(super) fn all_words(reads: &Reads<'_>) -> Result<Vec<Word>, IndexError> {
    Ok(reads.words()?.into_iter().map(|(text, frequency)| Word { text, frequency }).collect())
}

/// Their vectors; fails if there are not as many.
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
pub(super) fn counted_words(texts: impl Iterator<Item = Vec<String>>) -> Vec<Word> {
    let mut words: BTreeMap<String, u32> = BTreeMap::new();
    texts.flatten().for_each(|word| *words.entry(word).or_default() += 1);
    words.into_iter().map(|(text, frequency)| Word { text, frequency }).collect()
}

pub(super) fn vectors_of(words: &[Word]) -> Vectors {
    let mut embedder = embed::BuiltIn::default();
    words.iter().map(|word| embedder.vector(&word.text).packed()).collect()
}
