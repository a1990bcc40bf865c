//! The ledger of a store, as it is on the disk now.
//!
//! Invariant: a missing ledger is an empty one, and no file is made for an empty one.

use crate::identity::{Ledger, RelPath, kind::LEDGER};
use crate::index::store::Store;
use crate::machine::{SystemError, files};
use crate::merge::change::FileChange;

pub fn read(store: &Store) -> Result<Ledger, SystemError> {
    let bytes = files::read(&store.root.join(LEDGER))?;
    Ok(bytes.map(|bytes| Ledger::read(&bytes)).unwrap_or_default())
}

/// The change of its file that adds what `add` does.
pub fn with(
    store: &Store,
    add: impl FnOnce(&mut Ledger),
) -> Result<Option<FileChange>, SystemError> {
    let before = files::read(&store.root.join(LEDGER))?;
    let mut ledger = before.as_ref().map(|bytes| Ledger::read(bytes)).unwrap_or_default();
    add(&mut ledger);
    Ok(ledger.write().map(|text| FileChange {
        path: RelPath::known(LEDGER),
        before: before.map(Into::into),
        after: Some(text.into_bytes().into()),
    }))
}
