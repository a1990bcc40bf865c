//! Two sides merged, tidied, and with unique ids: what a sync commits.
//!
//! Invariant: pure; the remote's ids stay.

use super::{Decision, History, Policy, ids, merge_with, tidy};
use crate::identity::{Snapshot, Stamp};

/// What came of two sides, and what was decided.
pub struct MergeOutcome {
    pub snapshot: Snapshot,
    pub decisions: Vec<Decision>,
    pub renumbered: Vec<ids::Renumbered>,
}

/// Merges two sides, tidies the result and makes the ids unique; the remote's ids stay.
pub fn join(history: History<'_>, ours: &Snapshot, theirs: &Snapshot, now: Stamp) -> MergeOutcome {
    let merged = merge_with(history, ours, theirs, Policy::Sync);
    let settled = tidy::settle(&merged.snapshot, now);
    let assigned = ids::assign(&settled.snapshot, theirs);
    let decisions = merged.decisions.into_iter().chain(assigned.decisions).collect();
    MergeOutcome { snapshot: assigned.snapshot, decisions, renumbered: assigned.renumbered }
}
