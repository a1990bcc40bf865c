//! Ends the operations that a killed co left open.
//!
//! Invariant: an operation that wrote something is finished, any other retracted; a file that has
//! changed since stays as it is. The work of a live co is left alone.

use super::{file_writer, holds, is_as_before, moved};
use crate::identity::{FileChange, Snapshot};
use crate::index::store::Store;
use crate::machine::{
    Context, files, folder, lock,
    oplog::{Carried, Log, Operation},
};
use crate::workspace::{Error, Workspace};
use std::time::Duration;

impl Store {
    /// Removes, restores or finishes what a killed co left half-done; skips the work of a live one.
    pub fn clear_leftovers(&self, ws: &Workspace) {
        if !files::exists(&self.state.join("writing")) {
            return;
        }
        if let Ok(_lock) = lock::folder(&self.memories_dir(), Duration::ZERO) {
            folder::remove_leftovers(&self.root);
            let _ = files::discard(&self.state.join("writing"));
        } else {
            return;
        }
        let _ = self.settle_abandoned(ws);
    }

    /// Ends operations of a killed co: finishes those that wrote something, and retracts the
    /// others. In a project that cannot be written, they stay open until it can be, or is gone.
    pub fn settle_abandoned(&self, ws: &Workspace) -> Result<(), Error> {
        let log = self.log();
        for operation in log.abandoned()? {
            let store = self.store_of(ws, &operation);
            let settled = settle(ws, &store, &log, &operation);
            if operation.project.is_none() || store.root == self.root {
                settled?;
            }
        }
        Ok(())
    }

    /// The store that an operation changes.
    fn store_of(&self, ws: &Workspace, operation: &Operation) -> Store {
        match &operation.project {
            Some(folder) => Store::at_project(ws, folder.clone()),
            None if self.scope.layer().is_some() => self.clone(),
            None => ws.identity_place().clone(),
        }
    }
}

fn settle(context: &Context, store: &Store, log: &Log, operation: &Operation) -> Result<(), Error> {
    if let Some(moved) = &operation.moved {
        return Ok(log.settle(operation.op, moved::carried(context, moved))?);
    }
    let change = log.change(operation)?.unwrap_or_default();
    let done = if is_as_before(store, change.iter()) {
        Carried::Nothing
    } else {
        // If the folder is gone, there is nothing to finish.
        if files::is_dir(&store.root) {
            finish(store, &change)?;
        }
        Carried::Out
    };
    Ok(log.settle(operation.op, done)?)
}

/// Writes the rest of an operation. Files that have changed since stay as they are.
fn finish(store: &Store, change: &[FileChange]) -> Result<(), Error> {
    let _lock = store.lock()?;
    let (mut read, mut wanted) = (Snapshot::default(), Snapshot::default());
    for file in change.iter().filter(|file| holds(store, &file.path, file.before.as_ref())) {
        read.set(&file.path, file.before.as_ref());
        wanted.set(&file.path, file.after.as_ref());
    }
    file_writer::write_files(&store.root, &read, &wanted, &|_, _| {})
}
