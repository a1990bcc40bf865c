//! Whether a remote did not answer the start of a session a short time ago, or did.
//!
//! Invariant: in `local/`, never synced: one time for each identity. Without it, a session waits as
//! the first does.

use crate::identity::Stamp;
use crate::index::store::Store;
use crate::machine::files;
use crate::workspace::{Workspace, last_sync::Last};
use std::path::PathBuf;

/// For how long sessions hardly wait for it, in microseconds.
const LASTS: i64 = 10 * 60 * Stamp::SECOND;

pub(super) fn is_known(ws: &Workspace, store: &Store) -> bool {
    let bytes = files::read(&file(store)).ok().flatten().unwrap_or_default();
    let noted = std::str::from_utf8(&bytes).ok().and_then(|text| text.parse::<i64>().ok());
    noted.is_some_and(|at| (at..at.saturating_add(LASTS)).contains(&ws.now().micros()))
}

/// It did not answer. What is known already is not prolonged: a remote that answers late is waited
/// for again.
pub(super) fn begins(ws: &Workspace, store: &Store) {
    if !is_known(ws, store) {
        let _ = files::write_private(&file(store), ws.now().micros().to_string().as_bytes());
    }
}

/// It answered.
pub(super) fn ends(store: &Store) {
    let _ = files::discard(&file(store));
}

/// Whether a sync met it a short time ago.
pub(super) fn was_met(ws: &Workspace) -> bool {
    let met = Last::read(ws.identity_place()).met_the_remote().map(Stamp::micros);
    met.is_some_and(|at| (at..at.saturating_add(LASTS)).contains(&ws.now().micros()))
}

fn file(store: &Store) -> PathBuf {
    store.state.join("silent-remote")
}
