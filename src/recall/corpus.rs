//! The `Corpus` trait: what the scorer needs from a collection, implemented in memory and over
//! SQLite.
//!
//! Invariant: the same texts give the same answers whichever implementation is used, so that
//! ranking is the same. An implementation whose storage fails returns empty results and reports the
//! failure afterwards (`has_failed`).

use super::{
    tokens,
    vectors::{Packed, Vectors},
};

/// One text, without its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// When it was learned, in microseconds since 1970.
    pub created: i64,
    /// Orders texts of the same instant, the same on every laptop.
    pub hash_prefix: u64,
    /// Who wrote it, as a [`source_key`].
    pub source: u32,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    /// Across all texts.
    pub frequency: u32,
}

/// Whether a word has a meaning that its vector could tell: a number is near nothing, nor is what
/// is longer than any word, such as a key or a picture in letters.
pub fn has_meaning(word: &str) -> bool {
    /// In bytes.
    const LONGEST: usize = 128;
    word.len() <= LONGEST && word.chars().any(char::is_alphabetic)
}

/// Words in alphabetical order, without duplicates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// One after the other.
    text: String,
    /// Where each ends.
    ends: Vec<u32>,
    frequencies: Vec<u32>,
}

impl Words {
    /// To be called in their order.
    pub fn push(&mut self, text: &str, frequency: u32) {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.frequencies.push(frequency);
    }

    pub fn count(&self) -> usize {
        self.ends.len()
    }

    pub fn at(&self, at: usize) -> Word<'_> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Word { text: &self.text[start..self.ends[at] as usize], frequency: self.frequencies[at] }
    }

    pub fn all(&self) -> impl Iterator<Item = Word<'_>> {
        (0..self.count()).map(move |at| self.at(at))
    }

    /// Frequency of a word in the collection.
    pub fn frequency(&self, text: &str) -> Option<u32> {
        self.exactly(text).next().map(|word| word.frequency)
    }

    /// The word, if there is one.
    pub fn exactly(&self, text: &str) -> impl Iterator<Item = Word<'_>> {
        self.beginning_with(text).take(1).filter(move |word| word.text == text)
    }

    /// The words with a prefix.
    pub fn beginning_with(&self, text: &str) -> impl Iterator<Item = Word<'_>> {
        let from = (self.first_from(text)..self.count()).map(move |at| self.at(at));
        from.take_while(move |word| word.text.starts_with(text))
    }

    /// The words with a prefix, without the others.
    pub fn with_prefix(&self, text: &str) -> Words {
        self.beginning_with(text).map(|word| (word.text, word.frequency)).collect()
    }

    /// The words with a text anywhere in them, without the others.
    pub fn with(&self, text: &str) -> Words {
        let with = self.all().filter(|word| word.text.contains(text));
        with.map(|word| (word.text, word.frequency)).collect()
    }

    /// The words with a meaning whose vectors, which are in the same order, have a greater cosine
    /// than `least` with this one, each with its cosine.
    pub fn near(&self, vectors: &Vectors, with: &Packed, least: f32) -> Vec<(String, f32)> {
        let near = vectors.cosines(with).into_iter().enumerate();
        let near = near.filter(|(at, cosine)| *cosine > least && has_meaning(self.at(*at).text));
        near.map(|(at, cosine)| (self.at(at).text.to_owned(), cosine)).collect()
    }

    /// The index of the first word that is not before this one.
    fn first_from(&self, text: &str) -> usize {
        let (mut from, mut to) = (0_usize, self.count());
        while from < to {
            let middle = from.midpoint(to);
            if self.at(middle).text < text {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }
}

impl<T: AsRef<str>> FromIterator<(T, u32)> for Words {
    fn from_iter<I: IntoIterator<Item = (T, u32)>>(all: I) -> Words {
        let mut words = Words::default();
        all.into_iter().for_each(|(text, frequency)| words.push(text.as_ref(), frequency));
        words
    }
}

pub trait Corpus {
    fn documents(&self) -> &[Document];
    fn words(&self) -> &Words;
    /// For each of these vectors, the words with a meaning whose vectors have a greater cosine than
    /// `least` with it, each with its cosine, in no order.
    fn near_words(&self, with: &[Packed], least: f32) -> Vec<Vec<(String, f32)>>;
    /// The documents that contain a stem, in ascending order.
    fn postings(&self, stem: &str) -> Vec<Posting>;
    /// Vectors from the static table or an endpoint, in the order of the documents.
    fn vectors(&self) -> &Vectors;
    /// Vectors from the encoder, in the order of the documents. `None` until each document has one.
    fn encoded(&self) -> Option<&Vectors>;
    /// Which of these documents have a phrase, given in lower case, in [`lower`] of their texts.
    fn holding(&self, documents: &[u32], phrase: &str, ends: Ends) -> Vec<bool>;
    /// The texts of these documents, without their tags.
    fn bodies(&self, documents: &[u32]) -> Vec<String>;

    /// The frequency of a word, by reading few others where that is possible.
    fn frequency(&self, word: &str) -> Option<u32> {
        self.words().frequency(word)
    }

    /// The words with a prefix, in the same way.
    fn beginning_with(&self, text: &str) -> Words {
        self.words().with_prefix(text)
    }

    /// The words with a text anywhere in them, in the same way.
    fn containing(&self, text: &str) -> Words {
        self.words().with(text)
    }

    /// The cosine of each document's vector with one of the same model.
    fn cosines(&self, with: &Packed) -> Vec<f32> {
        self.vectors().cosines(with)
    }

    /// The same with the encoder's; `None` until each document has one.
    fn encoded_cosines(&self, with: &Packed) -> Option<Vec<f32>> {
        Some(self.encoded()?.cosines(with))
    }
}

/// Equal for equal sources.
pub fn source_key(source: &str) -> u32 {
    crc32fast::hash(source.as_bytes())
}

/// Where a phrase may begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// With a word, of which the last may have another form.
    Words,
    /// It begins with a word, and may end within it.
    Beginning,
    /// Within a word, too.
    Anywhere,
}

