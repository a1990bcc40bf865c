//! The terms that a query searches for, each with its weight: exact, spelling-corrected, joined,
//! prefix and expanded; and what documents score for them.
//!
//! Invariant: pure; a word that some text has is never corrected.

use super::{
    corpus::{Document, Posting},
    expand, languages,
    query::Query,
    repair,
    score::{Signals, TEXT, idf},
    together,
    tokens::Stems,
};
use std::{collections::BTreeMap, rc::Rc};

pub use super::postings::Postings;

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
    let mut found = Found::default();
    let joined = if signals.repair { repair::joined(query, postings) } else { Vec::new() };
    for word in &query.words {
        let stem = stems.stem(word);
        let forms = languages::forms(word, &query.languages, corpus);
        for form in &forms {
            found.add(stems.stem(form), 1.0);
        }
        if !postings.with_stem(&stem).is_empty() {
            found.add(stem, 1.0);
            continue;
        }
        let is_joined = joined.iter().any(|one| one.parts.contains(word));
        if forms.is_empty() && !is_joined {
            found.add_unknown(word, query, postings, signals);
        }
    }
    for one in &joined {
        // It stands for each of its parts that no text has.
        let unknown = one.parts.iter().filter(|part| postings.is_unknown(part)).count();
        found.add(stems.stem(&one.word), unknown.max(1) as f64);
    }
    if signals.expansion && expand::helps(average_length) {
        for (word, related) in expand::related_stems(&query.words, corpus, &stems) {
            let own = postings.idf(&stems.stem(word));
            for (stem, weight) in related {
                let rarity = (own / postings.idf(&stem)).min(1.0);
                found.add(stem, weight * rarity);
            }
        }
    }
    let term = |(stem, weight): (String, f64)| {
        let postings = postings.with_stem(&stem);
        (!postings.is_empty()).then_some((stem, Term { weight, postings }))
    };
    found.weights.into_iter().filter_map(term).chain(found.together).collect()
}

/// The terms of a query while they are looked for.
#[derive(Default)]
struct Found {
    stems: Stems,
    weights: BTreeMap<String, f64>,
    /// Words that texts write as several, under these with blanks between: no stem has any.
    together: Terms,
}

impl Found {
    fn add(&mut self, stem: String, weight: f64) {
        let known = self.weights.entry(stem).or_insert(weight);
        *known = known.max(weight);
    }

    fn add_word(&mut self, word: &str, weight: f64) {
        let stem = self.stems.stem(word);
        self.add(stem, weight);
    }

    /// Adds what a word that no text has may stand for.
    fn add_unknown(
        &mut self,
        word: &str,
        query: &Query,
        postings: &Postings<'_>,
        signals: Signals,
    ) {
        let corpus = postings.corpus;
        let repaired = if signals.repair {
            let respelt = repair::respelt(word, postings);
            if !respelt.is_empty() {
                return respelt.iter().for_each(|(known, weight)| self.add_word(known, *weight));
            }
            let in_parts = together::find(word, postings);
            if let Some((parts, found)) = in_parts.filter(|_| repair::slip(word, corpus).is_none())
            {
                let term = Term { weight: 1.0, postings: found };
                self.together.insert(parts, term);
                return;
            }
            repair::unknown(word, corpus)
        } else {
            Vec::new()
        };
        for known in &repaired {
            self.add_word(known, repair::REPAIRED);
            for form in languages::forms(known, &query.languages, corpus) {
                self.add_word(&form, repair::REPAIRED);
            }
        }
        if repaired.is_empty() {
            for known in corpus.beginning_with(word).all() {
                self.add_word(known.text, repair::BEGINS);
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{Candidate, Collection};

    /// The weights of the terms of a question to these texts, but for expansion.
    fn asked(text: &str, bodies: &[&str]) -> Vec<(String, f64)> {
        let candidate =
            |body: &&str| Candidate { body: (*body).to_owned(), ..Candidate::default() };
        let all = Collection::new(&bodies.iter().map(candidate).collect::<Vec<_>>());
        let signals = Signals { expansion: false, ..Signals::default() };
        let terms = weighted(&Query::parse(text), &Postings::new(&all), 10.0, signals);
        terms.into_iter().map(|(stem, term)| (stem, term.weight)).collect()
    }

    fn are(found: &[(String, f64)], expected: &[(&str, f64)]) -> bool {
        found.iter().map(|(stem, weight)| (stem.as_str(), *weight)).eq(expected.iter().copied())
    }

    #[test]
    fn a_number_is_the_same_with_separators() {
        let bodies = ["The budget is 12,500 EUR", "Born in 2026", "A flat of 12500 bricks"];
        let without = &bodies[..2];
        for (text, bodies, expected) in [
            ("12500", without, &[("12 500", 1.0)][..]),
            ("12500", &bodies[..], &[("12500", 1.0)]),
            ("12,500", &bodies[2..], &[("12500", 2.0)]),
            ("2026", without, &[("2026", 1.0)]),
        ] {
            let found = asked(text, bodies);
            assert!(are(&found, expected), "{text}: {found:?}");
        }
        let million = asked("1,234,567", &["Has 1234567 inhabitants"]);
        assert!(are(&million, &[("1234567", 3.0)]), "{million:?}");
    }

    #[test]
    fn words_are_the_same_with_a_hyphen_a_blank_or_neither() {
        for (text, body, expected) in [
            ("parseManifestV2", "parse_manifest_v2 is hot", ("parse manifest v2", 1.0)),
            ("oncall", "Tomás is on call", ("on call", 1.0)),
            ("stand-up", "Our standup is at nine", ("standup", 1.0)),
            ("stand up", "Our standup is at nine", ("standup", 1.0)),
            ("e-mail", "Send an email first", ("email", 2.0)),
            ("email", "Send an e-mail first", ("e mail", 1.0)),
            ("tp 764", "Flight TP764 to Oslo", ("tp764", 2.0)),
            ("Schloß", "Das Schloss am See", ("schloss", 1.0)),
            ("Schloss", "Das Schloß am See", ("schloß", 1.0)),
            ("Schloß", "Das Fahrradschloss klemmt", ("fahrradschloss", 0.8)),
        ] {
            let found = asked(text, &[body]);
            assert!(are(&found, &[expected]), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_name_after_a_function_word_is_no_other_word() {
        for (text, body) in [("what did I promise to Ken", "A token"), ("who is Sue", "An issue")] {
            let found = asked(text, &[body]);
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }

    #[test]
    fn one_wrong_letter_is_likelier_than_two_words() {
        let bodies = ["Plugged in port 3", "Import it as CSV", "Das Haus ist in den Bergen"];
        let found = asked("inport", &bodies);
        assert!(are(&found, &[("import", 0.8)]), "{found:?}");
        let found =
            asked("who is my denist", &["My dentist is Dr. Okafor", "Wer ist in den Bergen"]);
        assert!(are(&found, &[("dentist", 0.8)]), "{found:?}");
        assert!(asked("denist", &bodies).is_empty(), "two function words are no split");
        let found = asked("testrunner", &["A test", "The runner"]);
        assert!(are(&found, &[("runner", 0.8), ("test", 0.8)]), "{found:?}");
    }
}
