//! `identity undo` and `redo`: undoes an operation of this laptop in the work tree, through the
//! merge engine; the next sync commits it.
//!
//! Invariant: unpublished changes are reverted byte for byte, published ones as the same facts,
//! fields and entries (undo of a save is a forget, undo of a forget learns again). For a merge,
//! this laptop's versions that lost are restored; what other laptops brought stays unless asked
//! otherwise. Bytes that are newer than the operation are never overwritten.

mod effect;
mod error;
mod history;
mod planned;
mod request;
mod several;
mod state;

use crate::facts::show;
use crate::identity::RelPath;
pub use crate::machine::oplog::{Named, handle, parse as parse_handle};
use crate::machine::{
    files,
    oplog::{OpVerb, Operation},
};
use crate::merge::{change::ChangeSet, undo};
use crate::sync;
use crate::transfer::relocate;
use crate::workspace::{
    Error, Workspace, last_sync, named,
    transaction::{self, TransactionError},
};
pub use effect::Published;
use effect::{Effect, refuse_over_newer, store_of};
pub use error::{NothingToUndo, Outside, SkipReason, UndoError};
use history::{History, Newest, described, is_only_others, nothing_to_undo};
pub use planned::Plan;
pub use request::{Direction, Request};
pub use several::plan_several;
use state::UndoState;

/// Why a bare undo would do nothing, and what it could do instead; `None` if it would do something.
pub fn passed(ws: &Workspace, request: &Request) -> Result<Option<NothingToUndo>, Error> {
    let state = UndoState::at(ws, request)?;
    let newest = state.newest(&state.history())?;
    Ok(match newest {
        Newest::This(_) => None,
        Newest::Passed { newest, why, older } => Some(nothing_to_undo(newest, why, older)),
    })
}

/// What a number alone may have meant where an operation is expected.
pub struct Readings {
    /// The oldest and the newest of that many last operations.
    pub last: Option<(u64, u64)>,
    /// The text of the fact with that number.
    pub fact: Option<String>,
}

pub fn readings(ws: &Workspace, number: u64) -> Result<Readings, Error> {
    let request = Request::default();
    let state = UndoState::at(ws, &request)?;
    let count = usize::try_from(number).unwrap_or(usize::MAX);
    let last = state.history().last(count);
    let fact = show::find(ws, &number.to_string(), None).ok();
    Ok(Readings { last, fact: fact.map(|(_, placed)| placed.memory.summary()) })
}

/// The operations of a range that an undo applies to, newest first.
pub fn between(ws: &Workspace, from: u64, to: u64) -> Result<Vec<(u64, String)>, Error> {
    let request = Request::default();
    let state = UndoState::at(ws, &request)?;
    let found: Vec<(u64, String)> = state
        .history()
        .between(from, to)
        .map(|operation| (operation.op, described(operation)))
        .collect();
    if found.is_empty() {
        let handle = format!("{}..{}", handle(from), handle(to));
        return Err(UndoError::NoOperation { handle }.into());
    }
    Ok(found)
}

pub fn plan(ws: &Workspace, request: &Request) -> Result<Plan, Error> {
    let state = UndoState::at(ws, request)?;
    let history = state.history();
    let operation = match (request.direction, request.op) {
        (Direction::Undo, None) => match state.newest(&history)? {
            Newest::This(operation) => operation,
            Newest::Passed { newest, why, older } => return Err(nothing_left(newest, why, older)),
        },
        (Direction::Undo, Some(op)) => history.named(op)?,
        (Direction::Redo, op) => history.last_undo(op)?,
    };
    if let Some(moved) = &operation.moved {
        let back = relocate::plan_back(ws, moved)?;
        return Ok(Plan { moves: Some(back), ..Plan::of(operation, request.direction) });
    }
    let effect = state.effect(operation)?;
    let (stays, learned_there) = effect::stays(ws, operation, request, &effect)?;
    let named = described(operation);
    refuse_over_newer(&effect, operation, || with_all_since(&state, &history, operation))?;
    let Effect { done, target, current, result, published, changed_since, .. } = effect;
    let change = ChangeSet::between(&current, &result);
    if change.is_empty() {
        let is_of_others = is_only_others(operation) && !request.accept_deletions;
        let operation = named;
        let error = if is_of_others {
            UndoError::OnlyOthers { operation }
        } else {
            UndoError::NothingLeft { operation }
        };
        return Err(error.into());
    }
    if !request.accept_deletions {
        sync::refuse_mass_deletion(&undo::without_brought(&done, &current), &result)?;
    }
    let mut meaning = change.meaning();
    named::name_fields(ws, meaning.fields_mut());
    let is_merge = operation.verb == OpVerb::Merge;
    Ok(Plan {
        published: published.after(&meaning),
        meaning: if is_merge { meaning.without_numbers() } else { meaning },
        stays,
        learned_there,
        changed_since,
        store: target,
        current,
        result,
        is_of_merge: is_merge || state.takes_back_merge(operation),
        ..Plan::of(operation, request.direction)
    })
}

/// The range from an operation to the newest, if all of it can be undone now.
fn with_all_since(
    state: &UndoState<'_>,
    history: &History<'_>,
    operation: &Operation,
) -> Option<String> {
    let last = state.operations.last()?.op;
    let ops: Vec<u64> = history.between(operation.op, last).map(|one| one.op).collect();
    let newest = *ops.first().filter(|_| ops.len() > 1)?;
    let plans = plan_several(state.ws, &ops, "", &Request::default()).ok()?;
    let covers = |plan: &Plan| plan.op == operation.op || plan.also.contains(&operation.op);
    let range = format!("{}..{}", operation.handle(), handle(newest));
    plans.iter().any(covers).then_some(range)
}

fn nothing_left(newest: &Operation, why: SkipReason, older: Option<&Operation>) -> Error {
    UndoError::Passed(Box::new(nothing_to_undo(newest, why, older))).into()
}

/// Returns sentences on what could not follow. Fails with `ErrorKind::Busy` if a file of it changed
/// since the plan was made.
pub fn apply(ws: &Workspace, plan: &Plan) -> Result<Vec<String>, Error> {
    let verb = match plan.direction {
        Direction::Undo => OpVerb::Undo,
        Direction::Redo => OpVerb::Redo,
    };
    let what = format!("{}: {}", plan.verb, plan.what);
    if let Some(moved) = &plan.moves {
        let undoes = Some(plan.op);
        let wanted = transaction::FolderMove { verb, what: &what, moved, undoes };
        return relocate::move_whole(ws, &wanted);
    }
    let store = store_of(ws, &plan.store)?;
    let write = ws.write(&store)?;
    let change = ChangeSet::between(&plan.current, &plan.result);
    let has_changed = |path: &RelPath| {
        let there = files::read(&store.root.join(path.as_str())).ok().flatten();
        there.as_deref() != plan.current.get(path).map(|blob| &**blob)
    };
    if let Some(file) = change.files.iter().find(|file| has_changed(&file.path)) {
        return Err(TransactionError::Changed { what: file.path.to_string() }.into());
    }
    let transaction = write.operation(verb, what).undoing(plan.op);
    let transaction = transaction.also_undoing(&plan.also);
    transaction.apply_between(&plan.current, &plan.result, &|_, _| {})?;
    if plan.is_of_merge {
        last_sync::settle_numbers(&store);
    }
    Ok(Vec::new())
}
