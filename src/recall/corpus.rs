//! The `Corpus` trait: what the scorer needs from a collection, implemented in memory and over
//! SQLite.
//!
//! Invariant: the same texts give the same answers whichever implementation is used, so that
//! ranking is the same. An implementation whose storage fails returns empty results and reports the
//! failure afterwards (`has_failed`).

use super::{tokens, vectors::Vectors};

/// One text, without its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// When it was learned, in microseconds since 1970.
    pub created: i64,
    /// Orders texts of the same instant, the same on every laptop.
    pub hash_prefix: u64,
    /// Who wrote it, as a [`source_key`].
    pub source: u64,
    /// In words, tags included.
    pub length: u32,
}

/// A document that contains a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Posting {
    pub at: u32,
    pub frequency: u32,
    pub in_tags: bool,
}

/// A word as written, folded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub text: String,
    /// Across all texts.
    pub frequency: u32,
}

pub trait Corpus {
    fn documents(&self) -> &[Document];
    /// In alphabetical order, without duplicates.
    fn words(&self) -> &[Word];
    /// In the same order as the words.
    fn word_vectors(&self) -> &Vectors;
    /// The documents that contain a stem, in ascending order.
    fn postings(&self, stem: &str) -> Vec<Posting>;
    /// Vectors from the static table or an endpoint, in the order of the documents.
    fn vectors(&self) -> &Vectors;
    /// Vectors from the encoder, in the order of the documents. `None` until each document has one.
    fn encoded(&self) -> Option<&Vectors>;
    /// Body and tags of these documents, in lower case.
    fn lower(&self, documents: &[u32]) -> Vec<String>;
}

/// Frequency of a word in the collection.
pub fn frequency(words: &[Word], text: &str) -> Option<u32> {
    let at = words.binary_search_by(|word| word.text.as_str().cmp(text)).ok()?;
    Some(words[at].frequency)
}

/// The words with a prefix.
pub fn beginning_with<'a>(words: &'a [Word], text: &str) -> &'a [Word] {
    let from = words.partition_point(|word| word.text.as_str() < text);
    let length = words[from..].partition_point(|word| word.text.starts_with(text));
    &words[from..from + length]
}

/// Equal for equal sources.
pub fn source_key(source: &str) -> u64 {
    u64::from(crc32fast::hash(source.as_bytes()))
}

/// Body and tags in the form that phrases are searched in.
pub fn lower(body: &str, tags: &[String]) -> String {
    let mut lower = tokens::single_spaced(&body.to_lowercase());
    for tag in tags {
        lower.push('\n');
        lower.push_str(&tag.to_lowercase());
    }
    lower
}
