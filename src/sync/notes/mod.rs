//! Shares the notes that agents keep in their own folders between laptops.
//!
//! Invariant: a three-way merge of the agent's folder, its content at the last exchange, and the
//! identity. The identity is written first, then the folder, then the last exchange, so that a kill
//! in between loses nothing. A file is replaced only if it still has the content that was read. An
//! agent takes part only with a person's consent, an excluded project never.

mod exchange;
mod folder;
mod index;
mod last_exchange;
pub mod other_agents;
pub mod overview;
mod places;
mod report;
mod rewritten;
mod settled;
mod sharing;

use crate::machine::{files, lock};
use crate::workspace::{Error, Workspace, layers, recovery};
pub use places::WorkTree;
pub use report::{Exchanged, Report};
pub use sharing::{NotesScope, Sharing, is_excluded, not_shared, share, shared};
use std::time::Duration;

/// With several folders for one project, each gets the others' changes in the second round.
const TURNS: usize = 3;
/// How long to wait for another co that holds the lock.
const WAIT: Duration = Duration::from_secs(5);

/// Synchronizes the agents' folders with the identity.
pub fn run(ws: &Workspace, scope: NotesScope) -> Result<Report, Error> {
    let agents = shared(ws);
    // What agents note of a person's projects is none of a team's.
    if agents.is_empty() || layers::is_of_team(ws) {
        return Ok(Report::default());
    }
    let store = ws.identity()?;
    // Never read a work tree that an interrupted sync left half-written; for a hook,
    // nothing has recovered it yet.
    recovery::recover(ws);
    let own = store.state.join("notes");
    files::make_dir(&own)?;
    let _lock = lock::folder(&own, WAIT)?;
    let found = places::find(ws, store, &agents, scope);
    found.remember(&own);
    let mut report = Report { unknown: found.unknown, ..Report::default() };
    for _ in 0..TURNS {
        let turn = found.places.iter().map(|place| exchange::exchange(ws, store, &own, place));
        let (unknown, trouble) = (report.unknown.clone(), None);
        let turn = Report { folders: turn.collect(), unknown, trouble };
        let is_moved = |one: &Exchanged| one.has_changed() || one.wrote;
        let is_done = !turn.folders.iter().any(is_moved) || found.places.len() < 2;
        report = report.then(turn);
        if is_done {
            break;
        }
    }
    Ok(report)
}
