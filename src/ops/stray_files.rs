//! Memory files that other programs created in a link farm (stow, rcm) instead of in the repository
//! behind it.
//!
//! Invariant: a stray goes to where the links lead and is removed only once it is there; one whose
//! place is taken stays where it is.

use super::{
    Error,
    transaction::{self, Put, Unrecorded},
};
use crate::system::{Context, files, folder, lock};
use std::{path::Path, time::Duration};

/// Takes strays into the identity. What cannot be moved now is tried again by the next command.
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
