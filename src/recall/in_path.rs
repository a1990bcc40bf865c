//! How much of a query the path of a document says.
//!
//! Invariant: the share is that of stemming every word of the path. Few documents have a word of
//! the query in their paths, so only words that begin like one are stemmed, and each only once.

use super::{
    score::idf,
    terms::{Term, Terms},
    tokens::{self, Stems},
};
use std::{cell::RefCell, collections::HashMap};

/// The terms of a query, for any number of paths.
pub(super) struct InPath<'a> {
    terms: Vec<(&'a str, f64)>,
    /// The sum of all weights.
    all: f64,
    stems: Stems,
    /// The term that each word that was stemmed is.
    known: RefCell<HashMap<String, Option<usize>>>,
}

impl<'a> InPath<'a> {
    /// `texts` is the number of texts that the terms were looked up in.
    pub(super) fn of(terms: &'a Terms, texts: usize) -> InPath<'a> {
        let weight = |term: &Term| term.weight * idf(term.postings.len(), texts);
        let terms: Vec<(&str, f64)> =
            terms.iter().map(|(stem, term)| (stem.as_str(), weight(term))).collect();
        let all: f64 = terms.iter().map(|(_, weight)| weight).sum();
        InPath { terms, all, stems: Stems::default(), known: RefCell::default() }
    }

    /// The share of the query's words that are in a path, whose components are separated by `/`.
    pub(super) fn share(&self, path: &str) -> f64 {
        let mut is_there = vec![false; self.terms.len()];
        tokens::each_of_path(path, |word| {
            if let Some(at) = self.term(word) {
                is_there[at] = true;
            }
        });
        let there = self.terms.iter().zip(is_there).filter(|(_, is_there)| *is_there);
        // An empty sum is -0.0.
        there.map(|((_, weight), _)| weight).sum::<f64>() / self.all.max(f64::EPSILON) + 0.0
    }

    /// Whether the query has every word of the last component: it asks about what is called so.
    pub(super) fn names(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (mut is_any, mut are_all) = (false, true);
        tokens::each_of_path(name, |word| {
            is_any = true;
            are_all &= self.term(word).is_some();
        });
        is_any && are_all
    }

    fn term(&self, word: &str) -> Option<usize> {
        let base = Stems::base(word);
        // The stemmer changes no beginning.
        let begins = |stem: &str| stem.as_bytes().first() == base.as_bytes().first();
        if !self.terms.iter().any(|(stem, _)| begins(stem)) {
            return None;
        }
        if let Some(known) = self.known.borrow().get(word) {
            return *known;
        }
        let stem = self.stems.stem(word);
        let term = self.terms.iter().position(|(known, _)| *known == stem);
        self.known.borrow_mut().insert(word.to_owned(), term);
        term
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::corpus::Posting;

    #[test]
    fn it_is_the_share_of_all_stemmed_words() {
        let stems = ["ann", "code", "go", "prefer", "yes", "zoe", "茶"];
        let term = |at: usize| Term {
            weight: 1.0 / (at + 1) as f64,
            postings: Vec::<Posting>::new().into(),
        };
        let terms: Terms =
            stems.iter().enumerate().map(|(at, stem)| ((*stem).to_owned(), term(at))).collect();
        let stemmer = Stems::default();
        let paths = [
            "people/ann",
            "Prefers/Coding-style/went_2",
            "ann's notes/ann's",
            "zoë/茶",
            "zoë's/茶 yes's a",
            "yes/going/gone/codes/preferred",
            "",
            "///",
        ];
        let in_path = InPath::of(&terms, 100);
        // Twice, because what is known is remembered.
        for path in paths.into_iter().chain(paths) {
            let words: Vec<String> = path.split('/').flat_map(tokens::words).collect();
            let stemmed: Vec<String> = words.iter().map(|word| stemmer.stem(word)).collect();
            let weight = |term: &Term| term.weight * idf(0, 100);
            let all: f64 = terms.values().map(weight).sum();
            let there = terms.iter().filter(|(stem, _)| stemmed.contains(stem));
            let share = there.map(|(_, term)| weight(term)).sum::<f64>() / all;
            assert_eq!(in_path.share(path), share + 0.0, "{path}");
        }
        assert!(in_path.share("people/ann") > 0.0);
        for path in ["people/ann", "ann", "ann/code-go", "x/zoë"] {
            assert!(in_path.names(path), "{path}");
        }
        for path in ["ann/x", "people/ann-b", "people/", ""] {
            assert!(!in_path.names(path), "{path}");
        }
    }
}
