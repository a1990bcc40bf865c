//! The terms that a query searches for, each with its weight: exact, spelling-corrected, joined,
//! prefix and expanded; and what documents score for them.
//!
//! Invariant: pure; a stem's postings are fetched only once per query.

use super::{
    corpus::{Corpus, Document, Posting},
    expand, languages,
    query::Query,
    repair,
    score::{Signals, TEXT, idf},
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

    pub fn idf(&self, stem: &str) -> f64 {
        idf(self.with_stem(stem).len(), self.corpus.documents().len())
    }
}

/// A query term that occurs in some document.
pub struct Term {
    pub weight: f64,
    pub postings: Rc<[Posting]>,
}

/// By stem, so that sums are added up in the same order everywhere.
pub type Terms = BTreeMap<String, Term>;

pub fn weighted(
    query: &Query,
    postings: &Postings<'_>,
    average_length: f64,
    signals: Signals,
) -> Terms {
    let (corpus, stems) = (postings.corpus, Stems::default());
    let mut weights: BTreeMap<String, f64> = BTreeMap::new();
    let mut add = |stem: String, weight: f64| {
        let known = weights.entry(stem).or_insert(weight);
        *known = known.max(weight);
    };
    for word in &query.words {
        let stem = stems.stem(word);
        let forms = languages::forms(word, &query.languages, corpus);
        for form in &forms {
            add(stems.stem(form), 1.0);
        }
        if !postings.with_stem(&stem).is_empty() {
            add(stem, 1.0);
            continue;
        }
        if !forms.is_empty() {
            continue;
        }
        let repaired = if signals.repair { repair::unknown(word, corpus) } else { Vec::new() };
        for known in &repaired {
            add(stems.stem(known), repair::REPAIRED);
            for form in languages::forms(known, &query.languages, corpus) {
                add(stems.stem(&form), repair::REPAIRED);
            }
        }
        if repaired.is_empty() {
            for known in corpus.beginning_with(word).all() {
                add(stems.stem(known.text), repair::BEGINS);
            }
        }
    }
    if signals.repair {
        for word in repair::joined(&query.words, corpus) {
            add(stems.stem(&word), 1.0);
        }
    }
    if signals.expansion && expand::helps(average_length) {
        for (word, related) in expand::related_stems(&query.words, corpus, &stems) {
            let own = postings.idf(&stems.stem(word));
            for (stem, weight) in related {
                let rarity = (own / postings.idf(&stem)).min(1.0);
                add(stem, weight * rarity);
            }
        }
    }
    let term = |(stem, weight): (String, f64)| {
        let postings = postings.with_stem(&stem);
        (!postings.is_empty()).then_some((stem, Term { weight, postings }))
    };
    weights.into_iter().filter_map(term).collect()
}

/// Scores of documents for the words of a query, by index.
pub(super) struct ByWords {
    /// Not normalised yet.
    pub(super) bm25: Vec<f64>,
    /// The share of the words, weighted by rarity, from 0 to 1.
    pub(super) words: Vec<f64>,
}

/// `most` is the score of a document that has every word once.
pub(super) fn by_words(
    terms: &Terms,
    documents: &[Document],
    average_length: f64,
    most: f64,
) -> ByWords {
    let (mut bm25, mut words) = (vec![0.0; documents.len()], vec![0.0; documents.len()]);
    for term in terms.values() {
        let weight = term.weight * idf(term.postings.len(), documents.len());
        for posting in term.postings.iter() {
            let at = posting.at as usize;
            let length = f64::from(documents[at].length);
            bm25[at] += weight * TEXT.gain(f64::from(posting.frequency), length, average_length);
            words[at] += weight;
        }
    }
    words.iter_mut().for_each(|share| *share = (*share / most.max(f64::EPSILON)).min(1.0));
    ByWords { bm25, words }
}
