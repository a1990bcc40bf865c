//! `identity undo` and `redo`: takes an operation of this laptop back, in the work tree, through
//! the merge engine; the next sync commits it.
//!
//! Invariant: unpublished changes come back byte for byte, published ones as the same facts, fields
//! and entries (undo of a save is a forget, undo of a forget learns again). Of a merge, the
//! versions of this laptop that lost come back; what other laptops brought stays unless asked
//! otherwise.

use super::{
    Exit, Failure, others,
    store::{Scope, Store},
    sync,
};
use crate::identity::{Memory, Snapshot, kind::MEMORIES};
use crate::merge::{
    change::{ChangeSet, Fact, Meaning},
    tidy, undo,
};
use crate::system::{
    Context, SystemError, files, folder,
    git::Repo,
    oplog::{Log, Operation},
};
use serde::Serialize;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Way {
    #[default]
    Undo,
    /// Takes the last undo back.
    Redo,
}

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// By default the last operation that was not taken back.
    pub op: Option<u64>,
    pub way: Way,
    /// Also takes back what other laptops brought.
    pub accept_deletions: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    pub op: u64,
    pub verb: String,
    pub what: String,
    /// Whether it was published, so that others learn of the undo with the next sync.
    pub published: bool,
    pub meaning: Meaning,
    /// Facts that came with it from other laptops, and stay.
    pub stays: Vec<Fact>,
    #[serde(skip)]
    way: Way,
    #[serde(skip)]
    store: Target,
    #[serde(skip)]
    current: Snapshot,
    #[serde(skip)]
    result: Snapshot,
}

#[derive(Clone, PartialEq, Debug, Default)]
enum Target {
    #[default]
    Identity,
    Project(std::path::PathBuf),
}

pub fn plan(context: &Context, request: &Request) -> Result<Plan, Failure> {
    sync::recover(context);
    let log = Store::at_identity(context).log();
    let operations = log.operations()?;
    let history = History::of(&operations);
    // Working out an effect reads the identity: that of the operation that is found is kept.
    let known: RefCell<Option<(u64, Effect)>> = RefCell::default();
    let has_effect = |operation: &Operation| {
        let effect = Effect::of(context, &log, operation, request).ok()?;
        let changes = effect.current != effect.result;
        *known.borrow_mut() = Some((operation.op, effect));
        Some(changes)
    };
    let operation = match (request.way, request.op) {
        (Way::Undo, None) => history.last(request, has_effect)?,
        (Way::Undo, Some(op)) => history.named(op)?,
        (Way::Redo, op) => history.last_undo(op)?,
    };
    let known = known.into_inner().filter(|(op, _)| *op == operation.op);
    let effect = match known {
        Some((_, effect)) => effect,
        None => Effect::of(context, &log, operation, request)?,
    };
    let stays = stays(context, operation, request, &effect)?;
    let Effect { done, target, current, result, published, .. } = effect;
    let change = ChangeSet::between(&current, &result);
    if change.is_empty() {
        let message = format!(
            "there is nothing left to take back of #{} ({})",
            operation.op,
            described(operation)
        );
        return Err(Failure::new(Exit::NotFound, message).hint("`co log` shows what happened here"));
    }
    if !request.accept_deletions {
        sync::refuse_mass_deletion(&undo::without_brought(&done, &current), &result)?;
    }
    Ok(Plan {
        op: operation.op,
        verb: operation.verb.clone(),
        what: operation.what.clone(),
        published,
        meaning: match operation.verb.as_str() {
            "merge" => change.meaning().without_numbers(),
            _ => change.meaning(),
        },
        stays,
        way: request.way,
        store: target,
        current,
        result,
    })
}

/// What taking an operation back would do now.
struct Effect {
    done: ChangeSet,
    target: Target,
    current: Snapshot,
    result: Snapshot,
    published: bool,
    /// Facts of it that another laptop said as well: they stay.
    theirs: Vec<Memory>,
}

