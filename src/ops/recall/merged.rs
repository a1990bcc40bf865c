//! Facts and documents in one order.
//!
//! Invariant: pure; facts keep their order among each other, and documents theirs.

use crate::recall::{Hit, Ranked, article};

/// A place in one of the two orders.
#[derive(Clone, Copy)]
pub(super) enum Found {
    Fact(Hit),
    Document(article::Hit),
}

/// Two orders as one. Each keeps its own; between two places, the one goes first whose order has, from
/// there on, what has most of the question.
pub(super) fn merged(
    facts: &Ranked<Hit>,
    documents: &Ranked<article::Hit>,
    limit: usize,
) -> Vec<Found> {
    let facts: Vec<(f64, Found)> =
        facts.hits.iter().map(|hit| (hit.has, Found::Fact(*hit))).collect();
    let documents: Vec<(f64, Found)> =
        documents.hits.iter().map(|hit| (hit.best, Found::Document(*hit))).collect();
    let (mut facts, mut documents) = (highest_to_come(facts), highest_to_come(documents));
    let mut all = Vec::new();
    while all.len() < limit {
        let is_fact = match (facts.last(), documents.last()) {
            (Some(fact), Some(document)) => fact.0 >= document.0,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        let next = if is_fact { facts.pop() } else { documents.pop() };
        all.extend(next.map(|(_, found)| found));
    }
    all
}

/// Each with the highest value from its place on; the first place last.
fn highest_to_come(mut places: Vec<(f64, Found)>) -> Vec<(f64, Found)> {
    places.reverse();
    let mut highest = 0.0;
    for (value, _) in &mut places {
        highest = f64::max(highest, *value);
        *value = highest;
    }
    places
}
