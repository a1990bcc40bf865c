//! Merges the two ranked lists (memories, documents) into one. A document may stand in it several
//! times, by its best passage first.
//!
//! Invariant: pure; facts keep their relative order, and so do documents; a fact gives way to
//! documents, never to a further passage of one. The weights were measured: 240 questions in
//! everyday words on 956 facts, and 322 on 272 conversations among 1,000 documents beside them.

use crate::recall::{
    Hit, RELEVANT, Ranked,
    article::{self, PASSAGES},
};

/// A position in one of the two lists.
#[derive(Clone, Copy)]
pub(super) enum MergedHit {
    Fact(Hit),
    /// By its first chunk.
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

    /// How relevant it has to be after a strong result.
    fn least(&self) -> f64 {
        match self {
            MergedHit::Fact(hit) => least_of_fact(hit),
            MergedHit::Document(_) => WEAK,
        }
    }
}

/// Minimum number of results per kind among this many results, of those that cover this much.
const SHARE: (usize, usize) = (2, 5);
const ANSWER: f64 = 0.35;
/// What the coverage of a document counts beside that of a fact, which is the best of one text, not
/// of several; and that of its further passages beside that of another document. (With the latter,
/// 72.0 % instead of 61.2 % of the passages that answer are among the first five, and 95.0 %
/// instead of 96.6 % of their documents.)
const DOCUMENT: f64 = 0.9;
const FURTHER: f64 = 0.9;

/// A result this relevant is strong, and one this irrelevant after it is none: with a good answer,
/// what has next to nothing of the question only fills up. (Without one, it may be the best there
/// is.) Measured: no right answer among the first ten is lost.
const STRONG: f64 = 0.7;
const WEAK: f64 = 0.2;
/// The same of a fact whose session or neighbours match the question better than those of the best
/// facts do on average: they say what it is about. (With 0.2 for these too, 5 of 1,787 questions
/// about conversations lose their answer; with 0.05 to 0.16, none does.)
const WEAK_IN_CONTEXT: f64 = 0.15;

/// Merges two ranked lists, keeping each order: next comes the list whose remaining maximum is
/// higher. A kind that would be crowded out gets the last places.
pub(super) fn merged(
    facts: &Ranked<Hit>,
    documents: &Ranked<article::Hit>,
    limit: usize,
) -> Vec<MergedHit> {
    let facts: Vec<(f64, MergedHit)> =
        facts.hits.iter().map(|hit| (hit.coverage, MergedHit::Fact(*hit))).collect();
    let value = |hit: &article::Hit| DOCUMENT * hit.chunk_coverage;
    let first: Vec<(f64, MergedHit)> =
        documents.hits.iter().map(|hit| (value(hit), MergedHit::Document(*hit))).collect();
    let further = further(documents).into_iter();
    let further: Vec<(f64, MergedHit)> =
        further.map(|hit| (FURTHER * value(&hit), MergedHit::Document(hit))).collect();
    let mut left = Left::new(&facts, &first, limit);
    // A passage covers at most as much as the best of its document, which therefore precedes it.
    let all = without_weak(in_order(&facts, &in_order(&first, &further)));
    all.into_iter().map(|(_, found)| found).filter(|found| left.takes(found)).collect()
}

/// Further passages of the documents that are answers by themselves, best first.
fn further(documents: &Ranked<article::Hit>) -> Vec<article::Hit> {
    let mut further: Vec<article::Hit> = Vec::new();
    for hit in &documents.hits {
        let others = (1..PASSAGES).filter_map(|at| hit.by_chunk(at));
        further.extend(others.filter(|other| other.chunk_coverage >= RELEVANT));
    }
    further.sort_by(|a, b| b.chunk_coverage.total_cmp(&a.chunk_coverage));
    further
}

/// How many results of each kind remain.
struct Left {
    facts: usize,
    documents: usize,
}

