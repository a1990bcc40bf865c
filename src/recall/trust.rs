//! Per-query weights of lexical and semantic scores.
//!
//! Invariant: pure. The weights and thresholds were measured; with vectors of the static table,
//! those measured with that table are used.

use super::{
    query::Query,
    score::{DATE, MEANING, MEANING_CJK, OF_PASSAGES, Weights, best},
    terms::Postings,
    tokens::{self, Stems},
};
use serde::Serialize;
use std::collections::BTreeSet;

/// The relevance shown for a text that barely counts as an answer.
pub const RELEVANT: f64 = 0.3;
/// The share of a query's letters that the encoder must know for its cosines to mean anything.
const KNOWN: f64 = 0.5;
/// How many of the best by words are checked for a match in meaning.
const ASKED: usize = 3;
/// How much each deviation counts by which the nearest text stands out.
const STANDS_OUT: f64 = 0.05;
/// The agreement that adds nothing to the coverage.
const NEUTRAL_AGREEMENT: f64 = 0.8;

/// How well the words and the meaning of a query match the collection.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Trust {
    /// How much of the query's words the best text has, weighted by rarity: about 0 to 1.
    pub coverage: f64,
    /// How near the best by words come in meaning to the best by meaning: 0 to 1.
    pub agreement: f64,
    /// The highest cosine of all texts.
    pub nearest: f64,
    /// The same, and more where it is far above the others: what tells whether there is an answer.
    pub certainty: f64,
    /// The resulting weight of the words, at most 1.
    pub words: f64,
}

impl Trust {
    /// `bm25` is not normalised yet; `most` is the score of a text that has every query word once.
    pub(super) fn measure(bm25: &[f64], most: f64, cos: &[f32], weights: &Weights) -> Trust {
        let highest = |scores: &[f64]| scores.iter().copied().fold(0.0, f64::max);
        let coverage = if most > 0.0 { highest(bm25) / most } else { 0.0 };
        let wide = || cos.iter().copied().map(f64::from);
        let nearest = wide().fold(f64::MIN, f64::max);
        let mean = wide().sum::<f64>() / cos.len().max(1) as f64;
        let by_words = best(bm25, ASKED, |score| score > 0.0);
        let also = by_words.into_iter().map(|at| f64::from(cos[at])).fold(mean, f64::max);
        let spread = nearest - mean;
        let agreement = if spread > f64::EPSILON { (also - mean) / spread } else { 0.0 };
        let (nearest, certainty) = (nearest.max(0.0), certainty(cos));
        let trust = Trust { coverage, agreement, nearest, certainty, words: weights.least };
        Trust { words: trust.by(weights), ..trust }
    }

    /// The weight of the words, from the least one to 1.
    fn by(&self, weights: &Weights) -> f64 {
        let [none, all] = weights.coverage;
        let agreed = weights.agreement * (self.agreement - NEUTRAL_AGREEMENT);
        let trusted = ((self.coverage + agreed - none) / (all - none)).clamp(0.0, 1.0);
        weights.least + (1.0 - weights.least) * trusted
    }
}

/// The highest cosine, and more where it is far from the mean.
fn certainty(cos: &[f32]) -> f64 {
    let wide = || cos.iter().copied().map(f64::from);
    let (count, nearest) = (cos.len().max(1) as f64, wide().fold(0.0, f64::max));
    let mean = wide().sum::<f64>() / count;
    let variance = wide().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
    let deviation = variance.sqrt();
    let stands_out = if deviation > f64::EPSILON { (nearest - mean) / deviation } else { 0.0 };
    nearest + STANDS_OUT * stands_out
}

/// The cosine from which a text without any query word is an answer: higher in a large collection,
/// where the best cosine is high by chance.
pub(super) fn meant(texts: usize) -> f64 {
    by_chance(texts).min(0.32)
}

/// Like [`meant`] but without a cap: comparable between texts of several kinds.
fn by_chance(texts: usize) -> f64 {
    let few = 12.0;
    0.16 + 0.036 * ((texts as f64).max(few) / few).ln()
}

/// The score of a text that has every significant query word once; a word that occurs nowhere
/// counts as the rarest.
pub(super) fn most(query: &Query, postings: &Postings<'_>) -> f64 {
    let stems = Stems::default();
    let different: BTreeSet<String> = query.words.iter().map(|word| stems.stem(word)).collect();
    different.iter().map(|stem| postings.idf(stem)).sum()
}

/// How the signals are weighted for one query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) words: f64,
    /// The exponent of the normalised BM25.
    pub(super) power: f64,
    /// The weight of a cosine.
    pub(super) meaning: f64,
    pub(super) context: f64,
    pub(super) date: f64,
    /// How far a text's words count as covering the query: the same for every kind of text.
    covering: f64,
    /// The cosine from which a text without any query word may be an answer, after better ones.
    pub(super) candidate: f64,
    /// Cosine from which a text without any query word is an answer in its own right.
    pub(super) meant: f64,
    /// Cosine expected by chance among this many texts; `None` if the encoder does not know the
    /// language.
    chance: Option<f64>,
}

