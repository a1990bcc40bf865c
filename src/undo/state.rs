//! The log of an identity as an undo looks at it.
//!
//! Invariant: what a killed co left open is ended first. Must not know how a plan is made.

use super::{
    effect::Effect,
    history::{History, Newest},
    request::Request,
};
use crate::machine::oplog::{Log, OpVerb, Operation};
use crate::transfer::relocate;
use crate::workspace::{Error, Workspace};

pub(super) struct UndoState<'a> {
    pub(super) ws: &'a Workspace,
    request: &'a Request,
    pub(super) log: Log,
    pub(super) operations: Vec<Operation>,
}

impl<'a> UndoState<'a> {
    pub(super) fn at(ws: &'a Workspace, request: &'a Request) -> Result<UndoState<'a>, Error> {
        let store = ws.identity_place();
        store.settle_abandoned(ws)?;
        let log = store.log();
        let operations = log.operations()?;
        Ok(UndoState { ws, request, log, operations })
    }

    pub(super) fn history(&self) -> History<'_> {
        History::new(&self.operations, &self.log)
    }

    pub(super) fn takes_back_merge(&self, operation: &Operation) -> bool {
        let undone = |other: &&Operation| operation.takes_back(other.op);
        self.operations.iter().filter(undone).any(|other| other.verb == OpVerb::Merge)
    }

    pub(super) fn effect(&self, operation: &Operation) -> Result<Effect, Error> {
        Effect::of(self.ws, &self.log, operation, self.request)
    }

    pub(super) fn newest<'b>(&self, history: &History<'b>) -> Result<Newest<'b>, Error> {
        let has_effect = |operation: &Operation| {
            if let Some(moved) = &operation.moved {
                return Some(!relocate::has_moved_on(self.ws, moved));
            }
            let effect = self.effect(operation).ok()?;
            Some(effect.changes_something() || !effect.over_newer.is_empty())
        };
        history.newest(self.request, has_effect)
    }
}