impl Effect {
    fn of(
        context: &Context,
        log: &Log,
        operation: &Operation,
        request: &Request,
    ) -> Result<Effect, Failure> {
        let done = ChangeSet::of(change_of(context, log, operation, request)?);
        let project = operation.project.clone();
        let target = project.map_or(Target::Identity, Target::Project);
        let current = current(&store_of(context, &target)?);
        if target != Target::Identity {
            let result = undo::taken_back(&done, &current);
            let (published, theirs) = (false, Vec::new());
            return Ok(Effect { done, target, current, result, published, theirs });
        }
        // What a restore brought back was there before: taking it back is no forget.
        let published =
            operation.verb != "restore" && undo::is_published(&done, &published_identity(context)?);
        let leaves_theirs = published && request.way == Way::Undo && !request.accept_deletions;
        let theirs = match leaves_theirs {
            true => others::also_theirs(context, operation)?,
            false => Vec::new(),
        };
        // Facts that a sync of an older co brought came from other laptops.
        let own = match operation.verb.as_str() {
            "sync" if !request.accept_deletions => undo::without_new_files(&done),
            _ => done.clone(),
        };
        let wanted = undo::taken_back(&undo::without(&own, &theirs), &current);
        let result = match published {
            true => {
                let clock = tidy::Clock { now: context.now(), mtimes: &BTreeMap::new() };
                tidy::tidy(&wanted, &current, clock).snapshot
            }
            false => wanted,
        };
        Ok(Effect { done, target, current, result, published, theirs })
    }
}

/// [`Exit::Busy`] when a file changed since the plan was made.
pub fn apply(context: &Context, plan: &Plan) -> Result<(), Failure> {
    let store = store_of(context, &plan.store)?;
    let _lock = store.lock()?;
    if current(&store) != plan.current {
        return Err(Failure::new(
            Exit::Busy,
            "files changed since this was shown; nothing was written",
        )
        .hint("run the command again"));
    }
    let change = ChangeSet::between(&plan.current, &plan.result);
    let verb = match plan.way {
        Way::Undo => "undo",
        Way::Redo => "redo",
    };
    let mut entry = store.operation(context, verb, format!("{}: {}", plan.verb, plan.what));
    entry.undoes = Some(plan.op);
    store.note_operation(context, entry, &change)?;
    sync::write_files(&store.root, &plan.current, &plan.result)
}

fn store_of(context: &Context, target: &Target) -> Result<Store, Failure> {
    match target {
        Target::Identity => Store::identity(context),
        Target::Project(folder) if files::is_dir(folder) => {
            Ok(Store::at_project(context, folder.clone()))
        }
        Target::Project(folder) => {
            let message = format!("the project {} is gone", context.shown(folder));
            Err(Failure::new(Exit::NotFound, message)
                .hint("`co log` shows what else can be taken back"))
        }
    }
}

fn current(store: &Store) -> Snapshot {
    let below = if store.scope == Scope::Project { MEMORIES } else { "" };
    folder::read_below(&store.root, below).snapshot
}

/// What an operation changed; with `accept_deletions`, everything that a merge brought.
fn change_of(
    context: &Context,
    log: &Log,
    operation: &Operation,
    request: &Request,
) -> Result<Vec<crate::merge::change::FileChange>, Failure> {
    if operation.verb == "merge" && request.accept_deletions {
        return Ok(others::brought(context, operation)?.files);
    }
    log.change(operation)?.ok_or_else(|| {
        let message = format!("what operation #{} changed is no longer kept", operation.op);
        Failure::new(Exit::NotFound, message)
            .hint("`co identity restore --from REV PATH` brings files back as a commit has them")
    })
}

/// Facts that a merge added or deleted, and that an undo of it leaves as they are.
fn stays(
    context: &Context,
    operation: &Operation,
    request: &Request,
    effect: &Effect,
) -> Result<Vec<Fact>, Failure> {
    if operation.verb != "merge" || request.accept_deletions || request.way == Way::Redo {
        return Ok(effect.theirs.iter().map(Fact::of).collect());
    }
    let meaning = others::brought(context, operation)?.meaning();
    Ok(meaning.learned.into_iter().chain(meaning.forgotten).collect())
}

/// How many older operations are tried, to propose one that still has something to take back.
const PROPOSED: usize = 5;

struct History<'a> {
    operations: &'a [Operation],
    undone: BTreeSet<u64>,
}

