//! The postings of the stems that one query asks for.
//!
//! Invariant: those of a stem are fetched only once.

use super::{
    corpus::{Corpus, Posting},
    score::idf,
    tokens::Stems,
};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// The corpus's postings for stems, cached for one query.
pub struct Postings<'a> {
    pub(super) corpus: &'a dyn Corpus,
    known: RefCell<BTreeMap<String, Rc<[Posting]>>>,
}

impl<'a> Postings<'a> {
    pub fn new(corpus: &'a dyn Corpus) -> Postings<'a> {
        Postings { corpus, known: RefCell::default() }
    }

    pub fn with_stem(&self, stem: &str) -> Rc<[Posting]> {
        if let Some(known) = self.known.borrow().get(stem) {
            return known.clone();
        }
        let found: Rc<[Posting]> = self.corpus.postings(stem).into();
        self.known.borrow_mut().insert(stem.to_owned(), found.clone());
        found
    }

    /// Whether no text has a word, in any form.
    pub(super) fn is_unknown(&self, word: &str) -> bool {
        self.with_stem(&Stems::default().stem(word)).is_empty()
    }

    pub fn idf(&self, stem: &str) -> f64 {
        idf(self.with_stem(stem).len(), self.corpus.documents().len())
    }
}
