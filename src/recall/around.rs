//! What was said around a memory: its session, and its neighbours in it.
//!
//! Invariant: pure; a memory that was saved alone neither gains nor loses.

use super::{
    collection::{Collection, TermId},
    score::{Bm25, Parts, best, idf, idf_of, relative},
};
use std::collections::BTreeMap;

const CONTEXT: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
const SESSION: f64 = 0.5;
const WINDOW: f64 = 0.3;
/// Sessions whose members are candidates.
const SESSIONS: usize = 10;
/// The best memories, whose context is the measure for the others.
const MEASURE: usize = 20;

/// What was said around each memory. A lone memory counts as the mean of the best ones that are
/// not alone, so that it neither gains nor loses.
pub(super) fn add(
    parts: &mut [Parts],
    is_candidate: &mut [bool],
    terms: &BTreeMap<TermId, f64>,
    collection: &Collection,
) {
    let weight = collection.sessions.weight();
    if weight <= 0.0 {
        return;
    }
    let of_sessions = relative(&bm25_of_sessions(terms, collection));
    for session in best(&of_sessions, SESSIONS, |score| score > 0.0) {
        for member in collection.sessions.members(session) {
            is_candidate[*member as usize] = true;
        }
    }
    let of_windows = relative(&bm25_of_windows(terms, collection));
    let context: Vec<Option<f64>> = (0..collection.len())
        .map(|at| {
            let session = collection.sessions.session_of(at);
            let value = SESSION * of_sessions[session] + WINDOW * of_windows[at];
            (!collection.sessions.is_alone(at)).then_some(value)
        })
        .collect();
    let own: Vec<f64> = parts.iter().map(Parts::own).collect();
    let top = best(&own, MEASURE, |_| true);
    let among: Vec<f64> = top.into_iter().filter_map(|at| context[at]).collect();
    let mean = among.iter().sum::<f64>() / among.len().max(1) as f64;
    for (part, context) in parts.iter_mut().zip(context) {
        part.context = weight * (context.unwrap_or(mean) - mean);
    }
}

/// BM25 of each session's texts joined.
fn bm25_of_sessions(terms: &BTreeMap<TermId, f64>, collection: &Collection) -> Vec<f64> {
    let sessions = &collection.sessions;
    let mut lengths = vec![0.0; sessions.len()];
    for (at, document) in collection.documents.iter().enumerate() {
        lengths[sessions.session_of(at)] += f64::from(document.length);
    }
    let average = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64).max(1.0);
    let mut scores = vec![0.0; sessions.len()];
    for (term, weight) in terms {
        let mut often: BTreeMap<usize, f64> = BTreeMap::new();
        for (at, count) in &collection.terms[*term as usize].postings {
            *often.entry(sessions.session_of(*at as usize)).or_default() += f64::from(*count);
        }
        let weight = weight * idf(often.len(), sessions.len());
        for (session, often) in often {
            scores[session] += weight * CONTEXT.gain(often, lengths[session], average);
        }
    }
    scores
}

/// BM25 of the neighbours of each memory, without itself.
fn bm25_of_windows(terms: &BTreeMap<TermId, f64>, collection: &Collection) -> Vec<f64> {
    let sessions = &collection.sessions;
    let length = |at: usize| -> f64 {
        let near = sessions.neighbours(at);
        near.map(|(other, weight)| weight * f64::from(collection.documents[other].length)).sum()
    };
    let lengths: Vec<f64> = (0..collection.len()).map(length).collect();
    let within = lengths.iter().filter(|length| **length > 0.0).count();
    let average = (lengths.iter().sum::<f64>() / within.max(1) as f64).max(1.0);
    let mut scores = vec![0.0; collection.len()];
    for (term, weight) in terms {
        let mut often: BTreeMap<usize, f64> = BTreeMap::new();
        for (at, count) in &collection.terms[*term as usize].postings {
            for (near, weight) in sessions.neighbours(*at as usize) {
                *often.entry(near).or_default() += weight * f64::from(*count);
            }
        }
        let weight = weight * idf_of(*term, collection);
        for (at, often) in often {
            scores[at] += weight * CONTEXT.gain(often, lengths[at], average);
        }
    }
    scores
}
