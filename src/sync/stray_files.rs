//! Memory files that other programs created in a link farm (stow, rcm) instead of in the repository
//! behind it.
//!
//! Invariant: a stray is moved to where the symlinks lead, and removed only once it is there; if
//! its place is taken, it stays.

use crate::machine::{Context, files, folder, lock};
use crate::workspace::{
    Error,
    transaction::{self, Put, Unrecorded},
};
use std::{path::Path, time::Duration};

/// Moves strays into the identity. What cannot be moved now is retried by the next command.
pub fn adopt(context: &Context) {
    let Some(links) = &context.identity.links else { return };
    let root = &context.identity.resolved;
    let Ok(_lock) = lock::folder(root, Duration::ZERO) else { return };
    for file in folder::list(links, "").files {
        if !files::is_link(&file.file) && file.path.is_memory() {
            let _ = adopt_one(&file.file, &root.join(file.path.as_str()));
        }
    }
}

fn adopt_one(stray: &Path, place: &Path) -> Result<(), Error> {
    let Some(bytes) = files::read(stray)? else { return Ok(()) };
    let new = Put::New(&bytes.into());
    if transaction::put(Unrecorded::Stray, place, new)? {
        transaction::take_away(Unrecorded::Stray, stray)?;
    }
    Ok(())
}
