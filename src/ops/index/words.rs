//! The words of a corpus in an index: as stored, or counted again if a filter excludes some texts.
//!
//! Invariant: there are as many vectors as words, in the same order.

use crate::recall::{
    corpus::{Posting, Word},
    embed,
    vectors::Vectors,
};
use crate::system::index::{IndexError, Instance, Reads};
use std::collections::BTreeMap;

/// All words in an index, in byte order.
pub(super) fn all_words(reads: &Reads<'_>) -> Result<Vec<Word>, IndexError> {
    Ok(reads.words()?.into_iter().map(|(text, frequency)| Word { text, frequency }).collect())
}

/// Their vectors; fails if there are not as many.
pub(super) fn all_word_vectors(reads: &Reads<'_>, count: usize) -> Result<Vectors, IndexError> {
    let mut vectors = Vectors::default();
    reads.each_word_vector(|bytes| vectors.push_bytes(bytes))?;
    if vectors.len() == count { Ok(vectors) } else { Err(IndexError::Gone) }
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

/// The postings of a stem from its occurrences; `position` gives that of a searched document.
pub(super) fn counted(
    instances: Vec<Instance>,
    position: impl Fn(i64) -> Option<u32>,
) -> Vec<Posting> {
    let mut postings: Vec<Posting> = Vec::new();
    for instance in instances {
        let Some(at) = position(instance.id) else { continue };
        match postings.last_mut().filter(|last| last.at == at) {
            Some(last) => {
                last.frequency += 1;
                last.in_tags |= instance.in_tags;
            }
            None => postings.push(Posting { at, frequency: 1, in_tags: instance.in_tags }),
        }
    }
    postings.sort_unstable_by_key(|posting| posting.at);
    postings
}
