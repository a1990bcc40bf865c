//! The weights of the score, and BM25. The weights were measured; `searcher` adds them up.
//!
//! Invariant: pure. Source of BM25: "The Probabilistic Relevance Framework" (Robertson and
//! Zaragoza, 2009).

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The signals that can be switched off: the name of each in settings.json, and its purpose there.
macro_rules! switches {
    ($($(#[$about:meta])* $name:ident = $purpose:literal;)+) => {
        /// The signals besides words; each can be switched off, by its name in settings.json.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Signals {
            $($(#[$about])* pub $name: bool,)+
        }

        impl Default for Signals {
            fn default() -> Signals {
                Signals { $($name: true,)+ }
            }
        }

        /// The key of each signal in settings.json, and its purpose.
        pub const SWITCHES: &[(&str, &str)] =
            &[$((concat!("recall.", stringify!($name)), $purpose),)+];
    };
}

switches! {
    /// Vectors: other words with the same meaning.
    meaning = "find facts that say the same thing in other words";
    /// Facts learned just before and after.
    context = "consider what was learned just before and after";
    /// Days, months and years in the question.
    dates = "consider dates mentioned in a question";
    /// Corrects misspelt words.
    repair = "correct misspelled words in a question";
    /// Words with nearly the same meaning as one in the question.
    expansion = "add related words to a question";
}

/// The weights that differ between kinds of texts, with cosines from the encoder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The least weight of the words, whatever they cover.
    pub(super) least: f64,
    /// The coverages up to which words have the least weight, and from which on the full one.
    pub(super) coverage: [f64; 2],
    /// How much agreement in meaning counts as coverage.
    pub(super) agreement: f64,
    /// The exponent of the normalised BM25.
    pub(super) power: f64,
    /// The weight of a cosine where words have no weight, and where they have the full one.
    pub(super) meaning: [f64; 2],
    /// The weight of the context where words have the full one.
    pub(super) context: f64,
    pub(super) date: f64,
}

/// The full weight of words is out of reach of a fact that has each of them once, in a text of
/// average length: it covers 1.0, where they weigh 0.88. A higher `least` is better for
/// conversations, higher coverages for questions in other words; from 0.095 to 0.105, 0.455 to
/// 0.465 and 1.0 to 1.1, the measured figures hardly change.
pub(super) const OF_FACTS: Weights = Weights {
    least: 0.1,
    coverage: [0.46, 1.08],
    agreement: 0.0,
    power: 1.6,
    meaning: [1.3, 1.0],
    context: 1.5,
    date: 0.6,
};
pub(super) const OF_PASSAGES: Weights = Weights {
    least: 0.08,
    coverage: [0.4, 0.8],
    agreement: 0.3,
    power: 1.3,
    meaning: [1.0, 1.0],
    context: 1.2,
    date: DATE,
};

/// Saturation and length normalisation of BM25.
pub(super) struct Bm25 {
    pub(super) k1: f64,
    pub(super) b: f64,
}

pub(super) const TEXT: Bm25 = Bm25 { k1: 0.8, b: 0.4 };
/// The weight of a cosine from the static table.
pub(super) const MEANING: f64 = 0.8;
/// Lower for Chinese and Japanese, which neither model handles well.
pub(super) const MEANING_CJK: f64 = 0.05;
pub(super) const TAG: f64 = 0.1;
/// For documents, and for facts with cosines from the static table.
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

/// What each signal contributes to a score: a field, under the head of its column where a score is
/// explained. They are added up in this order.
macro_rules! parts {
    ($(#[$about:meta])* $name:ident { $($part:ident = $head:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
        pub struct $name {
            $(pub $part: f64,)+
        }

        impl $name {
            /// The heads of the columns.
            pub fn heads() -> impl Iterator<Item = &'static str> {
                [$($head),+].into_iter()
            }

            pub fn values(&self) -> impl Iterator<Item = f64> {
                [$(self.$part),+].into_iter()
            }

            pub(super) fn sum(&self) -> f64 {
                // To negative zero, because adding that changes no number.
                self.values().fold(-0.0, |sum, part| sum + part)
            }
        }
    };
}
pub(super) use parts;

parts! {
    /// What each signal contributed to a hit.
    Parts {
        bm25 = "words";
        meaning = "meaning";
        tag = "tag";
        context = "context";
        date = "date";
        phrase = "phrase";
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
pub(super) fn best<T: Score>(
    scores: &[T],
    limit: usize,
    passes: impl Fn(f64) -> bool,
) -> Vec<usize> {
    let of = |at: usize| scores[at].get();
    let order = |a: &usize, b: &usize| of(*b).total_cmp(&of(*a)).then(a.cmp(b));
    let mut found: Vec<usize> = Vec::new();
    // Once there are enough, what is not higher than all of them cannot be among the best.
    let mut least: Option<f64> = None;
    for at in 0..scores.len() {
        let score = of(at);
        if !passes(score) || least.is_some_and(|least| score.total_cmp(&least).is_le()) {
            continue;
        }
        found.push(at);
        if found.len() > limit.saturating_mul(2).saturating_add(SPARE) {
            least = cut(&mut found, limit, order).map(of);
        }
    }
    cut(&mut found, limit, order);
    found.sort_unstable_by(order);
    found
}

/// How many more than twice as many as asked for are kept until some are let go.
const SPARE: usize = 16;

/// Lets go of all but the first ones in an order; the last of those, if there were more.
fn cut(
    found: &mut Vec<usize>,
    limit: usize,
    order: impl Fn(&usize, &usize) -> Ordering,
) -> Option<usize> {
    let last = limit.checked_sub(1).filter(|_| found.len() > limit);
    let last = last.map(|last| *found.select_nth_unstable_by(last, order).1);
    found.truncate(limit);
    last
}

/// A score, whatever its width.
pub(super) trait Score: Copy {
    fn get(self) -> f64;
}

impl Score for f64 {
    fn get(self) -> f64 {
        self
    }
}

impl Score for f32 {
    fn get(self) -> f64 {
        f64::from(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_those_of_all_in_order() {
        let mut seed = 1_u64;
        for count in [0, 1, 5, 40, 3_000] {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                ((seed >> 40) % 97) as f32 / 97.0 - 0.2
            };
            let scores: Vec<f32> = (0..count).map(|_| next()).collect();
            let wide: Vec<f64> = scores.iter().copied().map(f64::from).collect();
            let mut rising = wide.clone();
            rising.sort_by(f64::total_cmp);
            for limit in [0, 1, 3, 200, usize::MAX] {
                for scores in [&wide, &rising] {
                    let mut all: Vec<usize> =
                        (0..scores.len()).filter(|at| scores[*at] > 0.1).collect();
                    all.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
                    all.truncate(limit);
                    assert_eq!(best(scores, limit, |score| score > 0.1), all, "{count} {limit}");
                }
                let narrow = best(&scores, limit, |score| score > 0.1);
                assert_eq!(narrow, best(&wide, limit, |score| score > 0.1));
            }
        }
    }
}
