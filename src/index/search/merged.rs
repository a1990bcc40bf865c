//! Merges the two ranked lists (memories, documents) into one.
//!
//! Invariant: pure; facts keep their relative order, and so do documents.

use crate::recall::{Hit, RELEVANT, Ranked, article};

/// A position in one of the two lists.
#[derive(Clone, Copy)]
pub(super) enum MergedHit {
    Fact(Hit),
    Document(article::Hit),
}

impl MergedHit {
    /// How much of the question it covers, comparable between both kinds.
    fn relevance(&self) -> f64 {
        match self {
            MergedHit::Fact(hit) => hit.coverage,
            MergedHit::Document(hit) => hit.chunk_coverage,
        }
    }
}

/// Minimum number of results per kind among this many results.
const SHARE: (usize, usize) = (2, 5);

/// A result this relevant is strong, and one this irrelevant after it is none: with a good answer,
/// what has next to nothing of the question only fills up. (Without one, it may be the best there
/// is.) Measured: no right answer among the first ten is lost.
const STRONG: f64 = 0.7;
const WEAK: f64 = 0.2;

/// Merges two ranked lists, keeping each order: next comes the list whose remaining maximum is
/// higher. A kind that would be crowded out gets the last places.
pub(super) fn merged(
    facts: &Ranked<Hit>,
    documents: &Ranked<article::Hit>,
    limit: usize,
) -> Vec<MergedHit> {
    let facts: Vec<(f64, MergedHit)> =
        facts.hits.iter().map(|hit| (hit.coverage, MergedHit::Fact(*hit))).collect();
    let documents: Vec<(f64, MergedHit)> =
        documents.hits.iter().map(|hit| (hit.chunk_coverage, MergedHit::Document(*hit))).collect();
    let all = without_weak(in_order(&facts, &documents));
    let mut left = Left::new(&facts, &documents, &all, limit);
    all.into_iter().filter(|found| left.takes(found)).collect()
}

/// How many results of each kind remain.
struct Left {
    facts: usize,
    documents: usize,
}

impl Left {
    fn new(
        facts: &[(f64, MergedHit)],
        documents: &[(f64, MergedHit)],
        all: &[MergedHit],
        limit: usize,
    ) -> Left {
        let own = |kind: &[(f64, MergedHit)]| {
            let answers = kind.iter().take(limit.min(kind.len() * SHARE.1) * SHARE.0 / SHARE.1);
            answers.filter(|(value, _)| *value >= RELEVANT).count()
        };
        let is_fact = |found: &&MergedHit| matches!(found, MergedHit::Fact(_));
        let by_order = all.iter().take(limit).filter(is_fact).count();
        let facts = by_order.max(own(facts)).min(limit - own(documents));
        Left { facts, documents: limit - facts }
    }

    fn takes(&mut self, found: &MergedHit) -> bool {
        let left = match found {
            MergedHit::Fact(_) => &mut self.facts,
            MergedHit::Document(_) => &mut self.documents,
        };
        let takes = *left > 0;
        *left -= usize::from(takes);
        takes
    }
}

/// Whether a result only fills up after one that is as relevant as `strongest`.
pub(crate) fn is_weak_after(strongest: f64, relevance: f64) -> bool {
    strongest >= STRONG && relevance < WEAK
}

/// Leaves out what is weak after something strong.
fn without_weak(all: Vec<MergedHit>) -> Vec<MergedHit> {
    let is_kept = |(before, found): (f64, &MergedHit)| !is_weak_after(before, found.relevance());
    let strongest = all.iter().scan(0.0, |highest, found| {
        let before = *highest;
        *highest = f64::max(before, found.relevance());
        Some(before)
    });
    let kept: Vec<bool> = strongest.zip(&all).map(is_kept).collect();
    all.into_iter().zip(kept).filter(|(_, is_kept)| *is_kept).map(|(found, _)| found).collect()
}

fn in_order(facts: &[(f64, MergedHit)], documents: &[(f64, MergedHit)]) -> Vec<MergedHit> {
    let (mut facts, mut documents) = (highest_to_come(facts), highest_to_come(documents));
    let mut all = Vec::new();
    loop {
        let is_fact = match (facts.last(), documents.last()) {
            (Some(fact), Some(document)) => fact.0 >= document.0,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return all,
        };
        let next = if is_fact { facts.pop() } else { documents.pop() };
        all.extend(next.map(|(_, found)| found));
    }
}

/// Suffix maxima, in reverse order.
fn highest_to_come(places: &[(f64, MergedHit)]) -> Vec<(f64, MergedHit)> {
    let mut highest = 0.0;
    let of = |(value, found): &(f64, MergedHit)| {
        highest = f64::max(highest, *value);
        (highest, *found)
    };
    places.iter().rev().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{CoverageParts, Parts};

    fn facts(values: &[f64]) -> Ranked<Hit> {
        let hit = |(at, coverage): (usize, &f64)| Hit {
            at,
            score: *coverage,
            coverage: *coverage,
            why: CoverageParts::default(),
            parts: Parts::default(),
        };
        Ranked { hits: values.iter().enumerate().map(hit).collect(), ..Ranked::default() }
    }

    fn documents(values: &[f64]) -> Ranked<article::Hit> {
        let hit = |(at, coverage): (usize, &f64)| article::Hit {
            at,
            score: *coverage,
            relevance: *coverage,
            coverage: *coverage,
            chunk_coverage: *coverage,
            chunk_relevance: *coverage,
            why: CoverageParts::default(),
            chunks: [None; 4],
            parts: article::ArticleParts::default(),
        };
        Ranked { hits: values.iter().enumerate().map(hit).collect(), ..Ranked::default() }
    }

    fn order(of_facts: &[f64], of_documents: &[f64], limit: usize) -> String {
        let merged = merged(&facts(of_facts), &documents(of_documents), limit);
        merged
            .iter()
            .map(|found| if matches!(found, MergedHit::Fact(_)) { 'f' } else { 'd' })
            .collect()
    }

    #[test]
    fn what_is_weak_after_something_strong_is_left_out() {
        assert_eq!(order(&[1.0, 0.5], &[0.11, 0.06], 5), "ff");
        assert_eq!(order(&[1.0, 0.1, 0.5], &[0.3, 0.1], 5), "ffd");
        assert_eq!(order(&[0.15, 0.1], &[0.9], 5), "d");
        assert_eq!(order(&[0.5, 0.1], &[0.1], 5), "ffd", "there may be nothing better");
    }

    #[test]
    fn the_better_answer_goes_first_and_no_kind_drives_the_other_out() {
        assert_eq!(order(&[0.9, 0.2], &[0.5], 5), "fdf");
        assert_eq!(order(&[0.2, 0.9], &[0.5], 5), "ffd", "each kind keeps its order");
        let many = [0.9, 0.8, 0.7, 0.6, 0.55, 0.5];
        assert_eq!(order(&[0.45, 0.4, 0.35], &many, 5), "dddff");
        assert_eq!(order(&many, &[0.45, 0.4, 0.35], 5), "fffdd");
        assert_eq!(order(&[0.2, 0.1], &many, 5), "ddddd", "what is no answer has no share");
        assert_eq!(order(&[0.45], &many, 1), "d");
        assert_eq!(order(&[], &many, 3), "ddd");
    }
}
