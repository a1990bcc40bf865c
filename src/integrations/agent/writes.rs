//! The writes of one agent session, to be undone together.
//!
//! Invariant: newest first, so that each undo starts from the state that its write left; writes
//! that were undone already are left out.

use super::AgentError;
use crate::index::store::Store;
use crate::machine::{
    context::PAGE,
    files,
    oplog::{OpVerb, Operation, taken_back_already},
};
use crate::workspace::{Error, Workspace};
use serde::Serialize;
use std::path::PathBuf;

/// One operation of the session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Write {
    pub op: u64,
    pub verb: OpVerb,
    pub what: String,
    pub client: String,
    pub session: String,
}

/// Facts that agents saved without asking and that no person has been shown yet; newest first.
pub fn unreported(ws: &Workspace) -> Vec<Write> {
    let store = ws.identity_place();
    let reported = files::read_text(&reported_file(store)).ok().flatten();
    let reported: u64 = reported.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let operations = store.log().by_agents_after(reported).unwrap_or_default();
    let undone = taken_back_already(&operations);
    let is_new = |operation: &&Operation| {
        operation.verb == OpVerb::Save
            && operation.client.as_deref().is_some_and(|client| client != PAGE)
            && operation.project.is_none()
            && !undone.contains(&operation.op)
    };
    operations.iter().rev().filter(is_new).map(write_of).collect()
}

/// Marks these writes as shown to the person.
pub fn mark_reported(ws: &Workspace, writes: &[Write]) {
    let Some(last) = writes.iter().map(|write| write.op).max() else { return };
    // If the mark cannot be stored, they are shown again.
    let file = reported_file(ws.identity_place());
    let _ = files::write_private(&file, last.to_string().as_bytes());
}

fn reported_file(store: &Store) -> PathBuf {
    store.state.join("told")
}

fn write_of(operation: &Operation) -> Write {
    Write {
        op: operation.op,
        verb: operation.verb.clone(),
        what: operation.what.clone(),
        client: operation.client.clone().unwrap_or_default(),
        session: operation.session.clone().unwrap_or_default(),
    }
}

/// `named` is the session as in the log, or a prefix of it.
pub fn of_session(ws: &Workspace, named: &str) -> Result<Vec<Write>, Error> {
    let operations = ws.identity_place().log().operations()?;
    let undone = taken_back_already(&operations);
    let mut names: Vec<&String> = operations.iter().filter_map(|op| op.session.as_ref()).collect();
    names.retain(|session| !named.is_empty() && session.starts_with(named));
    names.sort();
    names.dedup();
    let session = match names.as_slice() {
        [one] => (*one).clone(),
        [] => return Err(AgentError::NoSession { named: named.to_owned() }.into()),
        several => {
            let (named, count) = (named.to_owned(), several.len());
            return Err(AgentError::SeveralSessions { named, count }.into());
        }
    };
    let mine = operations.iter().rev().filter(|operation| {
        operation.session.as_ref() == Some(&session)
            && operation.undoes.is_none()
            && !undone.contains(&operation.op)
    });
    let writes: Vec<Write> = mine.map(write_of).collect();
    if writes.is_empty() {
        return Err(AgentError::SessionTakenBack { session }.into());
    }
    Ok(writes)
}