/// Whether a text from [`lower`] has a phrase.
pub fn has_phrase(text: &str, phrase: &str, ends: Ends) -> bool {
    match ends {
        Ends::Anywhere => text.contains(phrase),
        Ends::Words | Ends::Beginning => text.match_indices(phrase).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + phrase.len()..]);
            !goes_on(phrase.chars().next(), before.chars().rev())
                && (ends == Ends::Beginning
                    || !goes_on(phrase.chars().next_back(), after.chars())
                    || is_form(phrase, after))
        }),
    }
}

/// Whether the last word of a phrase, with what follows it, is a form of the same word.
fn is_form(phrase: &str, after: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric();
    let last = phrase.rsplit(|letter: char| !is_part(letter)).next().unwrap_or_default();
    let more: String = after.chars().take_while(|letter| is_part(*letter)).collect();
    let stems = tokens::Stems::default();
    !more.is_empty() && stems.stem(&format!("{last}{more}")) == stems.stem(last)
}

/// Whether a word, or a number such as 12,500, goes on beyond the end of a phrase.
fn goes_on(last: Option<char>, mut outer: impl Iterator<Item = char>) -> bool {
    let Some((last, next)) = last.zip(outer.next()) else { return false };
    if !last.is_alphanumeric() || tokens::is_cjk(last) || tokens::is_cjk(next) {
        return false;
    }
    let is_digit = |letter: char| letter.is_ascii_digit();
    let separates = is_digit(last) && matches!(next, '.' | ',' | '\'');
    next.is_alphanumeric() || (separates && outer.next().is_some_and(is_digit))
}

/// Body and tags in the form that phrases are searched in.
pub fn lower(body: &str, tags: &[String]) -> String {
    let mut lower = tokens::single_spaced(&body.to_lowercase()).replace('’', "'");
    for tag in tags {
        lower.push('\n');
        lower.push_str(&tag.to_lowercase());
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_their_letters() {
        let all = [("", 1), ("a", 2), ("tea", 3), ("teapot", 4), ("thé", 5), ("東京", 6)];
        let words: Words = all.into_iter().collect();
        assert_eq!(words.all().map(|word| (word.text, word.frequency)).collect::<Vec<_>>(), all);
        for (text, frequency) in all {
            assert_eq!(words.frequency(text), Some(frequency), "{text}");
        }
        for missing in ["b", "te", "teapots", "東", "龍"] {
            assert_eq!(words.frequency(missing), None, "{missing}");
        }
        let beginning = |text: &str| -> Vec<&str> {
            words.beginning_with(text).map(|word| word.text).collect()
        };
        assert_eq!(beginning("te"), ["tea", "teapot"]);
        assert_eq!(beginning("th"), ["thé"]);
        assert_eq!(beginning("東"), ["東京"]);
        assert_eq!(beginning(""), all.map(|(text, _)| text));
        assert!(beginning("u").is_empty() && beginning("龍").is_empty());
        assert_eq!(Words::default().frequency("tea"), None);
    }
}
