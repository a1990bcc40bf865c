//! A hash of everything the page shows, by which it notices that another program changed something.
//!
//! Invariant: cheap: only names and times of files are looked at, never their content.

use crate::facts::review::queue;
use crate::identity::ContentHash;
use crate::integrations::agent::seen;
use crate::machine::{files, folder};
use crate::workspace::{Workspace, last_sync};
use std::fmt::Write;

/// Changes when a file of the identity or a project, the queue of proposals, the operation log, or
/// the record of the last sync or of agents changes.
pub fn current(ws: &Workspace) -> String {
    let store = ws.identity_place();
    let projects = ws.projects().unwrap_or_default();
    let mut state = String::new();
    let stores = std::iter::once(store).chain(projects);
    for listed in stores.flat_map(|store| folder::list(&store.root, "").files) {
        let at = files::mtime(&listed.file).map(|at| at.micros());
        let _ = writeln!(state, "{} {at:?}", listed.file.display());
    }
    let log = store.log().file();
    for place in [log, queue::folder(store), last_sync::Last::file(store), seen::log(ws)] {
        let _ = writeln!(state, "{:?}", files::mtime(&place).map(|at| at.micros()));
    }
    ContentHash::of_bytes(state.as_bytes()).short(16)
}
