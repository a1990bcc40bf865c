//! `agent import`: imports what agents already know into the identity, after a preview.
//!
//! Invariant: only proposals that were shown are imported; forgotten facts stay forgotten; facts
//! known here, in the same or other words, are skipped, as is what a person answered in a review; a
//! secret is held back and reported by its rule. One undo reverts the import, which never changes
//! the agents' files.

mod candidates;
mod collected;
mod folder;
mod report;
mod request;
mod settled;

use super::{import, source::Incoming};
pub use crate::adopt::Place;
use crate::facts::review;
use crate::identity::{ContentHash, Memory, Snapshot, manifest::Manifest};
use crate::integrations::agent::AgentError;
use crate::merge::import::ImportMode;
use crate::workspace::{Error, Workspace};
use candidates::Candidate;
use collected::Collected;
pub use report::{ImportedFile, Left};
pub use request::{Alike, Answered, Request};
use std::collections::BTreeSet;

pub struct Adoption {
    pub plan: import::Plan,
    pub found: Vec<ImportedFile>,
    /// What is not proposed, and why: first what a person may miss, then the rest by file and line.
    pub left: Vec<Left>,
    /// Files that could not be read, and why.
    pub unread: Vec<String>,
}

pub fn plan(ws: &Workspace, request: &Request) -> Result<Adoption, Error> {
    let (candidates, left) = match &request.from {
        Some(path) => candidates::named_by_person(ws, path)?,
        None => (candidates::of_agents(ws, &request.agents)?, Vec::new()),
    };
    let store = ws.identity()?;
    let mut gathered = Collected { left, ..Collected::default() };
    for candidate in &candidates {
        gathered.file(ws, candidate, request);
    }
    let is_of_text = |left: &Left| left.at.is_some_and(Place::is_in_text);
    let is_read = !gathered.all.is_empty() || gathered.left.iter().any(is_of_text);
    if let (Some(_), false, Some(why)) = (&request.from, is_read, gathered.unread.first()) {
        let more = gathered.unread.len() - 1;
        return Err(AgentError::Unreadable { why: why.clone(), more }.into());
    }
    let (here, _) = store.memories();
    let here: Vec<Memory> = here.into_iter().map(|placed| placed.memory).collect();
    let mut snapshot = Snapshot::default();
    let answers = review::answers(store);
    let mut rejected: BTreeSet<ContentHash> = BTreeSet::new();
    for memory in gathered.new_memories(ws, store, &here, (&answers, request)) {
        rejected.extend(Some(memory.hash).filter(|hash| answers.is_declined(*hash)));
        snapshot.put(memory.path.clone(), memory.blob.clone());
    }
    gathered.put_fields(&mut snapshot);
    gathered.put_traits(ws, store, &mut snapshot)?;
    let (source, title) = sources(&candidates, &gathered.found);
    let import =
        import::Request { source, mode: ImportMode::Merge, allowed: request.allowed.clone() };
    let incoming = Incoming { snapshot, manifest: Manifest::default(), warnings: Vec::new() };
    let mut plan = import::plan_of(ws, &import, incoming)?.with_rejected(rejected);
    plan.report.title = title;
    gathered.leave_out_fields(&plan.report.proposal.before, &plan.report.proposal.after);
    let Collected { found, mut left, unread, .. } = gathered;
    left.sort_by(|one, other| one.order().cmp(&other.order()));
    Ok(Adoption { plan, found, left, unread })
}

/// The names and the titles of what has proposals. If nothing has any, the titles are those of all
/// that was read.
fn sources(candidates: &[Candidate], found: &[ImportedFile]) -> (String, String) {
    let mut both: Vec<(&str, &str)> =
        found.iter().map(|one| (one.source.as_str(), one.title.as_str())).collect();
    if both.is_empty() {
        both = candidates.iter().map(|one| (one.source.as_str(), one.title.as_str())).collect();
    }
    both.dedup();
    let (sources, titles): (Vec<&str>, Vec<&str>) = both.into_iter().unzip();
    let source = if found.is_empty() { "agents".to_owned() } else { sources.join(", ") };
    (source, titles.join(", "))
}
