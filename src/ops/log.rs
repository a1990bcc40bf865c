//! `identity log`: what each command on this laptop changed, newest first.

use super::{Failure, store::Store};
use crate::merge::change::Meaning;
use crate::system::{Machine, oplog};
use serde::Serialize;

/// One operation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Entry {
    /// Its number, for `undo`.
    pub op: u64,
    /// When.
    pub at: String,
    /// The command.
    pub verb: String,
    /// One line about it.
    pub what: String,
    /// The operation it took back.
    pub undoes: Option<u64>,
    /// What it learned, forgot and changed.
    pub meaning: Meaning,
}

/// Reads the log, newest first.
///
/// # Errors
/// When there is no identity, or the log cannot be read.
pub fn run(machine: &Machine, limit: usize) -> Result<Vec<Entry>, Failure> {
    let store = Store::identity(machine)?;
    let operations = oplog::read(&machine.state_dir(&store.root))?;
    let entry = |operation: oplog::Operation| {
        let meaning = operation.change().meaning();
        Entry { op: operation.op, at: operation.at, verb: operation.verb, what: operation.what, undoes: operation.undoes, meaning }
    };
    Ok(operations.into_iter().rev().take(limit).map(entry).collect())
}
