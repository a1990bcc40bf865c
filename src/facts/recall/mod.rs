//! `memory recall`: finds facts and documents for a question, in one ranked list. Reads both
//! scopes; needs no database and no writable disk.
//!
//! Invariant: facts keep their relative order, and so do documents; relevance decides between the
//! two.

mod cache;

use crate::index::search::{SearchSession, SearchedStores};
use crate::machine::recall_log;
use crate::workspace::{Error, Workspace, named};
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

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let mut searched = session(ws, &request.among, QueryLoad::OneQuestion)?;
    let report = searched.answer(ws, &request.query, request.limit);
    noted(ws, request.tally, &report);
    Ok(report)
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
