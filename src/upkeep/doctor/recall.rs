//! Checks the index, and the vectors in it.

use super::check::{Area, Check, Remedy};
use crate::index::{self, IndexStatus};
use crate::workspace::Workspace;

pub(super) fn all(ws: &Workspace) -> Vec<Check> {
    let mut checks = Vec::new();
    for store in ws.to_read(None).unwrap_or_default() {
        let file = ws.shown(&index::file_of(&store, ws));
        let file = match store.scope.layer() {
            Some(name) => format!("{name}: {file}"),
            None => file,
        };
        checks.push(match index::standing(&store, ws) {
            IndexStatus::Off => {
                Check::ok(Area::Recall, "the search index is switched off (`recall.catalog`)")
            }
            IndexStatus::Missing => {
                Check::ok(Area::Recall, format!("{file} will be built by the first search"))
            }
            // After a restart, written by another version, or damaged: all repair themselves.
            IndexStatus::Unusable => {
                let message = format!("{file} is out of date; the next search rebuilds it");
                Check::ok(Area::Recall, message)
            }
            IndexStatus::Unreadable => {
                let message = format!("{file} cannot be read now; searches read all files");
                Check::ok(Area::Recall, message)
            }
            IndexStatus::Good { facts, unencoded } => {
                let vectors = match unencoded {
                    0 => String::new(),
                    unencoded => format!("; texts without a vector yet: {unencoded}"),
                };
                Check::ok(Area::Recall, format!("{file}; facts: {facts}{vectors}"))
            }
        });
    }
    if let Some(problem) = index::problem(ws) {
        checks.push(Check::error(
            Area::Recall,
            problem,
            Remedy::command("co config get recall.embedder"),
        ));
    }
    checks
}
