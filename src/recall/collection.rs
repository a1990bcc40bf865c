//! An in-memory collection of texts with its index: terms, postings, words, lengths.
//!
//! Invariant: built once for any number of queries; vectors only when a query needs them.

use super::{
    corpus::{self, Corpus, Document, Ends, Posting, Words},
    embed::BuiltIn,
    tokens::{self, Stems},
    vectors::{Packed, Vectors},
};
use rayon::prelude::*;
use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
};

/// Texts that are embedded together.
const SOME: usize = 1_024;

#[derive(Clone, Debug, Default)]
pub struct Candidate {
    pub body: String,
    pub tags: Vec<String>,
    /// When it was learned, in microseconds since 1970.
    pub created: i64,
    /// Orders texts of the same instant, the same on every laptop.
    pub hash_prefix: u64,
    /// Who wrote it: `user-told`, or an agent. A session ends when it changes.
    pub source: String,
}

#[derive(Default)]
pub struct Collection {
    documents: Vec<Document>,
    postings: HashMap<String, Vec<Posting>>,
    words: Words,
    bodies: Vec<String>,
    lower: Vec<String>,
    vectors: OnceCell<Vectors>,
    word_vectors: OnceCell<Vectors>,
    encoded: Option<Vectors>,
}

impl Collection {
    /// Adds the encoder's vectors, in the order of the candidates.
    pub fn with_encoded(self, encoded: Option<Vectors>) -> Collection {
        Collection { encoded, ..self }
    }

    /// Without vectors, its texts are found by their words alone. To be called before any question.
    pub fn leave_to_words(&self) {
        let _ = self.vectors.set(Vectors::empty(self.bodies.len()));
    }

    pub fn new(candidates: &[Candidate]) -> Collection {
        let mut reader = Reader::default();
        let read = |(at, text): (usize, &Candidate)| reader.read(at as u32, text);
        let documents = candidates.iter().enumerate().map(read).collect();
        let words: BTreeMap<String, u32> =
            reader.words.into_iter().map(|(word, (_, frequency))| (word, frequency)).collect();
        Collection {
            documents,
            words: words.into_iter().collect(),
            postings: reader.stems.into_iter().zip(reader.postings).collect(),
            bodies: candidates.iter().map(|candidate| candidate.body.clone()).collect(),
            lower: candidates.iter().map(|text| corpus::lower(&text.body, &text.tags)).collect(),
            ..Collection::default()
        }
    }
}

impl Corpus for Collection {
    fn documents(&self) -> &[Document] {
        &self.documents
    }

    fn words(&self) -> &Words {
        &self.words
    }

    fn near_words(&self, with: &[Packed], least: f32) -> Vec<Vec<(String, f32)>> {
        let vectors = self.word_vectors.get_or_init(|| {
            let words: Vec<&str> = self.words.all().map(|word| word.text).collect();
            embedded(&words)
        });
        with.iter().map(|with| self.words.near(vectors, with, least)).collect()
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        self.postings.get(stem).cloned().unwrap_or_default()
    }

    fn vectors(&self) -> &Vectors {
        self.vectors.get_or_init(|| {
            embedded(&self.bodies.iter().map(String::as_str).collect::<Vec<&str>>())
        })
    }

    fn encoded(&self) -> Option<&Vectors> {
        self.encoded.as_ref()
    }

    fn holding(&self, documents: &[u32], phrase: &str, ends: Ends) -> Vec<bool> {
        let has = |at: &u32| corpus::has_phrase(&self.lower[*at as usize], phrase, ends);
        documents.iter().map(has).collect()
    }

    fn bodies(&self, documents: &[u32]) -> Vec<String> {
        documents.iter().map(|at| self.bodies[*at as usize].clone()).collect()
    }
}

fn embedded(texts: &[&str]) -> Vectors {
    // A batch at a time, so that the words looked up once serve many texts.
    let some = texts.par_chunks(SOME).map(|texts| {
        let mut embedder = BuiltIn::default();
        texts.iter().map(|text| embedder.vector(text).packed()).collect::<Vec<_>>()
    });
    some.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// The words of a text and of its tags, in order.
pub fn words_of(body: &str, tags: &[String]) -> [Vec<String>; 2] {
    [tokens::words(body), tags.iter().flat_map(|tag| tokens::words(tag)).collect()]
}

#[derive(Default)]
struct Reader {
    stemmer: Stems,
    /// With the index of its stem, and its frequency.
    words: HashMap<String, (u32, u32)>,
    stems: Vec<String>,
    by_stem: HashMap<String, u32>,
    postings: Vec<Vec<Posting>>,
}

impl Reader {
    fn read(&mut self, at: u32, candidate: &Candidate) -> Document {
        let [body, tags] = words_of(&candidate.body, &candidate.tags);
        let length = (body.len() + tags.len()) as u32;
        body.into_iter().for_each(|word| self.count(at, word, false));
        tags.into_iter().for_each(|word| self.count(at, word, true));
        let source = corpus::source_key(&candidate.source);
        Document { created: candidate.created, hash_prefix: candidate.hash_prefix, source, length }
    }

    fn count(&mut self, at: u32, word: String, in_tags: bool) {
        let stem = match self.words.get_mut(&word) {
            Some((stem, frequency)) => {
                *frequency += 1;
                *stem
            }
            None => {
                let stem = self.stem_of(&word);
                self.words.insert(word, (stem, 1));
                stem
            }
        };
        let postings = &mut self.postings[stem as usize];
        match postings.last_mut().filter(|last| last.at == at) {
            Some(last) => {
                last.frequency += 1;
                last.in_tags |= in_tags;
            }
            None => postings.push(Posting { at, frequency: 1, in_tags }),
        }
    }

    fn stem_of(&mut self, word: &str) -> u32 {
        let stem = self.stemmer.stem(word);
        if let Some(known) = self.by_stem.get(&stem) {
            return *known;
        }
        let new = self.stems.len() as u32;
        self.stems.push(stem.clone());
        self.postings.push(Vec::new());
        self.by_stem.insert(stem, new);
        new
    }
}
