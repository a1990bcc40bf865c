//! Files outside the identity and every project that co changes on request: settings of agents,
//! git's hooks.
//!
//! Invariant: all or nothing: if one cannot be written, those before it are restored. The log
//! records what was done but not the files' bytes, which may contain others' keys; another verb of
//! co removes it again.

use super::{Transaction, TransactionError, file_writer::write_one};
use crate::identity::FileChange;
use crate::machine::{
    Context,
    batch::{Batch, Outcome},
    files,
    oplog::{Flush, OpVerb},
};
use crate::workspace::{Error, Workspace};
use std::path::PathBuf;

/// Writes the changes; `what` describes what is set up, for the log.
pub fn write_machine_files(
    ws: &Workspace,
    verb: OpVerb,
    what: &str,
    changes: &[FileChange<PathBuf>],
) -> Result<(), Error> {
    let store = ws.identity_place();
    let transaction = Transaction::new(ws, store, verb, what);
    let none: &[FileChange] = &[];
    let begun = store
        .log()
        .begin(transaction.operation, none, Flush::Later)
        .map_err(|error| super::unrecordable(ws, &store.log().folder(), error))?;
    let mut batch = Batch::default();
    for (at, change) in changes.iter().enumerate() {
        // Leftovers of a killed co.
        let folder = change.path.parent().filter(|folder| *folder != ws.home);
        folder.iter().for_each(|folder| files::remove_staged(folder));
        if let Err(error) = write(ws, &mut batch, change) {
            for done in changes[..at].iter().rev() {
                let _ = write(ws, &mut batch, &done.clone().reversed());
            }
            batch.settle();
            let _ = begun.retract();
            return Err(error);
        }
    }
    batch.settle();
    let _ = begun.commit();
    Ok(())
}

fn write(context: &Context, batch: &mut Batch, change: &FileChange<PathBuf>) -> Result<(), Error> {
    match write_one(batch, change)? {
        Outcome::Done => Ok(()),
        Outcome::Changed => {
            Err(TransactionError::Changed { what: context.shown(&change.path) }.into())
        }
    }
}
