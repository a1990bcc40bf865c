//! The texts to search, with what is counted over all of them: terms, postings, lengths, sessions.
//!
//! Invariant: built once for any number of queries; vectors only when a query asks for them.

use super::{
    embed::{Embedder, Vector},
    session::Sessions,
    tokens::{self, Stems},
};
use rayon::prelude::*;
use std::{cell::OnceCell, collections::HashMap};

/// Texts that are embedded together.
const SOME: usize = 1_024;

#[derive(Clone, Debug, Default)]
pub struct Candidate {
    pub body: String,
    pub tags: Vec<String>,
    /// When it was learned, in microseconds since 1970.
    pub created: i64,
    /// Who wrote it: `user-told`, an agent. A session ends where it changes.
    pub source: String,
}

pub type TermId = u32;

/// A stem of the collection.
#[derive(Clone, Debug, Default)]
pub struct Term {
    /// The documents that have it, ascending, with how often.
    pub postings: Vec<(u32, u32)>,
    /// The most frequent of its words.
    pub word: String,
}

pub struct Collection {
    pub documents: Vec<Document>,
    pub terms: Vec<Term>,
    pub average_length: f64,
    pub sessions: Sessions,
    by_stem: HashMap<String, TermId>,
    /// Words as they are written, with how often they occur.
    words: HashMap<String, (TermId, u32)>,
    texts: Vec<String>,
    vectors: OnceCell<Vec<Vector>>,
    term_vectors: OnceCell<Vec<Vector>>,
}

pub struct Document {
    /// In words, tags included.
    pub length: u32,
    /// The terms of its tags.
    pub tags: Vec<TermId>,
    /// Body and tags, in lower case.
    pub lower: String,
    pub created: i64,
}

impl Collection {
    pub fn of(candidates: &[Candidate]) -> Collection {
        let mut reader = Reader::default();
        let documents: Vec<Document> =
            candidates.iter().enumerate().map(|(at, text)| reader.read(at as u32, text)).collect();
        let Reader { mut terms, by_stem, words, .. } = reader;
        let mut often = vec![0; terms.len()];
        for (word, (term, count)) in &words {
            let (often, best) = (&mut often[*term as usize], &mut terms[*term as usize].word);
            // Of two that are as frequent, the first in the alphabet: whatever the map's order.
            if *count > *often || (*count == *often && word < best) {
                (*often, *best) = (*count, word.clone());
            }
        }
        let total: f64 = documents.iter().map(|document| f64::from(document.length)).sum();
        Collection {
            average_length: (total / documents.len().max(1) as f64).max(1.0),
            sessions: Sessions::of(candidates),
            texts: candidates.iter().map(|candidate| candidate.body.clone()).collect(),
            documents,
            terms,
            by_stem,
            words,
            vectors: OnceCell::new(),
            term_vectors: OnceCell::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.documents.len()
    }

    pub fn term(&self, stem: &str) -> Option<TermId> {
        self.by_stem.get(stem).copied()
    }

    /// The words of the collection, with their terms and how often they occur.
    pub fn words(&self) -> impl Iterator<Item = (&str, TermId, u32)> {
        self.words.iter().map(|(word, (term, count))| (word.as_str(), *term, *count))
    }

    pub fn word(&self, word: &str) -> Option<(TermId, u32)> {
        self.words.get(word).copied()
    }

    /// In the order of the documents.
    pub fn vectors(&self) -> &[Vector] {
        self.vectors.get_or_init(|| {
            // A few at a time, so that the words of one look-up serve many texts.
            let some = self.texts.par_chunks(SOME);
            let embedded = some.map(|texts| {
                let mut embedder = Embedder::default();
                texts.iter().map(|text| embedder.embed(text)).collect::<Vec<Vector>>()
            });
            embedded.collect::<Vec<_>>().concat()
        })
    }

    /// Of each term's most frequent word.
    pub fn term_vectors(&self) -> &[Vector] {
        self.term_vectors.get_or_init(|| {
            let mut embedder = Embedder::default();
            self.terms.iter().map(|term| embedder.embed(&term.word)).collect()
        })
    }
}

#[derive(Default)]
struct Reader {
    stems: Stems,
    terms: Vec<Term>,
    by_stem: HashMap<String, TermId>,
    words: HashMap<String, (TermId, u32)>,
}

impl Reader {
    fn read(&mut self, at: u32, candidate: &Candidate) -> Document {
        let mut length = 0;
        let mut lower = candidate.body.to_lowercase();
        for word in tokens::words(&candidate.body) {
            self.count(at, word);
            length += 1;
        }
        let mut tags = Vec::new();
        for tag in &candidate.tags {
            lower.push('\n');
            lower.push_str(&tag.to_lowercase());
            for word in tokens::words(tag) {
                tags.push(self.count(at, word));
                length += 1;
            }
        }
        Document { length, tags, lower, created: candidate.created }
    }

    fn count(&mut self, at: u32, word: String) -> TermId {
        let term = match self.words.get_mut(&word) {
            Some((term, count)) => {
                *count += 1;
                *term
            }
            None => {
                let term = self.term_of(&word);
                self.words.insert(word, (term, 1));
                term
            }
        };
        let postings = &mut self.terms[term as usize].postings;
        match postings.last_mut() {
            Some((last, count)) if *last == at => *count += 1,
            _ => postings.push((at, 1)),
        }
        term
    }

    fn term_of(&mut self, word: &str) -> TermId {
        let stem = self.stems.of(word);
        if let Some(term) = self.by_stem.get(&stem) {
            return *term;
        }
        let term = self.terms.len() as TermId;
        self.terms.push(Term::default());
        self.by_stem.insert(stem, term);
        term
    }
}
