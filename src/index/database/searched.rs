//! Reads what a question asks of an index: texts, their vectors, words, and the texts of a stem.
//!
//! Invariant: reads only; what fails its checksum is an error, never an answer. Knows no files.

use super::{
    IndexError, Occurrence, Reads, TextRow,
    block::{self, Kind},
    lexicon, postings, word_vectors,
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet},
};

impl Reads<'_> {
    /// All searchable texts, in the order of their ids.
    pub fn texts(&self) -> Result<Vec<TextRow>, IndexError> {
        let mut all = Vec::with_capacity(self.counted().texts);
        self.each_text(|row| all.push(row))?;
        Ok(all)
    }

    /// Calls `each` with each searchable text, in the order of their ids.
    pub fn each_text(&self, mut each: impl FnMut(TextRow)) -> Result<(), IndexError> {
        let mut found = 0;
        block::each_row(self.connection, self.unit, |row| {
            found += 1;
            each(row);
        })?;
        if found == self.counted().texts {
            Ok(())
        } else {
            Err(IndexError::Damaged("some texts are missing"))
        }
    }

    /// These texts, in the order of their ids.
    pub fn texts_of(&self, ids: &BTreeSet<i64>) -> Result<Vec<TextRow>, IndexError> {
        block::rows_of(self.connection, self.unit, ids)
    }

    /// Calls `each` with the id and vector of each text that has one from the static table or an
    /// endpoint.
    pub fn each_vector(&self, each: impl FnMut(i64, &[u8])) -> Result<(), IndexError> {
        block::each(self.connection, self.unit, Kind::Vectors, each)
    }

    /// As [`Reads::each_vector`], of these texts.
    pub fn each_vector_of(
        &self,
        ids: &BTreeSet<i64>,
        each: impl FnMut(i64, &[u8]),
    ) -> Result<(), IndexError> {
        block::each_among(self.connection, (self.unit, Kind::Vectors), ids, each)
    }

    /// Calls `each` with the id and vector of each text that has one from the encoder.
    pub fn each_encoded(&self, each: impl FnMut(i64, &[u8])) -> Result<(), IndexError> {
        block::each(self.connection, self.unit, Kind::Encoded, each)
    }

    /// As [`Reads::each_encoded`], with the keys of the texts.
    pub(super) fn each_encoded_by_key(
        &self,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), IndexError> {
        let rows = block::rows(self.connection, self.unit)?;
        let keys: HashMap<i64, u64> = rows.into_iter().map(|row| (row.id, row.text)).collect();
        self.each_encoded(|id, vector| {
            if let Some(key) = keys.get(&id) {
                each(*key, vector);
            }
        })
    }

    /// Calls `each` with the hash prefix and vector of each text that has one.
    pub fn each_vector_by_hash_prefix(
        &self,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), IndexError> {
        let rows = self.texts()?.into_iter();
        let prefixes: HashMap<i64, u64> = rows.map(|row| (row.id, row.hash_prefix)).collect();
        self.each_vector(|id, vector| {
            if let Some(prefix) = prefixes.get(&id) {
                each(*prefix, vector);
            }
        })
    }

    /// Texts without a vector from the encoder, newest first.
    pub fn unencoded(&self, most: usize) -> Result<Vec<TextRow>, IndexError> {
        let mut encoded = HashSet::new();
        self.each_encoded(|id, _| {
            encoded.insert(id);
        })?;
        let mut missing = self.texts()?;
        missing.retain(|row| !encoded.contains(&row.id));
        missing.sort_by_key(|row| (Reverse(row.latest), row.id));
        missing.truncate(most);
        Ok(missing)
    }

    /// Calls `each` with each word, its frequency and the id of its vector, in byte order.
    pub fn each_word(&self, each: impl FnMut(&str, u32, Option<u32>)) -> Result<(), IndexError> {
        lexicon::each_word(self.connection, self.unit, each)
    }

    /// How often a word occurs; `None` if it does not.
    pub fn frequency(&self, word: &str) -> Result<Option<u32>, IndexError> {
        lexicon::frequency(self.connection, self.unit, word)
    }

    /// Calls `each` with each word with a prefix and its frequency, in byte order.
    pub fn each_word_beginning_with(
        &self,
        text: &str,
        each: impl FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        lexicon::each_beginning_with(self.connection, self.unit, text, each)
    }

    /// As [`Reads::each_word_beginning_with`], for the words with a text anywhere in them.
    pub fn each_word_containing(
        &self,
        text: &str,
        each: impl FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        lexicon::each_containing(self.connection, self.unit, text, each)
    }

    /// Calls `each` with the vector of each word that has one, its id and the word itself.
    pub fn each_word_vector(
        &self,
        mut each: impl FnMut(u32, &[u8], &[u8]),
    ) -> Result<(), IndexError> {
        let mut found = 0;
        word_vectors::each_vector(self.connection, self.unit, |id, word, vector| {
            found += 1;
            each(id, word, vector);
        })?;
        let is_whole = found == self.counted().word_vectors;
        is_whole.then_some(()).ok_or(IndexError::Damaged("some words have no vector"))
    }

    /// How many texts have a stem.
    pub fn count_occurrences(&self, stem: &str) -> Result<usize, IndexError> {
        postings::count(self.connection, self.unit, stem)
    }

    /// The texts that have a stem, in the order of their ids.
    pub fn occurrences(&self, stem: &str) -> Result<Vec<Occurrence>, IndexError> {
        postings::occurrences(self.connection, self.unit, stem)
    }
}