impl Left {
    fn new(facts: &[(f64, MergedHit)], documents: &[(f64, MergedHit)], limit: usize) -> Left {
        let own = |kind: &[(f64, MergedHit)]| {
            let answers = kind.iter().take(limit.min(kind.len() * SHARE.1) * SHARE.0 / SHARE.1);
            answers.filter(|(value, _)| *value >= ANSWER).count()
        };
        let is_fact = |(_, found): &&(f64, MergedHit)| matches!(found, MergedHit::Fact(_));
        let all = without_weak(in_order(facts, documents));
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

/// How relevant a fact has to be after a strong one.
pub(super) fn least_of_fact(hit: &Hit) -> f64 {
    if hit.parts.context > 0.0 { WEAK_IN_CONTEXT } else { WEAK }
}

/// Whether a result only fills up after one that is as relevant as `strongest`: it is less relevant
/// than `least`.
pub(super) fn fills_up(strongest: f64, relevance: f64, least: f64) -> bool {
    strongest >= STRONG && relevance < least
}

/// The same of a document.
pub(crate) fn is_weak_after(strongest: f64, relevance: f64) -> bool {
    fills_up(strongest, relevance, WEAK)
}

/// Leaves out what is weak after something strong.
fn without_weak(all: Vec<(f64, MergedHit)>) -> Vec<(f64, MergedHit)> {
    let mut strongest = 0.0;
    let is_kept = |(_, found): &(f64, MergedHit)| {
        let before = strongest;
        strongest = f64::max(before, found.relevance());
        !fills_up(before, found.relevance(), found.least())
    };
    all.into_iter().filter(is_kept).collect()
}

/// Both lists in one, each found with the highest value that is still to come in its own.
fn in_order(one: &[(f64, MergedHit)], other: &[(f64, MergedHit)]) -> Vec<(f64, MergedHit)> {
    let (mut one, mut other) = (highest_to_come(one), highest_to_come(other));
    let mut all = Vec::with_capacity(one.len() + other.len());
    loop {
        let is_of_one = match (one.last(), other.last()) {
            (Some(first), Some(second)) => first.0 >= second.0,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return all,
        };
        all.extend(if is_of_one { one.pop() } else { other.pop() });
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

    fn kinds(merged: &[MergedHit]) -> String {
        let kind = |found: &MergedHit| if matches!(found, MergedHit::Fact(_)) { 'f' } else { 'd' };
        merged.iter().map(kind).collect()
    }

    fn order(of_facts: &[f64], of_documents: &[f64], limit: usize) -> String {
        kinds(&merged(&facts(of_facts), &documents(of_documents), limit))
    }

    /// Documents with the coverage of each of their passages, as the numbers of the chunks.
    fn with_passages(of: &[&[f64]]) -> Ranked<article::Hit> {
        let best: Vec<f64> = of.iter().map(|one| one[0]).collect();
        let mut ranked = documents(&best);
        for (hit, passages) in ranked.hits.iter_mut().zip(of) {
            for (chunk, coverage) in passages.iter().enumerate() {
                let why = CoverageParts::default();
                let chunk_hit = article::ChunkHit { chunk: chunk as u32, coverage: *coverage, why };
                hit.chunks[chunk] = Some(chunk_hit);
            }
        }
        ranked
    }

    /// The document and the passage of each hit.
    fn places(merged: &[MergedHit]) -> Vec<(usize, u32)> {
        let place = |found: &MergedHit| match found {
            MergedHit::Document(hit) => Some((hit.at, hit.chunks[0]?.chunk)),
            MergedHit::Fact(_) => None,
        };
        merged.iter().filter_map(place).collect()
    }

    #[test]
    fn several_passages_of_one_document_stand_in_an_answer() {
        let documents = with_passages(&[&[0.9, 0.7, 0.65], &[0.8, 0.2], &[0.5]]);
        let alone = merged(&facts(&[]), &documents, 5);
        assert_eq!(places(&alone), [(0, 0), (1, 0), (0, 1), (0, 2), (2, 0)]);
        // A second one of a document does not come before the first of a better one.
        let few = merged(&facts(&[]), &documents, 2);
        assert_eq!(places(&few), [(0, 0), (1, 0)]);
    }

    #[test]
    fn no_fact_gives_way_to_a_further_passage() {
        let deep = with_passages(&[&[0.9, 0.85, 0.8, 0.75]]);
        assert_eq!(kinds(&merged(&facts(&[0.5, 0.45, 0.4, 0.35]), &deep, 5)), "dffff");
        assert_eq!(kinds(&merged(&facts(&[0.5, 0.2, 0.1, 0.1]), &deep, 5)), "dddff");
        assert_eq!(kinds(&merged(&facts(&[0.95, 0.5]), &deep, 5)), "fdddf");
    }

    #[test]
    fn what_is_weak_after_something_strong_is_left_out() {
        assert_eq!(order(&[1.0, 0.5], &[0.11, 0.06], 5), "ff");
        assert_eq!(order(&[1.0, 0.1, 0.5], &[0.3, 0.1], 5), "ffd");
        assert_eq!(order(&[0.15, 0.1], &[0.9], 5), "d");
        assert_eq!(order(&[0.5, 0.1], &[0.1], 5), "ffd", "there may be nothing better");
    }

    #[test]
    fn a_fact_needs_less_where_its_session_matches_the_question() {
        let left = |context: f64, coverage: f64| {
            let mut found = facts(&[1.0, coverage]);
            found.hits[1].parts.context = context;
            kinds(&merged(&found, &Ranked::default(), 5))
        };
        assert_eq!((left(0.1, 0.16), left(0.1, 0.14)), ("ff".to_owned(), "f".to_owned()));
        assert_eq!((left(0.0, 0.19), left(-0.1, 0.19)), ("f".to_owned(), "f".to_owned()));
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
