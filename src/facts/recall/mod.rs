//! `memory recall`: finds facts and documents for a question, in one ranked list. Reads both
//! scopes; needs no database and no writable disk.
//!
//! Invariant: facts keep their relative order, and so do documents; relevance decides between the
//! two; nothing is searched for a blank question.

mod cache;

use crate::identity::StandingFilter;
use crate::index::search::{SearchSession, SearchedStores};
use crate::machine::recall_log;
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, named};
use std::{cmp::Reverse, collections::BTreeSet, path::PathBuf};

pub use crate::index::search::{
    Answer, AnswerKind, FactHit, Passage, QueryLoad, RecallFilter, Report, SearchMode,
};
pub use cache::{RecallCache, RecallWorker};

pub const DEFAULT_LIMIT: usize = 5;
/// How many facts a context shows because they were recalled.
const MAX_RECALLED: usize = 10;
/// How long a recall counts, in microseconds: eight weeks.
const WEEKS: i64 = 8 * 7 * 24 * 60 * 60 * 1_000_000;

#[derive(Clone, Debug)]
pub struct Request {
    /// Words, quoted phrases, `OR`, `-word`.
    pub query: String,
    pub limit: usize,
    pub among: RecallFilter,
    pub tally: Tally,
}

/// Whether what is found counts as recalled: contexts show first what is recalled most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tally {
    #[default]
    Counted,
    /// Somebody looks through the facts, a letter at a time.
    Uncounted,
}

/// Why a question cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum RecallError {
    #[error("nothing is asked for")]
    Nothing,
}

impl VerbError for RecallError {
    fn kind(&self) -> ErrorKind {
        match self {
            RecallError::Nothing => ErrorKind::Invalid,
        }
    }
}

/// Refuses a blank question: that no fact answers it would say that none is there.
pub(crate) fn refuse_empty(question: &str) -> Result<(), Error> {
    if question.trim().is_empty() { Err(RecallError::Nothing.into()) } else { Ok(()) }
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    refuse_empty(&request.query)?;
    let mut searched = session(ws, &request.among, QueryLoad::OneQuestion)?;
    let report = searched.answer(ws, &request.query, request.limit);
    noted(ws, request.tally, &report);
    Ok(report)
}

/// How many of the facts that do not hold would be among the answers if they were searched, too.
pub fn held_back(ws: &Workspace, request: &Request) -> Result<usize, Error> {
    let among = RecallFilter { which: StandingFilter::All, ..request.among.clone() };
    let all = run(ws, &Request { among, tally: Tally::Uncounted, ..request.clone() })?;
    Ok(all.facts().filter(|hit| hit.fact.held.standing.is_some()).count())
}

/// Loads the facts and documents to search.
fn session(ws: &Workspace, among: &RecallFilter, load: QueryLoad) -> Result<SearchSession, Error> {
    let lost = if among.facts() { named::taken_numbers(ws) } else { BTreeSet::new() };
    let stores = SearchedStores { stores: ws.to_read(among.scope)?, lost };
    Ok(SearchSession::read(ws, stores, among, load)?)
}

/// Records what was found.
fn noted(ws: &Workspace, tally: Tally, report: &Report) {
    if tally == Tally::Uncounted {
        return;
    }
    let hash_prefixes: Vec<u64> = report.facts().map(|hit| hit.fact.hash.hash_prefix()).collect();
    recall_log::note(&recalled(ws), &hash_prefixes, ws.now().micros());
}

/// The log of recalled texts.
fn recalled(ws: &Workspace) -> PathBuf {
    ws.identity_place().state.join("recalled")
}

/// What was recalled within `span` microseconds, by hash prefix; `None` if the log of this laptop
/// does not go back that far.
pub(crate) fn recalled_within(ws: &Workspace, span: i64) -> Option<BTreeSet<u64>> {
    let (file, since) = (recalled(ws), ws.now().micros() - span);
    let read: BTreeSet<u64> = recall_log::counts(&file, since).into_keys().collect();
    (recall_log::first(&file)? <= since).then_some(read)
}

/// The facts recalled more than once in the last weeks, by
/// [`ContentHash::hash_prefix`](crate::identity::ContentHash::hash_prefix), most often first.
pub(crate) fn most_recalled(ws: &Workspace) -> Vec<u64> {
    let counts = recall_log::counts(&recalled(ws), ws.now().micros() - WEEKS);
    let mut often: Vec<(u64, u32)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    often.sort_by_key(|(hash_prefix, count)| (Reverse(*count), *hash_prefix));
    often.into_iter().take(MAX_RECALLED).map(|(hash_prefix, _)| hash_prefix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_question_is_refused() {
        let why = |question| refuse_empty(question).err().map(|error| error.to_string());
        for nothing in ["", " ", "\n\t", "\u{a0}"] {
            assert_eq!(why(nothing).as_deref(), Some("nothing is asked for"), "{nothing:?}");
        }
        for asked in ["?", "-redis", "the", "c", "\"redis\"", "7", "我", "😀"] {
            assert_eq!(why(asked), None, "{asked}");
        }
    }
}
