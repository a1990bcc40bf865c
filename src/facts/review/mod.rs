//! `review`: what agents propose to add to a person's facts, what merges left to look at, and which
//! facts may no longer hold, for the person to decide.
//!
//! Invariant: a proposal becomes a fact only after the person agrees. All answers of one review are
//! one operation; each is recorded by hash, or in the keys of the fact that it is about, so that no
//! laptop asks again. The proposed text stays where it came from.

mod answer;
mod answered;
mod holding;
mod merges;
mod other_texts;
mod proposal;
pub mod queue;
mod scan;
mod skills;
mod sources;
mod stale;

use crate::workspace::{Error, Workspace};
pub use answer::{Answer, AnswerReport, Replacement, apply};
pub(super) use answered::both_hold;
pub use answered::{answers, is_rejected};
pub use proposal::{Proposal, Question};
pub use stale::{over_since, replaced_by};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Among {
    /// Proposals of agents.
    Proposed,
    /// Also proposals derived from the existing facts.
    Scanned,
    /// Facts that may no longer hold, alone.
    Stale,
}

/// As [`list`], for a person to look at: with the commands that show what merges did not keep.
pub fn ask(ws: &Workspace, among: Among) -> Result<Vec<Proposal>, Error> {
    let mut all = list(ws, among)?;
    other_texts::add(ws, ws.identity()?, &mut all);
    Ok(all)
}

/// The open proposals, oldest first.
pub fn list(ws: &Workspace, among: Among) -> Result<Vec<Proposal>, Error> {
    let store = ws.identity()?;
    let answers = answers(store);
    if among == Among::Stale {
        return Ok(stale::proposals(ws, store, &answers));
    }
    let mut all = merges::open(ws, store, &answers);
    all.extend(sources::proposals(ws, store, &answers));
    all.extend(skills::waiting(ws, store, &answers));
    if among == Among::Scanned {
        let scanned = scan::proposals(ws, store).into_iter();
        all.extend(scanned.filter(|proposal| !answers.has(proposal.hash)));
    }
    Ok(all)
}

/// What waits for a person, without what a scan would find.
#[derive(Default)]
pub struct Waiting {
    pub count: usize,
    /// What merges left to look at, in a few words each.
    pub merges: Vec<String>,
}

pub fn waiting(ws: &Workspace) -> Waiting {
    let Ok(store) = ws.identity() else { return Waiting::default() };
    let answers = answers(store);
    let asked = merges::open(ws, store, &answers);
    let of_skills = skills::waiting(ws, store, &answers).len();
    let count = asked.len() + sources::waiting(ws, store, &answers).len() + of_skills;
    let named = |proposal: Proposal| match proposal.what {
        Question::Look { named, .. } => Some(named),
        _ => None,
    };
    Waiting { count, merges: asked.into_iter().filter_map(named).collect() }
}
