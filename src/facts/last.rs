//! `last`: the fact that was learned last on this laptop, for whoever just learned it and did not
//! note its number.
//!
//! Invariant: an answer of the operation log, so that it never means a fact that a sync brought, or
//! one whose learning was undone. Several facts that were learned at once are listed, never guessed
//! at. Must not know: what is done to the fact.

use crate::identity::{Memory, Stamp};
use crate::index::store::{PlacedFact, Scope, Store};
use crate::machine::{
    files,
    oplog::{Log, OpVerb, Operation, taken_back_already},
};
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, named};
use std::collections::BTreeSet;

/// What a person types for it.
pub const WORD: &str = "last";

/// Why there is no such fact.
#[derive(Debug, thiserror::Error)]
pub enum LastError {
    #[error("none of the facts here was learned on this laptop")]
    None,
}

impl VerbError for LastError {
    fn kind(&self) -> ErrorKind {
        match self {
            LastError::None => ErrorKind::NotFound,
        }
    }
}

/// Whether a person typed it.
pub fn is_meant(typed: &str) -> bool {
    typed.trim() == WORD
}

/// Of those in this scope. One that has been forgotten since makes way for the one before it.
pub fn find(ws: &Workspace, scope: Option<Scope>) -> Result<PlacedFact, Error> {
    let stores = ws.to_read(scope)?;
    let log = ws.identity_place().log();
    let operations = log.operations()?;
    let undone = taken_back_already(&operations);
    for operation in operations.iter().rev().filter(|one| !undone.contains(&one.op)) {
        let Some(store) = stores.iter().find(|store| is_of(operation, store)) else { continue };
        let mut facts = learned(ws, &log, operation, store);
        match facts.len() {
            0 => {}
            1 => return Ok(facts.remove(0)),
            _ => {
                let candidates = facts.iter().map(|placed| (&placed.memory, placed.scope));
                return Err(named::ambiguous(WORD, candidates));
            }
        }
    }
    Err(LastError::None.into())
}

fn is_of(operation: &Operation, store: &Store) -> bool {
    match &operation.project {
        // The way to a project may lead through a link today.
        Some(folder) => store.is_part() && store.root == files::resolve(folder),
        None => store.scope == Scope::Identity,
    }
}

/// The facts that an operation learned, as far as they are still there: under another number, or
/// with another text, too.
fn learned(ws: &Workspace, log: &Log, operation: &Operation, store: &Store) -> Vec<PlacedFact> {
    // Learning what was known touches a file that was there.
    let is_again = match operation.verb {
        OpVerb::Save | OpVerb::Review => false,
        OpVerb::SaveAgain => true,
        _ => return Vec::new(),
    };
    let files = log.change(operation).ok().flatten().unwrap_or_default();
    let files = files.iter().filter(|file| file.path.is_memory());
    let files = files.filter(|file| is_again || file.before.is_none());
    let read = files.filter_map(|file| Memory::read(&file.path, file.after.as_ref()?).ok());
    let origins: BTreeSet<Stamp> = read.map(|memory| memory.created).collect();
    named::facts_created(&origins, store, ws)
}
