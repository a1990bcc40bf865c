//! The scorer: BM25 and meaning, what was said around a memory, dates, and exact phrases on top.
//!
//! Invariant: the same on every rung; recency decides only exact ties. Sources: BM25 "The
//! Probabilistic Relevance Framework" (Robertson and Zaragoza, 2009); the weights were measured.

use super::{
    around,
    collection::{Collection, TermId},
    dates::{self, When},
    embed::{self, cosine},
    expand,
    query::Query,
    repair,
    tokens::{self, Stems},
};
use jiff::civil::Date;
use serde::Serialize;
use std::collections::BTreeMap;

/// What counts beside the words; each can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signals {
    pub meaning: bool,
    pub context: bool,
    pub dates: bool,
    pub repair: bool,
    pub expansion: bool,
}

impl Default for Signals {
    fn default() -> Signals {
        Signals { meaning: true, context: true, dates: true, repair: true, expansion: true }
    }
}

/// Saturation and length normalisation of BM25.
pub(super) struct Bm25 {
    pub(super) k1: f64,
    pub(super) b: f64,
}

const TEXT: Bm25 = Bm25 { k1: 0.8, b: 0.4 };
const MEANING: f64 = 0.8;
/// The table knows little of Chinese and Japanese.
const MEANING_CJK: f64 = 0.05;
const TAG: f64 = 0.1;
const DATE: f64 = 0.4;
/// A quoted phrase in a question of other words as well.
const QUOTE: f64 = 0.5;
/// The whole question, word for word.
const PHRASE: f64 = 10.0;
/// Candidates by words, and as many by meaning.
const CANDIDATES: usize = 200;
/// Below this cosine a memory without any of the words is no answer. Measured: of 155 questions
/// about other things, 16 found one of 2,541 facts above it.
const MEANT: f64 = 0.45;
/// What is only near an answer counts as one from this share of the best score on.
const NEAR: f64 = 0.3;

/// What each signal gave to a hit.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Parts {
    pub bm25: f64,
    pub meaning: f64,
    pub tag: f64,
    pub context: f64,
    pub date: f64,
    pub phrase: f64,
}

impl Parts {
    pub(super) fn own(&self) -> f64 {
        self.bm25 + self.meaning + self.tag
    }

    fn sum(&self) -> f64 {
        self.own() + self.context + self.date + self.phrase
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// Index into the documents.
    pub at: usize,
    /// Higher is better; comparable within one query.
    pub score: f64,
    pub parts: Parts,
}

pub fn rank(
    query: &Query,
    collection: &Collection,
    signals: Signals,
    today: Date,
    limit: usize,
) -> Vec<Hit> {
    let mut hits = ranked(query, collection, signals, today);
    if hits.is_empty() && query.filters() {
        hits = ranked(&query.without_filters(), collection, signals, today);
    }
    hits.truncate(limit);
    hits
}

fn ranked(query: &Query, collection: &Collection, signals: Signals, today: Date) -> Vec<Hit> {
    let count = collection.len();
    let terms = weighted_terms(query, collection, signals);
    let bm25 = relative(&bm25_of_texts(&terms, collection));
    let cos = meaning(query, collection, signals);
    let wanted = meaning_weight(&query.text);
    let whens = if signals.dates { dates::named(&query.text, today) } else { Vec::new() };
    let mut parts: Vec<Parts> = (0..count)
        .map(|at| {
            let document = &collection.documents[at];
            let tag = document.tags.iter().any(|tag| terms.contains_key(tag));
            Parts {
                bm25: bm25[at],
                meaning: wanted * cos[at],
                tag: if tag { TAG } else { 0.0 },
                date: DATE * date(&whens, document.created),
                phrase: phrase(query, &document.lower),
                ..Parts::default()
            }
        })
        .collect();
    let mut is_candidate = vec![false; count];
    for at in best(&bm25, CANDIDATES, |score| score > 0.0) {
        is_candidate[at] = true;
    }
    for at in best(&cos, CANDIDATES, |cos| cos >= MEANT) {
        is_candidate[at] = true;
    }
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.phrase > 0.0) {
        is_candidate[at] |= part.phrase > 0.0;
    }
    if signals.context {
        around::add(&mut parts, &mut is_candidate, &terms, collection);
    }
    let excluded = excluded(query, collection);
    let allowed = |at: &usize| {
        is_candidate[*at] && !excluded[*at] && has_required(query, &collection.documents[*at].lower)
    };
    let mut hits: Vec<Hit> = (0..count)
        .filter(allowed)
        .map(|at| Hit { at, score: parts[at].sum(), parts: parts[at] })
        .collect();
    let created = |hit: &Hit| collection.documents[hit.at].created;
    hits.sort_by(|a, b| {
        let newer = created(b).cmp(&created(a));
        b.score.total_cmp(&a.score).then(newer).then(a.at.cmp(&b.at))
    });
    let least = hits.first().map_or(0.0, |best| NEAR * best.score);
    hits.retain(|hit| hit.parts.bm25 > 0.0 || cos[hit.at] >= MEANT || hit.score >= least);
    hits
}