impl Scale {
    /// For cosines from the static table.
    pub(super) fn of_table(text: &str, meant: f64) -> Scale {
        let meaning = weight(text, MEANING);
        Scale {
            words: 1.0,
            power: 1.0,
            meaning,
            context: 1.0,
            date: DATE,
            covering: 1.0,
            candidate: meant,
            meant,
            chance: None,
        }
    }

    /// For cosines from the encoder, among this many texts.
    pub(super) fn of_encoder(text: &str, trust: &Trust, weights: &Weights, texts: usize) -> Scale {
        let (words, meant) = (trust.words, meant(texts));
        let [alone, beside] = weights.meaning;
        let is_known = weight(text, 1.0) >= KNOWN;
        Scale {
            words,
            power: weights.power,
            meaning: weight(text, words * beside + (1.0 - words) * alone),
            context: weights.context * words,
            date: weights.date,
            covering: trust.by(&OF_PASSAGES),
            candidate: 0.0,
            meant,
            chance: is_known.then(|| by_chance(texts)),
        }
    }

    /// How much of a query a text covers, from 0 to 1; [`RELEVANT`] is barely an answer.
    pub(super) fn coverage(&self, words: f64, cos: f64) -> f64 {
        let cos = cos.max(0.0);
        let means = match (self.candidate < self.meant, cos < self.meant) {
            // The table's cosines are taken as they are.
            (false, _) => cos,
            (true, true) => RELEVANT * cos / self.meant,
            (true, false) => RELEVANT + (1.0 - RELEVANT) * (cos - self.meant) / (1.0 - self.meant),
        };
        (1.0 - (1.0 - self.covering * words) * (1.0 - means)).clamp(0.0, 1.0)
    }

    /// Like `coverage`, but comparable between texts of several kinds. In a large collection some
    /// text has the query's words by chance, so they count only as far as its meaning agrees: not
    /// at all below two thirds of the cosine expected by chance, and fully from four thirds on.
    /// (Measured with 1,000 facts and 38,000 passages.)
    pub(super) fn comparable_coverage(&self, words: f64, cos: f64) -> f64 {
        let Some(chance) = self.chance else { return self.coverage(words, cos) };
        let is_meant = (1.5 * cos / chance - 1.0).clamp(0.0, 1.0);
        Scale { meant: chance, ..*self }.coverage(words * is_meant, cos)
    }

    /// Scales the weight of the cosine.
    pub(super) fn with_meaning(self, share: f64) -> Scale {
        Scale { meaning: share * self.meaning, ..self }
    }
}

/// The weight of a cosine: `usual`, but low for Chinese and Japanese.
pub(super) fn weight(text: &str, usual: f64) -> f64 {
    let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let cjk = letters.iter().filter(|letter| tokens::is_cjk(**letter)).count();
    let share = cjk as f64 / letters.len().max(1) as f64;
    usual * (1.0 - share) + MEANING_CJK * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::score::OF_FACTS;

    #[test]
    fn what_stands_out_is_more_certain() {
        let even = certainty(&[0.4, 0.39, 0.41, 0.4]);
        let mut cosines = vec![0.1; 60];
        cosines[7] = 0.4;
        assert!(certainty(&cosines) > even);
        assert_eq!((certainty(&[]), certainty(&[-0.2])), (0.0, 0.0));
        assert!((certainty(&[0.5]) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn words_are_trusted_where_they_cover_the_question_and_mean_it() {
        for weights in [OF_FACTS, OF_PASSAGES] {
            let whole = Trust::measure(&[4.5, 0.0, 0.0], 4.0, &[0.8, 0.1, 0.0], &weights);
            assert_eq!((whole.coverage, whole.agreement, whole.words), (1.125, 1.0, 1.0));
            let weak = Trust::measure(&[1.0, 0.0, 0.0], 4.0, &[0.0, 0.7, 0.1], &weights);
            assert_eq!((weak.coverage, weak.words), (0.25, weights.least));
            let none = Trust::measure(&[], 0.0, &[], &weights);
            assert!(none.words == weights.least && none.nearest == 0.0);
        }
    }

    #[test]
    fn agreement_counts_for_passages_alone() {
        let words =
            |cos: &[f32], weights| Trust::measure(&[2.9, 0.0, 0.0], 4.0, cos, weights).words;
        let (agreed, apart) = ([0.8, 0.1, 0.0], [0.0, 0.7, 0.1]);
        // 0.1 + 0.9 · (0.725 − 0.46) / 0.62
        assert!((words(&agreed, &OF_FACTS) - 0.484677).abs() < 1e-6);
        assert_eq!(words(&agreed, &OF_FACTS), words(&apart, &OF_FACTS));
        // 0.08 + 0.92 · (0.725 + 0.3 · 0.2 − 0.4) / 0.4, and with − 0.3 · 0.8
        assert!((words(&agreed, &OF_PASSAGES) - 0.9655).abs() < 1e-6);
        assert!((words(&apart, &OF_PASSAGES) - 0.2755).abs() < 1e-6);
    }

    #[test]
    fn what_is_meant_grows_with_the_number_of_texts() {
        assert_eq!(meant(3), 0.16);
        assert!(meant(12) < meant(300) && meant(300) < meant(900));
        assert_eq!(meant(1_000_000), 0.32);
    }
}
