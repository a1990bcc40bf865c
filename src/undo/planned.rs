//! What an undo is about to do.
//!
//! Invariant: the content that it was planned on is kept, so that a later change of a file is seen.

use super::{
    effect::{Published, UndoTarget},
    request::Direction,
};
use crate::identity::{Snapshot, scope::HOSTS};
use crate::machine::oplog::{MovedFolder, OpVerb, Operation};
use crate::merge::change::{Fact, Meaning};
use serde::Serialize;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    pub op: u64,
    /// Older operations that are undone with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<u64>,
    /// For the undo of an undo: the operation that it had undone.
    pub again: Option<u64>,
    pub verb: OpVerb,
    pub what: String,
    /// Who may still have what it takes away.
    pub published: Published,
    pub meaning: Meaning,
    /// Facts that came with it from other laptops, and stay.
    pub stays: Vec<Fact>,
    /// How many of these were learned there; the others were forgotten.
    #[serde(skip)]
    pub learned_there: usize,
    /// Files that it added, and that stay because they have changed since.
    pub changed_since: Vec<String>,
    /// For the undo of `identity move`: the way back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<MovedFolder>,
    /// Whether it takes a merge back, or brings one back.
    #[serde(skip)]
    pub(super) is_of_merge: bool,
    #[serde(skip)]
    pub(super) direction: Direction,
    #[serde(skip)]
    pub(super) store: UndoTarget,
    #[serde(skip)]
    pub(super) current: Snapshot,
    #[serde(skip)]
    pub(super) result: Snapshot,
}

impl Plan {
    /// What stands before the numbers of its facts, if they are not the identity's: `p` in a
    /// project, `here/` for what is about this laptop.
    pub fn before_numbers(&self) -> &'static str {
        let UndoTarget::Project(folder) = &self.store else { return "" };
        let is_host = folder.parent().is_some_and(|above| above.ends_with(HOSTS));
        if is_host && !folder.ends_with(".co-cli") { "here/" } else { "p" }
    }

    /// A plan that changes nothing yet.
    pub(super) fn of(operation: &Operation, direction: Direction) -> Plan {
        Plan {
            op: operation.op,
            also: Vec::new(),
            again: operation.undoes,
            verb: operation.verb.clone(),
            what: operation.what.clone(),
            published: Published::No,
            meaning: Meaning::default(),
            stays: Vec::new(),
            learned_there: 0,
            changed_since: Vec::new(),
            moves: None,
            is_of_merge: operation.verb == OpVerb::Merge,
            direction,
            store: UndoTarget::default(),
            current: Snapshot::default(),
            result: Snapshot::default(),
        }
    }
}