impl<'a> History<'a> {
    fn of(operations: &'a [Operation]) -> History<'a> {
        History { operations, undone: taken_back_already(operations) }
    }

    fn find(&self, op: u64) -> Option<&'a Operation> {
        self.operations.iter().find(|operation| operation.op == op)
    }

    /// The last operation that was not taken back. `has_effect` says whether taking it back would
    /// change anything now; `None` when that cannot be said.
    fn last(
        &self,
        request: &Request,
        has_effect: impl Fn(&Operation) -> Option<bool>,
    ) -> Result<&'a Operation, Failure> {
        let mut counting = self.operations.iter().rev().filter(|operation| {
            operation.undoes.is_none()
                && !operation.is_silent()
                && !self.undone.contains(&operation.op)
        });
        // What something else took back already is not what the person means.
        let is_left = |operation: &&Operation| {
            is_only_others(operation) || has_effect(operation) != Some(false)
        };
        let Some(last) = counting.find(is_left) else {
            return Err(Failure::new(Exit::NotFound, "there is nothing to undo")
                .hint("`co log` shows what happened here"));
        };
        if !is_only_others(last) || request.accept_deletions {
            return Ok(last);
        }
        // An older operation is not what the user meant.
        let message = format!(
            "the last operation (#{} {}) brought what other laptops did, and nothing of this one \
             was lost in it",
            last.op,
            described(last)
        );
        let failure = Failure::new(Exit::NotFound, message);
        let older = counting
            .filter(|operation| !is_only_others(operation))
            .take(PROPOSED)
            .find(|operation| has_effect(operation) == Some(true));
        let failure = match older {
            Some(older) => {
                failure.hint(format!("`co undo {}` takes back: {}", older.op, described(older)))
            }
            None => failure,
        };
        Err(failure.hint("`co undo --accept-deletions` takes back what they did, for every laptop"))
    }

    fn named(&self, op: u64) -> Result<&'a Operation, Failure> {
        self.find(op).filter(|_| !self.undone.contains(&op)).ok_or_else(|| {
            let message = format!("there is no operation #{op} that was not taken back already");
            Failure::new(Exit::NotFound, message).hint("`co log` shows them")
        })
    }

    /// The last undo that still counts, or the one that took this operation back.
    fn last_undo(&self, op: Option<u64>) -> Result<&'a Operation, Failure> {
        let fits = |operation: &&Operation| {
            operation.verb == "undo"
                && !self.undone.contains(&operation.op)
                && op.is_none_or(|op| operation.undoes == Some(op) || operation.op == op)
        };
        self.operations.iter().rev().find(fits).ok_or_else(|| {
            Failure::new(Exit::NotFound, "there is no undo to take back")
                .hint("`co log` shows what happened here")
        })
    }
}

/// The operations that an undo took back, and the undos that a redo took back.
pub fn taken_back_already(operations: &[Operation]) -> BTreeSet<u64> {
    let mut undone: BTreeSet<u64> = BTreeSet::new();
    for operation in operations {
        let Some(op) = operation.undoes else { continue };
        undone.insert(op);
        // Taking back an undo makes the first operation count again.
        let first = operations.iter().find(|other| other.op == op).and_then(|other| other.undoes);
        first.map(|again| undone.remove(&again));
    }
    undone
}

/// Whether an operation holds nothing of this laptop.
fn is_only_others(operation: &Operation) -> bool {
    match operation.verb.as_str() {
        "merge" => operation.files.is_empty(),
        "sync" => operation.files.iter().all(|file| file.before.is_none()),
        _ => false,
    }
}

fn described(operation: &Operation) -> String {
    format!("{} {}", operation.verb, operation.what)
}

/// The identity as last seen on the remote.
fn published_identity(context: &Context) -> Result<Snapshot, Failure> {
    let repo = Repo::discover(context).map_err(SystemError::from)?;
    let Some(repo) = repo else { return Ok(Snapshot::default()) };
    let Ok(branch) = repo.branch(&context.settings.sync) else { return Ok(Snapshot::default()) };
    Ok(repo.snapshot(repo.ref_id(&branch.tracking))?)
}
