//! The words of a corpus in an index: as stored, or counted again if a filter excludes some texts.
//!
//! Invariant: there are as many vectors as words, in the same order; that of a word without meaning
//! is a zero vector.

use super::database::{IndexError, Reads};
use crate::recall::{
    corpus::{Word, Words, has_meaning},
    cosines::Compared,
    embed,
    vectors::{Packed, Vectors},
};
use std::collections::BTreeMap;

/// All words in an index, in byte order.
#[derive(Default)]
pub(super) struct Lexicon {
    pub(super) words: Words,
    /// Of the vectors of the words.
    ids: Vec<Option<u32>>,
}

/// Words that are not those of an index have no vectors there.
impl From<Words> for Lexicon {
    fn from(words: Words) -> Lexicon {
        Lexicon { words, ids: Vec::new() }
    }
}

impl Lexicon {
    pub(super) fn read(reads: &Reads<'_>) -> Result<Lexicon, IndexError> {
        let mut all = Lexicon::default();
        reads.each_word(|text, frequency, id| {
            all.words.push(text, frequency);
            all.ids.push(id);
        })?;
        Ok(all)
    }

    /// The vectors of all words; fails if one is missing.
    pub(super) fn vectors(&self, reads: &Reads<'_>) -> Result<Vectors, IndexError> {
        let numbered = || self.ids.iter().enumerate().filter_map(|(at, id)| Some((at, (*id)?)));
        let most = numbered().map(|(_, id)| id as usize + 1).max().unwrap_or_default();
        let mut places = vec![None; most];
        let mut missing = 0_usize;
        for (at, id) in numbered() {
            places[id as usize] = Some(at);
            missing += 1;
        }
        let mut vectors = Vectors::empty(self.ids.len());
        reads.each_word_vector(|id, _, bytes| {
            if let Some(at) = places.get(id as usize).copied().flatten() {
                vectors.put_bytes(at, bytes);
                missing = missing.saturating_sub(1);
            }
        })?;
        if missing == 0 { Ok(vectors) } else { Err(IndexError::Gone) }
    }
}

/// For each of these vectors, the words whose vectors have a greater cosine than `least` with it.
pub(super) fn words_near(
    reads: &Reads<'_>,
    with: &[Packed],
    least: f32,
) -> Result<Vec<Vec<(String, f32)>>, IndexError> {
    let with: Vec<Compared> = with.iter().map(Compared::new).collect();
    let mut near = vec![Vec::new(); with.len()];
    reads.each_word_vector(|_, word, bytes| {
        for (with, near) in with.iter().zip(&mut near) {
            let cosine = with.cosine(bytes);
            if cosine > least {
                near.push((String::from_utf8_lossy(word).into_owned(), cosine));
            }
        }
    })?;
    Ok(near)
}

/// The words with a text anywhere in them, in byte order.
pub(super) fn words_containing(reads: &Reads<'_>, text: &str) -> Result<Words, IndexError> {
    let mut words = Words::default();
    reads.each_word_containing(text, |text, frequency| words.push(text, frequency))?;
    Ok(words)
}

/// The words with a prefix, in byte order.
pub(super) fn words_beginning_with(reads: &Reads<'_>, text: &str) -> Result<Words, IndexError> {
    let mut words = Words::default();
    reads.each_word_beginning_with(text, |text, frequency| words.push(text, frequency))?;
    Ok(words)
}

/// The words of some texts, in byte order.
pub(super) fn counted_words(texts: impl Iterator<Item = Vec<String>>) -> Words {
    let mut words: BTreeMap<String, u32> = BTreeMap::new();
    texts.flatten().for_each(|word| *words.entry(word).or_default() += 1);
    words.into_iter().collect()
}

pub(super) fn vectors_of(words: &Words) -> Vectors {
    let mut embedder = embed::BuiltIn::default();
    let vector = |word: Word<'_>| {
        if has_meaning(word.text) { embedder.vector(word.text).packed() } else { Packed::default() }
    };
    words.all().map(vector).collect()
}
