//! A hash of everything the page shows, by which it notices that another program changed something.
//!
//! Invariant: cheap: only names and times of files are looked at, never their content.

use super::{agent::seen, review::queue, store::Store, sync};
use crate::identity::ContentHash;
use crate::system::{Context, files, folder};
use std::fmt::Write;

/// Changes when a file of the identity or a project, the queue of proposals, the operation log, or
/// the record of the last sync or of agents changes.
pub fn current(context: &Context) -> String {
    let store = Store::at_identity(context);
    let projects = Store::projects(context).unwrap_or_default();
    let mut state = String::new();
    let stores = std::iter::once(&store).chain(&projects);
    for listed in stores.flat_map(|store| folder::list(&store.root, "").files) {
        let at = files::mtime(&listed.file).map(|at| at.micros());
        let _ = writeln!(state, "{} {at:?}", listed.file.display());
    }
    let log = store.log().file();
    for place in [log, queue::folder(&store), sync::Last::file(&store), seen::log(context)] {
        let _ = writeln!(state, "{:?}", files::mtime(&place).map(|at| at.micros()));
    }
    ContentHash::of_bytes(state.as_bytes()).short(16)
}
