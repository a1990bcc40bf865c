//! Session context as a ranking signal: a memory scores higher if its session, or its neighbours
//! there, match the query.
//!
//! Invariant: pure; a memory that was saved on its own neither gains nor loses.

use super::{
    corpus::Document,
    score::{Bm25, best, idf, relative},
    session::Sessions,
    terms::Terms,
};
use std::collections::BTreeMap;

const CONTEXT: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
const SESSION: f64 = 0.5;
const WINDOW: f64 = 0.3;
/// How many sessions provide candidates.
const SESSIONS: usize = 10;
/// How many of the best memories set the baseline for context scores.
const MEASURE: usize = 20;

/// The context score of each memory. Empty if sessions are not informative.
#[derive(Default)]
pub(super) struct Context {
    scores: Vec<f64>,
    /// The members of the best sessions.
    pub(super) candidates: Vec<usize>,
}

impl Context {
    pub(super) fn score(&self, at: usize) -> f64 {
        self.scores.get(at).copied().unwrap_or(0.0)
    }
}

/// `own` are the memories' own scores. A memory alone in its session gets the mean of the best ones
/// that are not, so that it neither gains nor loses.
pub(super) fn context_scores(
    own: &[f64],
    terms: &Terms,
    documents: &[Document],
    sessions: &Sessions,
) -> Context {
    let weight = sessions.weight();
    if weight <= 0.0 {
        return Context::default();
    }
    let of_sessions = relative(bm25_of_sessions(terms, documents, sessions));
    let of_windows = relative(bm25_of_windows(terms, documents, sessions));
    let context = |at: usize| {
        let session = SESSION * of_sessions[sessions.session_of(at)];
        (!sessions.is_alone(at)).then_some(session + WINDOW * of_windows[at])
    };
    let among: Vec<f64> = best(own, MEASURE, |_| true).into_iter().filter_map(context).collect();
    let mean = among.iter().sum::<f64>() / among.len().max(1) as f64;
    let best = best(&of_sessions, SESSIONS, |score| score > 0.0);
    let members = best.into_iter().flat_map(|session| sessions.members(session));
    let score = |at: usize| weight * (context(at).unwrap_or(mean) - mean);
    Context {
        candidates: members.map(|at| *at as usize).collect(),
        scores: (0..documents.len()).map(score).collect(),
    }
}

/// BM25 of each session's concatenated texts.
fn bm25_of_sessions(terms: &Terms, documents: &[Document], sessions: &Sessions) -> Vec<f64> {
    let mut lengths = vec![0.0; sessions.len()];
    for (at, document) in documents.iter().enumerate() {
        lengths[sessions.session_of(at)] += f64::from(document.length);
    }
    let average = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64).max(1.0);
    let mut scores = vec![0.0; sessions.len()];
    for term in terms.values() {
        let mut frequency: BTreeMap<usize, f64> = BTreeMap::new();
        for posting in term.postings.iter() {
            let session = sessions.session_of(posting.at as usize);
            *frequency.entry(session).or_default() += f64::from(posting.frequency);
        }
        let weight = term.weight * idf(frequency.len(), sessions.len());
        for (session, frequency) in frequency {
            scores[session] += weight * CONTEXT.gain(frequency, lengths[session], average);
        }
    }
    scores
}

/// BM25 of the neighbours of each memory, without itself.
fn bm25_of_windows(terms: &Terms, documents: &[Document], sessions: &Sessions) -> Vec<f64> {
    let length = |at: usize| -> f64 {
        // Most are: nothing is near them.
        if sessions.is_alone(at) {
            return 0.0;
        }
        let near = sessions.neighbours(at);
        near.map(|(other, weight)| weight * f64::from(documents[other].length)).sum()
    };
    let lengths: Vec<f64> = (0..documents.len()).map(length).collect();
    let within = lengths.iter().filter(|length| **length > 0.0).count();
    let average = (lengths.iter().sum::<f64>() / within.max(1) as f64).max(1.0);
    let mut scores = vec![0.0; documents.len()];
    for term in terms.values() {
        let mut frequency: BTreeMap<usize, f64> = BTreeMap::new();
        for posting in term.postings.iter() {
            for (near, weight) in sessions.neighbours(posting.at as usize) {
                *frequency.entry(near).or_default() += weight * f64::from(posting.frequency);
            }
        }
        let weight = term.weight * idf(term.postings.len(), documents.len());
        for (at, frequency) in frequency {
            scores[at] += weight * CONTEXT.gain(frequency, lengths[at], average);
        }
    }
    scores
}
