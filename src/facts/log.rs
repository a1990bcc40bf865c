//! `identity log`: what each command on this laptop changed; for the page, where facts were
//! learned; and the errors of `life` and `operation`.
//!
//! Invariant: what was undone is marked, not left out.

use crate::git::Id;
use crate::identity::Stamp;
use crate::machine::oplog::{self, Log, OpVerb, taken_back_already};
use crate::merge::{ChangeSet, change::Meaning};
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, asked::Within, merged_in, named};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Mutex, PoisonError},
};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LogEntry {
    pub op: u64,
    pub at: String,
    pub verb: OpVerb,
    /// The same for people, in the past tense: `learned`.
    pub did: String,
    pub what: String,
    /// The operation that this one undid.
    pub undoes: Option<u64>,
    pub undone: bool,
    /// The agent's program that did it, and its session.
    pub client: Option<String>,
    pub session: Option<String>,
    /// `None` for the identity.
    pub project: Option<String>,
    pub meaning: Meaning,
}

pub fn run(ws: &Workspace, limit: usize, within: Within) -> Result<Vec<LogEntry>, Error> {
    // Operations in a project are logged even without an identity.
    let store = ws.identity_place();
    store.settle_abandoned(ws)?;
    let log = store.log();
    let mut operations = log.operations()?;
    if operations.is_empty() {
        ws.identity()?;
    }
    // What was undone later was not undone then.
    if matches!(within, Within::Until(_) | Within::Through(..)) {
        operations.retain(|operation| within.has(&operation.at, Some(operation.op)));
    }
    let undone = taken_back_already(&operations);
    let entry = |operation: oplog::Operation| {
        let change = change_of(ws, &log, &operation).unwrap_or_default();
        entry(ws, &undone, operation, &change)
    };
    let is_shown = |operation: &oplog::Operation| {
        !operation.is_silent() && within.has(&operation.at, Some(operation.op))
    };
    let shown = operations.into_iter().rev().filter(is_shown);
    Ok(shown.take(limit).map(entry).collect())
}

pub(super) fn entry(
    ws: &Workspace,
    undone: &BTreeSet<u64>,
    operation: oplog::Operation,
    change: &ChangeSet,
) -> LogEntry {
    let mut meaning = change.meaning().without_numbers();
    named::name_fields(ws, meaning.fields_mut());
    LogEntry {
        undone: undone.contains(&operation.op),
        project: operation.project.as_ref().map(|folder| ws.shown(folder)),
        client: operation.client,
        session: operation.session,
        op: operation.op,
        at: operation.at,
        did: operation.verb.past().into_owned(),
        verb: operation.verb,
        what: operation.what,
        undoes: operation.undoes,
        meaning,
    }
}

/// Of a merge, the log keeps only what it dropped: what it brought is in its commits. `None` if
/// what an operation changed is no longer kept.
pub(super) fn change_of(
    ws: &Workspace,
    log: &Log,
    operation: &oplog::Operation,
) -> Option<ChangeSet> {
    match operation.verb {
        OpVerb::Merge => merged_in::changes(ws, operation).ok(),
        _ => log.change(operation).ok().flatten().map(ChangeSet::of),
    }
}

/// The latest operation of a session.
pub fn latest_of(ws: &Workspace, session: &str) -> Option<u64> {
    let operations = ws.identity_place().log().operations().ok()?;
    let is_of_it = |operation: &&oplog::Operation| {
        operation.session.as_deref() == Some(session) && !operation.is_silent()
    };
    operations.iter().rev().find(is_of_it).map(|operation| operation.op)
}

/// Where the facts of a commit's history were learned: walked once for each commit.
#[derive(Debug, Default)]
pub struct KnownLaptops(Mutex<Option<(Id, LaptopsByOrigin)>>);

type LaptopsByOrigin = HashMap<Stamp, Option<String>>;

impl KnownLaptops {
    /// The laptop on which each fact was learned, by the fact's origin, as far as commits tell it.
    /// Facts that are not committed yet are of this laptop.
    pub fn of_facts(&self, ws: &Workspace) -> Result<BTreeMap<String, String>, Error> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        renew(&mut known, ws)?;
        let committed = known.as_ref().map(|(_, laptops)| laptops);
        let laptop = |origin: Stamp| match committed.and_then(|laptops| laptops.get(&origin)) {
            Some(laptop) => laptop.clone(),
            None => Some(ws.host.clone()),
        };
        let facts = ws.identity()?.memories().0.into_iter();
        let origins = facts.map(|placed| placed.memory.created);
        Ok(origins.filter_map(|origin| Some((origin.to_string(), laptop(origin)?))).collect())
    }
}

fn renew(known: &mut Option<(Id, LaptopsByOrigin)>, ws: &Workspace) -> Result<(), Error> {
    let repo = ws.repo()?;
    let head = repo.as_ref().map(|repo| repo.head()).transpose()?.flatten();
    if known.as_ref().map(|(head, _)| *head) == head {
        return Ok(());
    }
    *known = None;
    if let (Some(repo), Some(head)) = (repo, head) {
        *known = Some((head, repo.laptops_of_memories()?));
    }
    Ok(())
}

/// Why the history of a fact cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{text} is a fact of this project; its history is in the project's repository")]
    OfProject { text: String },
    #[error("{text} is a fact about this laptop; its history is in the identity's commits")]
    OfHere { text: String },
    #[error("`{text}` is not the handle of a fact")]
    NoHandle { text: String },
    #[error("there has never been a fact {text}")]
    NeverThere { text: String },
    #[error("there is no operation {handle} in this laptop's log")]
    NoOperation { handle: String },
}

impl VerbError for LogError {
    fn kind(&self) -> ErrorKind {
        match self {
            LogError::OfProject { .. } | LogError::OfHere { .. } | LogError::NoHandle { .. } => {
                ErrorKind::Invalid
            }
            LogError::NeverThere { .. } | LogError::NoOperation { .. } => ErrorKind::NotFound,
        }
    }
}
