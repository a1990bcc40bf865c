//! What taking an operation back would do now, in whatever store it lies.
//!
//! Invariant: reads what the operation touched and changes nothing. Each file is judged for itself:
//! what nobody else has seen comes back byte for byte, what was published as the same facts.

use super::{Direction, Error, Request};
use crate::identity::{Blob, Memory, Snapshot};
use crate::merge::{
    change::{ChangeSet, Fact, FileChange},
    tidy, undo,
};
use crate::ops::undo::UndoError;
use crate::ops::{others, store::Store};
use crate::system::{
    Context, SystemError, files, folder,
    git::Repo,
    oplog::{Log, OpVerb, Operation, Stage, handle},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) enum UndoTarget {
    #[default]
    Identity,
    Project(PathBuf),
}

impl UndoTarget {
    pub(super) fn of(operation: &Operation) -> UndoTarget {
        operation.project.clone().map_or(UndoTarget::Identity, UndoTarget::Project)
    }
}

pub(super) struct Effect {
    pub(super) done: ChangeSet,
    pub(super) target: UndoTarget,
    pub(super) current: Snapshot,
    pub(super) result: Snapshot,
    /// Whether others learn of it with the next sync.
    pub(super) published: bool,
    /// Facts of it that another laptop said as well: they stay.
    pub(super) theirs: Vec<Memory>,
    /// Files that would be written over although they are newer.
    pub(super) over_newer: Vec<String>,
    /// Files that the operation brought, and that stay because they were changed since.
    pub(super) changed_since: Vec<String>,
}

impl Effect {
    pub(super) fn of(
        context: &Context,
        log: &Log,
        operation: &Operation,
        request: &Request,
    ) -> Result<Effect, Error> {
        let root = store_of(context, &UndoTarget::of(operation))?.root;
        Effect::on(context, log, operation, request, folder::read(&root).snapshot)
    }

    /// The effect on a store whose content is `current`.
    pub(super) fn on(
        context: &Context,
        log: &Log,
        operation: &Operation,
        request: &Request,
        current: Snapshot,
    ) -> Result<Effect, Error> {
        let done = ChangeSet::of(change_of(context, log, operation, request)?);
        let target = UndoTarget::of(operation);
        let seen = published(context, log, operation, &done, &target)?;
        let asks_for_theirs = !seen.is_empty() && request.way == Direction::Undo;
        let theirs = if asks_for_theirs && !request.accept_deletions {
            others::also_theirs(context, operation)?
        } else {
            Vec::new()
        };
        // Facts that a sync of an older co brought came from other laptops.
        let own = match operation.verb {
            OpVerb::Sync if !request.accept_deletions => undo::without_new_files(&done),
            _ => done.clone(),
        };
        let own = undo::without(&own, &theirs);
        let clock = tidy::Clock { now: context.now(), mtimes: &BTreeMap::new() };
        let undo::TakenBack { snapshot, over_newer, changed_since } =
            undo::taken_back_for_all(&own, &current, &seen, clock);
        let result = with_own_numbers(&done, &current, snapshot);
        // Lines of the ledger follow files: without one nothing comes or goes.
        let result = if differ_in_files(&current, &result) { result } else { current.clone() };
        let named = |paths: Vec<crate::identity::RelPath>| -> Vec<String> {
            paths.iter().map(ToString::to_string).collect()
        };
        Ok(Effect {
            done,
            target,
            current,
            result,
            published: !seen.is_empty(),
            theirs,
            over_newer: named(over_newer),
            changed_since: named(changed_since),
        })
    }

    pub(super) fn changes_something(&self) -> bool {
        self.current != self.result
    }
}

fn differ_in_files(one: &Snapshot, other: &Snapshot) -> bool {
    let files = ChangeSet::between(one, other).files;
    files.iter().any(|file| !file.path.is_ledger())
}

/// A text that comes back beside the newer one of the same fact is a fact of its own: with a number
/// of its own, and not where another fact says the same.
fn with_own_numbers(done: &ChangeSet, current: &Snapshot, mut result: Snapshot) -> Snapshot {
    drop_said_already(done, current, &mut result);
    let read = |file: &FileChange| Memory::read(&file.path, file.after.as_ref()?).ok();
    let origins: BTreeSet<_> =
        done.files.iter().filter_map(read).map(|fact| fact.created).collect();
    let here = current.memories();
    let newer: BTreeSet<Option<u64>> = here
        .iter()
        .filter(|memory| origins.contains(&memory.created))
        .map(|memory| memory.id)
        .collect();
    let all = result.memories();
    let stands = |id: &Option<u64>| all.iter().filter(|memory| memory.id == *id).count() > 1;
    let is_back = |memory: &&Memory| {
        newer.contains(&memory.id)
            && stands(&memory.id)
            && !here.iter().any(|other| other.created == memory.created)
    };
    let mut next = all.iter().chain(&here).filter_map(|memory| memory.id).max().unwrap_or(0);
    for memory in all.iter().filter(is_back) {
        next += 1;
        let renumbered = memory.renumbered(next);
        result.remove(&memory.path);
        result.put(renumbered.path, renumbered.blob);
    }
    result
}

