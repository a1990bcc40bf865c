//! Several operations undone together: one change per store, which one redo reverts.
//!
//! Invariant: newest first, each on the result of the one before, so that no intermediate state
//! reaches the disk; if one of them cannot be undone, none is.

use super::{
    effect::{Effect, Published, UndoTarget, refuse_over_newer, store_of},
    planned::Plan,
    request::Request,
    state::UndoState,
};
use crate::identity::Snapshot;
use crate::machine::{folder, oplog::OpVerb};
use crate::merge::{change::ChangeSet, undo};
use crate::sync;
use crate::workspace::{Error, Workspace};

/// The combined undo in one store.
struct StoreUndo {
    target: UndoTarget,
    current: Snapshot,
    /// Without what the operations had added, whose removal was asked for.
    expected: Snapshot,
    result: Snapshot,
    ops: Vec<u64>,
    published: Published,
    changed_since: Vec<String>,
}

/// A plan for each store in which these operations, given newest first, still have an effect;
/// `what` describes them together. Operations without an effect are skipped.
pub fn plan_several(
    ws: &Workspace,
    ops: &[u64],
    what: &str,
    request: &Request,
) -> Result<Vec<Plan>, Error> {
    let state = UndoState::at(ws, request)?;
    let history = state.history();
    let mut all: Vec<StoreUndo> = Vec::new();
    for op in ops {
        let operation = history.named(*op)?;
        let target = UndoTarget::of(operation);
        let at = match all.iter().position(|one| one.target == target) {
            Some(at) => at,
            None => {
                let root = store_of(ws, &target)?.root;
                let current = folder::read(&root).snapshot;
                all.push(StoreUndo::starting(target, current));
                all.len() - 1
            }
        };
        let one = &mut all[at];
        let effect = Effect::on(ws, &state.log, operation, request, one.result.clone())?;
        refuse_over_newer(&effect, operation, || None)?;
        if !effect.changes_something() {
            continue;
        }
        one.expected = undo::without_brought(&effect.done, &one.expected);
        one.published = one.published.max(effect.published);
        one.changed_since.extend(effect.changed_since);
        one.result = effect.result;
        one.ops.push(*op);
    }
    for one in all.iter().filter(|_| !request.accept_deletions) {
        sync::refuse_mass_deletion(&one.expected, &one.result)?;
    }
    Ok(all.into_iter().filter_map(|one| one.plan(what, request)).collect())
}

impl StoreUndo {
    fn starting(target: UndoTarget, current: Snapshot) -> StoreUndo {
        let (expected, result) = (current.clone(), current.clone());
        let (ops, changed_since) = (Vec::new(), Vec::new());
        let published = Published::No;
        StoreUndo { target, current, expected, result, ops, published, changed_since }
    }

    fn plan(self, what: &str, request: &Request) -> Option<Plan> {
        let (first, rest) = self.ops.split_first()?;
        let meaning = ChangeSet::between(&self.current, &self.result).meaning();
        Some(Plan {
            op: *first,
            also: rest.to_vec(),
            again: None,
            verb: OpVerb::Other("session".to_owned()),
            what: what.to_owned(),
            published: self.published.after(&meaning),
            meaning,
            stays: Vec::new(),
            learned_there: 0,
            changed_since: self.changed_since,
            moves: None,
            is_of_merge: false,
            direction: request.direction,
            store: self.target,
            current: self.current,
            result: self.result,
        })
    }
}