/// The terms to look for, each with its weight: words as they are, repaired, joined, expanded.
fn weighted_terms(
    query: &Query,
    collection: &Collection,
    signals: Signals,
) -> BTreeMap<TermId, f64> {
    let stems = Stems::default();
    let mut terms: BTreeMap<TermId, f64> = BTreeMap::new();
    let mut add = |term: TermId, weight: f64| {
        let known = terms.entry(term).or_insert(weight);
        *known = known.max(weight);
    };
    let mut idfs: Vec<(&String, f64)> = Vec::new();
    for word in &query.words {
        match collection.term(&stems.of(word)) {
            Some(term) => {
                add(term, 1.0);
                idfs.push((word, idf_of(term, collection)));
            }
            None => {
                idfs.push((word, idf(0, collection.len())));
                let repaired = match signals.repair {
                    true => repair::unknown(word, collection),
                    false => Vec::new(),
                };
                let begun = || repair::begun(word, collection);
                let found = if repaired.is_empty() { begun() } else { repaired };
                found.into_iter().for_each(|(term, weight)| add(term, weight));
            }
        }
    }
    if signals.repair {
        repair::joined(&query.words, collection).into_iter().for_each(|term| add(term, 1.0));
    }
    if signals.expansion {
        for (word, own) in idfs {
            let near = expand::of(word, collection, own, |term| idf_of(term, collection));
            near.into_iter().for_each(|(term, weight)| add(term, weight));
        }
    }
    terms
}

pub(super) fn idf(with: usize, of: usize) -> f64 {
    let (with, of) = (with as f64, of as f64);
    ((of - with + 0.5) / (with + 0.5) + 1.0).ln()
}

pub(super) fn idf_of(term: TermId, collection: &Collection) -> f64 {
    idf(collection.terms[term as usize].postings.len(), collection.len())
}

impl Bm25 {
    pub(super) fn gain(&self, often: f64, length: f64, average: f64) -> f64 {
        let norm = self.k1 * (1.0 - self.b + self.b * length / average);
        often * (self.k1 + 1.0) / (often + norm)
    }
}

fn bm25_of_texts(terms: &BTreeMap<TermId, f64>, collection: &Collection) -> Vec<f64> {
    let mut scores = vec![0.0; collection.len()];
    for (term, weight) in terms {
        let weight = weight * idf_of(*term, collection);
        for (at, often) in &collection.terms[*term as usize].postings {
            let length = f64::from(collection.documents[*at as usize].length);
            let gain = TEXT.gain(f64::from(*often), length, collection.average_length);
            scores[*at as usize] += weight * gain;
        }
    }
    scores
}

/// Each divided by the highest.
pub(super) fn relative(scores: &[f64]) -> Vec<f64> {
    let highest = scores.iter().copied().fold(0.0, f64::max);
    scores.iter().map(|score| if highest > 0.0 { score / highest } else { 0.0 }).collect()
}