fn drop_said_already(done: &ChangeSet, current: &Snapshot, result: &mut Snapshot) {
    let side =
        |file: &FileChange, blob: &Option<Blob>| Memory::read(&file.path, blob.as_ref()?).ok();
    let own =
        done.files.iter().flat_map(|file| [side(file, &file.before), side(file, &file.after)]);
    let here = current.memories();
    let known: BTreeSet<_> = own
        .flatten()
        .map(|fact| fact.created)
        .chain(here.iter().map(|fact| fact.created))
        .collect();
    let all = result.memories();
    let (forked, others): (Vec<&Memory>, Vec<&Memory>) =
        all.iter().partition(|fact| !known.contains(&fact.created));
    let texts: BTreeSet<_> = others.iter().map(|fact| fact.hash).collect();
    for fact in forked.iter().filter(|fact| texts.contains(&fact.hash)) {
        result.remove(&fact.path);
    }
}

/// The files of an operation that others may have seen: on the remote, or in an export since.
fn published(
    context: &Context,
    log: &Log,
    operation: &Operation,
    done: &ChangeSet,
    target: &UndoTarget,
) -> Result<BTreeSet<crate::identity::RelPath>, Error> {
    // What a restore brought back was there before: taking it back is no forget.
    if *target != UndoTarget::Identity || operation.verb.brings_back() {
        return Ok(BTreeSet::new());
    }
    let is_export = |later: &Operation| later.op > operation.op && later.verb == OpVerb::Export;
    if log.operations()?.iter().any(is_export) {
        return Ok(done.files.iter().map(|file| file.path.clone()).collect());
    }
    // What no push has taken along since is nowhere else, whatever the remote had before.
    let op = operation.taken_up.unwrap_or(operation.op);
    if log.reached(Stage::Published).is_some_and(|published| op > published) {
        return Ok(BTreeSet::new());
    }
    Ok(undo::published(done, &published_identity(context)?))
}

/// The identity as last seen on the remote.
fn published_identity(context: &Context) -> Result<Snapshot, Error> {
    let repo = Repo::discover(context).map_err(SystemError::from)?;
    let Some(repo) = repo else { return Ok(Snapshot::default()) };
    let Ok(branch) = repo.branch(&context.settings.sync) else { return Ok(Snapshot::default()) };
    Ok(repo.snapshot(repo.ref_id(&branch.tracking))?)
}

pub(super) fn store_of(context: &Context, target: &UndoTarget) -> Result<Store, Error> {
    match target {
        UndoTarget::Identity => Store::identity(context),
        UndoTarget::Project(folder) if files::is_dir(folder) => {
            Ok(Store::at_project(context, folder.clone()))
        }
        UndoTarget::Project(folder) => {
            Err(UndoError::ProjectGone { folder: context.shown(folder) }.into())
        }
    }
}

/// What an operation changed; with `accept_deletions`, everything that a merge brought.
fn change_of(
    context: &Context,
    log: &Log,
    operation: &Operation,
    request: &Request,
) -> Result<Vec<FileChange>, Error> {
    if operation.verb == OpVerb::Merge && request.accept_deletions {
        return Ok(others::brought(context, operation)?.files);
    }
    if let Some(files) = log.change(operation)? {
        return Ok(files);
    }
    // Of a large one the bytes of its last redo may be all that is kept.
    let operations = log.operations()?;
    let undid = |undo: &Operation| undo.takes_back(operation.op);
    let undos: Vec<u64> = operations.iter().filter(|one| undid(one)).map(|one| one.op).collect();
    let did_again = |one: &&Operation| undos.iter().any(|undo| one.takes_back(*undo));
    let again = operations.iter().rev().find(did_again).map(|again| log.change(again));
    again
        .transpose()?
        .flatten()
        .ok_or_else(|| UndoError::NoLongerKept { handle: handle(operation.op) }.into())
}

/// Facts that a merge added or deleted, and that an undo of it leaves as they are.
pub(super) fn stays(
    context: &Context,
    operation: &Operation,
    request: &Request,
    effect: &Effect,
) -> Result<Vec<Fact>, Error> {
    if operation.verb != OpVerb::Merge || request.accept_deletions || request.way == Direction::Redo
    {
        return Ok(effect.theirs.iter().map(Fact::of).collect());
    }
    let meaning = others::brought(context, operation)?.meaning();
    Ok(meaning.learned.into_iter().chain(meaning.forgotten).collect())
}
