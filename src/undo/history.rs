//! Which operation an undo or a redo applies to.
//!
//! Invariant: a bare undo applies to the newest operation of this laptop that was not undone, or to
//! none: an older one is suggested, but never undone without a person's consent. Operations that
//! changed nothing in an identity or project for a person to see do not count.

use super::{
    error::{NothingToUndo, Older, Outside, SkipReason, UndoError},
    request::Request,
};
use crate::machine::oplog::{Log, OpVerb, Operation, handle, taken_back_already};
use crate::merge::ChangeSet;
use crate::workspace::Error;
use std::collections::BTreeSet;

/// How many older operations to try when suggesting one that can still be undone.
const TRIED: usize = 5;

pub(super) struct History<'a> {
    operations: &'a [Operation],
    log: &'a Log,
    undone: BTreeSet<u64>,
}

/// The operation an undo without arguments applies to.
pub(super) enum Newest<'a> {
    This(&'a Operation),
    /// The newest has nothing to undo; with the newest one before it that has, if any.
    Passed {
        newest: &'a Operation,
        why: SkipReason,
        older: Option<&'a Operation>,
    },
}

impl<'a> History<'a> {
    pub(super) fn new(operations: &'a [Operation], log: &'a Log) -> History<'a> {
        History { operations, log, undone: taken_back_already(operations) }
    }

    pub(super) fn find(&self, op: u64) -> Option<&'a Operation> {
        self.operations.iter().find(|operation| operation.op == op)
    }

    /// `has_effect` returns whether undoing an operation would change anything now; `None` if that
    /// is unknown.
    pub(super) fn newest(
        &self,
        request: &Request,
        has_effect: impl Fn(&Operation) -> Option<bool>,
    ) -> Result<Newest<'a>, Error> {
        let mut counting = self.counting();
        let Some(last) = counting.next() else {
            return Err(UndoError::Nothing.into());
        };
        let why = match is_only_others(last) && !request.accept_deletions {
            true => SkipReason::OnlyOthers,
            false if last.verb.is_outside() => SkipReason::Outside,
            false if last.is_relocated_copy() => SkipReason::Copied,
            false if has_effect(last) == Some(false) => SkipReason::NothingLeft,
            false => return Ok(Newest::This(last)),
        };
        let older = counting
            .filter(|operation| !is_only_others(operation) && can_be_undone(operation))
            .take(TRIED)
            .find(|operation| has_effect(operation) == Some(true));
        Ok(Newest::Passed { newest: last, why, older })
    }

    /// What a bare undo may apply to, newest first.
    fn counting(&self) -> impl Iterator<Item = &'a Operation> {
        self.operations.iter().rev().filter(|operation| {
            operation.undoes.is_none()
                && !operation.is_silent()
                && !self.undone.contains(&operation.op)
                && !self.is_idle(operation)
        })
    }

    /// Whether a person would see no change in an identity: a copy was made for others, or a fact
    /// that was known was learned again, and only its stamp is later.
    fn is_idle(&self, operation: &Operation) -> bool {
        let changed = || self.log.change(operation).ok().flatten();
        match operation.verb {
            OpVerb::Export => true,
            OpVerb::SaveAgain => {
                changed().is_some_and(|files| ChangeSet::of(files).meaning().is_empty())
            }
            _ => false,
        }
    }

    /// The oldest and the newest of that many last operations.
    pub(super) fn last(&self, count: usize) -> Option<(u64, u64)> {
        let inside = self.counting().filter(|operation| is_of_files(operation));
        let ops: Vec<u64> = inside.take(count).map(|operation| operation.op).collect();
        let (newest, oldest) = (ops.first()?, ops.last()?);
        (ops.len() == count).then_some((*oldest, *newest))
    }

    /// Those of a range that can be undone, newest first.
    pub(super) fn between(&self, from: u64, to: u64) -> impl Iterator<Item = &'a Operation> {
        self.counting()
            .filter(move |operation| (from..=to).contains(&operation.op) && is_of_files(operation))
    }

    pub(super) fn named(&self, op: u64) -> Result<&'a Operation, Error> {
        let Some(found) = self.find(op) else {
            return Err(UndoError::NoOperation { handle: handle(op) }.into());
        };
        if self.undone.contains(&op) {
            return Err(UndoError::TakenBack { operation: described(found) }.into());
        }
        if found.verb.is_outside() {
            return Err(UndoError::Outside(outside(found)).into());
        }
        if found.is_relocated_copy() {
            return Err(UndoError::Copied(outside(found)).into());
        }
        Ok(found)
    }

    /// The last undo still in effect, or the one that undid this operation.
    pub(super) fn last_undo(&self, op: Option<u64>) -> Result<&'a Operation, Error> {
        let fits = |operation: &&Operation| {
            operation.verb == OpVerb::Undo
                && !self.undone.contains(&operation.op)
                && op.is_none_or(|op| operation.takes_back(op) || operation.op == op)
        };
        self.operations.iter().rev().find(fits).ok_or_else(|| UndoError::NoUndo.into())
    }
}

/// Whether it can be undone together with others: it changed files, and moved no folder.
fn is_of_files(operation: &Operation) -> bool {
    can_be_undone(operation) && operation.moved.is_none()
}

fn can_be_undone(operation: &Operation) -> bool {
    !operation.verb.is_outside() && !operation.is_relocated_copy()
}

/// Whether an operation contains no changes of this laptop.
pub(super) fn is_only_others(operation: &Operation) -> bool {
    operation.verb == OpVerb::Merge && operation.files.is_empty()
}

/// `o7, save: Likes tea`
pub(super) fn outside(operation: &Operation) -> Outside {
    let (verb, what) = (operation.verb.clone(), operation.what.clone());
    Outside { verb, what, described: described(operation) }
}

pub(super) fn nothing_to_undo(
    newest: &Operation,
    why: SkipReason,
    older: Option<&Operation>,
) -> NothingToUndo {
    let described = |older: &Operation| format!("{}: {}", older.verb, older.what);
    let older = older.map(|older| Older { op: older.op, described: described(older) });
    NothingToUndo { newest: outside(newest), why, older }
}

pub(super) fn described(operation: &Operation) -> String {
    format!("{}, {}: {}", operation.handle(), operation.verb, operation.what)
}