fn meaning(query: &Query, collection: &Collection, signals: Signals) -> Vec<f64> {
    if !signals.meaning {
        return vec![0.0; collection.len()];
    }
    let asked = embed::embed(&query.text);
    collection.vectors().iter().map(|vector| f64::from(cosine(&asked, vector))).collect()
}

fn meaning_weight(text: &str) -> f64 {
    let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let cjk = letters.iter().filter(|letter| tokens::is_cjk(**letter)).count();
    let share = cjk as f64 / letters.len().max(1) as f64;
    MEANING * (1.0 - share) + MEANING_CJK * share
}

fn date(whens: &[When], created: i64) -> f64 {
    whens.iter().map(|when| when.score(created)).fold(0.0, f64::max)
}

fn phrase(query: &Query, lower: &str) -> f64 {
    let quotes = query.quotes.iter().filter(|quote| lower.contains(quote.as_str())).count();
    let whole = !query.phrase.is_empty() && lower.contains(&query.phrase);
    QUOTE * quotes as f64 + if whole { PHRASE } else { 0.0 }
}

fn excluded(query: &Query, collection: &Collection) -> Vec<bool> {
    let mut excluded = vec![false; collection.len()];
    for term in query.excluded.iter().filter_map(|stem| collection.term(stem)) {
        for (at, _) in &collection.terms[term as usize].postings {
            excluded[*at as usize] = true;
        }
    }
    excluded
}

fn has_required(query: &Query, lower: &str) -> bool {
    let has_one = |group: &Vec<String>| group.iter().any(|phrase| lower.contains(phrase.as_str()));
    query.required.iter().all(has_one)
}

/// The documents with the highest scores that pass.
pub(super) fn best(scores: &[f64], limit: usize, passes: impl Fn(f64) -> bool) -> Vec<usize> {
    let mut found: Vec<usize> = (0..scores.len()).filter(|at| passes(scores[*at])).collect();
    found.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    found.truncate(limit);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::Candidate;
    use jiff::civil::date;

    fn collection() -> Collection {
        let make = |(at, (body, tag)): (usize, (&str, &str))| Candidate {
            body: body.into(),
            tags: vec![tag.into()],
            created: at as i64,
            source: format!("{at}"),
        };
        let facts = [
            ("User prefers async/await over callbacks", "python"),
            ("Always run uv sync before pytest", "testing"),
            ("Prefers pytest as a test runner", "testing"),
            ("Lives in Seattle", "life"),
            ("Notes on global warming", "reading"),
        ];
        Collection::of(&facts.into_iter().enumerate().map(make).collect::<Vec<_>>())
    }

    fn best_of(query: &str) -> Vec<usize> {
        let hits =
            rank(&Query::parse(query), &collection(), Signals::default(), date(2026, 1, 1), 5);
        hits.iter().map(|hit| hit.at).collect()
    }

    #[test]
    fn phrases_words_tags_and_exclusion() {
        assert_eq!(best_of("async/await over").first(), Some(&0));
        assert_eq!(best_of("which test runner do I like?").first(), Some(&2));
        assert_eq!(best_of("PYTHON").first(), Some(&0));
        assert_eq!(best_of("pytest -uv"), [2]);
        assert_eq!(best_of("\"uv sync\""), [1]);
        assert_eq!(best_of("seat").first(), Some(&3));
        assert_eq!(best_of("xylophone quartet"), Vec::<usize>::new());
    }

    #[test]
    fn other_words_typos_and_what_filters_all_away() {
        assert_eq!(best_of("climate change").first(), Some(&4));
        assert_eq!(best_of("seatle").first(), Some(&3));
        assert_eq!(best_of("py test").first(), Some(&2));
        assert_eq!(best_of("\"callbacks over\"").first(), Some(&0), "answered without the quotes");
    }

    proptest::proptest! {
        #[test]
        fn no_query_is_an_error(text in ".{0,40}") {
            best_of(&text);
        }
    }
}
