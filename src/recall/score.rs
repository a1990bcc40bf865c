//! The weights of the score, and BM25. The weights were measured; `searcher` adds them up.
//!
//! Invariant: pure. Source of BM25: "The Probabilistic Relevance Framework" (Robertson and
//! Zaragoza, 2009).

use serde::Serialize;

/// The signals besides words; each can be switched off.
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

pub(super) const TEXT: Bm25 = Bm25 { k1: 0.8, b: 0.4 };
pub(super) const MEANING: f64 = 0.8;
/// The weight of a sentence's cosine from the encoder.
pub(super) const MEANING_ENCODED: f64 = 1.0;
/// Lower for Chinese and Japanese, which neither model handles well.
pub(super) const MEANING_CJK: f64 = 0.05;
pub(super) const TAG: f64 = 0.1;
pub(super) const DATE: f64 = 0.4;
/// A quoted phrase in a query that also has other words.
pub(super) const QUOTE: f64 = 0.5;
/// The whole question, word for word.
pub(super) const PHRASE: f64 = 10.0;
/// How many candidates by words, and as many by meaning.
pub(super) const CANDIDATES: usize = 200;
/// Below this cosine, a memory without any query word is not an answer. Measured: of 155 off-topic
/// questions, 16 found one of 2,541 facts above it.
pub const MEANT: f64 = 0.45;
/// A near match is an answer from this share of the best score on.
pub(super) const NEAR: f64 = 0.3;

/// What each signal contributed to a hit.
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
    pub(super) fn sum(&self) -> f64 {
        self.bm25 + self.meaning + self.tag + self.context + self.date + self.phrase
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// Index into the documents.
    pub at: usize,
    /// Higher is better; comparable within one query.
    pub score: f64,
    /// How much of the query it covers, by words or by meaning: from 0 to 1.
    pub coverage: f64,
    pub why: CoverageParts,
    pub parts: Parts,
}

/// Why a hit covers that much of the query.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct CoverageParts {
    /// The share of the query's words, weighted by rarity.
    pub words: f64,
    /// How close its meaning is.
    pub cosine: f64,
}

pub(super) fn idf(with: usize, of: usize) -> f64 {
    let (with, of) = (with as f64, of as f64);
    ((of - with + 0.5) / (with + 0.5) + 1.0).ln()
}

impl Bm25 {
    pub(super) fn gain(&self, frequency: f64, length: f64, average: f64) -> f64 {
        let norm = self.k1 * (1.0 - self.b + self.b * length / average);
        frequency * (self.k1 + 1.0) / (frequency + norm)
    }
}

/// Normalises scores by their maximum.
pub(super) fn relative(mut scores: Vec<f64>) -> Vec<f64> {
    let highest = scores.iter().copied().fold(0.0, f64::max);
    if highest > 0.0 {
        scores.iter_mut().for_each(|score| *score /= highest);
    }
    scores
}

/// The indices of the highest scores that pass, best first; of equal scores, the first.
pub(super) fn best(scores: &[f64], limit: usize, passes: impl Fn(f64) -> bool) -> Vec<usize> {
    let order = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
    let mut found: Vec<usize> = (0..scores.len()).filter(|at| passes(scores[*at])).collect();
    if found.len() > limit {
        found.select_nth_unstable_by(limit, order);
        found.truncate(limit);
    }
    found.sort_unstable_by(order);
    found
}
