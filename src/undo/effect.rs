//! What undoing an operation would do now, in any kind of store.
//!
//! Invariant: reads the operation's files and changes nothing. Each file is judged separately:
//! unpublished content is restored byte for byte, published content as the same facts.

use super::{
    error::UndoError,
    request::{Direction, Request},
};
use crate::identity::{Blob, Memory, RelPath, Snapshot, answers::HEADER, kind::REVIEWED};
use crate::index::store::Store;
use crate::machine::{
    files, folder,
    oplog::{Log, OpVerb, Operation, Stage, handle},
};
use crate::merge::{
    change::{ChangeSet, DocumentChange, DocumentEvent, Fact, FileChange, Meaning},
    tidy, undo,
};
use crate::sync;
use crate::workspace::{Error, Workspace, merged_in};
use serde::Serialize;
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

/// Who else may have what an operation changed; the most of several is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Published {
    #[default]
    No,
    /// Only whoever has an export.
    Exported,
    /// Other laptops learn of the undo with the next sync.
    Pushed,
}

impl Published {
    /// After this change. An export that was made since the operation lacks what comes back.
    pub(super) fn after(self, change: &Meaning) -> Published {
        let Meaning { forgotten, edited, relabelled, documents, .. } = change;
        let is_added = |document: &DocumentChange| document.change == DocumentEvent::Added;
        let only_adds = forgotten.is_empty()
            && edited.is_empty()
            && relabelled.is_empty()
            && documents.iter().all(is_added);
        if self == Published::Exported && only_adds { Published::No } else { self }
    }
}

/// For programs: whether anybody else may have it.
impl Serialize for Published {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*self != Published::No)
    }
}

pub(super) struct Effect {
    pub(super) done: ChangeSet,
    pub(super) target: UndoTarget,
    pub(super) current: Snapshot,
    pub(super) result: Snapshot,
    pub(super) published: Published,
    /// Facts of it that another laptop also had: they stay.
    pub(super) theirs: Vec<Memory>,
    /// Files that would be overwritten although they are newer.
    pub(super) over_newer: Vec<String>,
    /// Files that the operation added, and that stay because they have changed since.
    pub(super) changed_since: Vec<String>,
}

impl Effect {
    pub(super) fn of(
        ws: &Workspace,
        log: &Log,
        operation: &Operation,
        request: &Request,
    ) -> Result<Effect, Error> {
        let root = store_of(ws, &UndoTarget::of(operation))?.root;
        Effect::on(ws, log, operation, request, folder::read(&root).snapshot)
    }

    /// The effect on a store whose content is `current`.
    pub(super) fn on(
        ws: &Workspace,
        log: &Log,
        operation: &Operation,
        request: &Request,
        current: Snapshot,
    ) -> Result<Effect, Error> {
        let done = ChangeSet::of(change_of(ws, log, operation, request)?);
        let done = where_its_texts_are(log, operation, done, &current)?;
        let target = UndoTarget::of(operation);
        let (published, seen) = published(ws, log, operation, &done, &target)?;
        let asks_for_theirs = !seen.is_empty() && request.direction == Direction::Undo;
        let theirs = if asks_for_theirs && !request.accept_deletions {
            merged_in::facts_also_theirs(ws, operation)?
        } else {
            Vec::new()
        };
        let own = undo::without(&done, &theirs);
        let clock = tidy::Clock { now: ws.now(), mtimes: &BTreeMap::new() };
        let undo::TakenBack { snapshot, over_newer, changed_since } =
            undo::taken_back_for_all(&own, &current, &seen, clock);
        let mut result = with_own_numbers(&done, &current, snapshot);
        let answers = RelPath::known(REVIEWED);
        if current.get(&answers).is_some() && is_committed(log, operation) {
            // A committed file that is gone would be taken for removed by hand, and come back.
            let left = result.get(&answers).cloned();
            result.put(answers, left.unwrap_or_else(|| Blob::from(HEADER)));
        }
        // Ledger lines follow files: if no file changes, neither does the ledger.
        let result = if differ_in_files(&current, &result) { result } else { current.clone() };
        let named = |paths: Vec<RelPath>| -> Vec<String> {
            paths.iter().map(ToString::to_string).collect()
        };
        Ok(Effect {
            done,
            target,
            current,
            result,
            published,
            theirs,
            over_newer: named(over_newer),
            changed_since: named(changed_since),
        })
    }

    pub(super) fn changes_something(&self) -> bool {
        self.current != self.result
    }
}

fn is_committed(log: &Log, operation: &Operation) -> bool {
    let op = operation.taken_up.unwrap_or(operation.op);
    log.reached(Stage::Committed).is_some_and(|committed| op <= committed)
}

fn differ_in_files(one: &Snapshot, other: &Snapshot) -> bool {
    let files = ChangeSet::between(one, other).files;
    files.iter().any(|file| !file.path.is_ledger())
}

/// A text that is restored next to a newer text of the same fact becomes a separate fact: it gets a
/// new number, or is dropped if another fact has the same text.
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

/// The files of an operation that others may have seen: on the remote, or in a later export.
fn published(
    ws: &Workspace,
    log: &Log,
    operation: &Operation,
    done: &ChangeSet,
    target: &UndoTarget,
) -> Result<(Published, BTreeSet<RelPath>), Error> {
    // A restore's files existed before: undoing it is not a forget.
    if *target != UndoTarget::Identity || operation.verb.brings_back() {
        return Ok((Published::No, BTreeSet::new()));
    }
    let pushed = pushed(ws, log, operation, done)?;
    let is_export = |later: &Operation| later.op > operation.op && later.verb == OpVerb::Export;
    let is_exported = log.operations()?.iter().any(is_export);
    let published = match (pushed.is_empty(), is_exported && !done.files.is_empty()) {
        (false, _) => Published::Pushed,
        (true, true) => Published::Exported,
        (true, false) => Published::No,
    };
    let every = || done.files.iter().map(|file| file.path.clone()).collect();
    Ok((published, if is_exported { every() } else { pushed }))
}

/// Those of them that are on the remote.
fn pushed(
    ws: &Workspace,
    log: &Log,
    operation: &Operation,
    done: &ChangeSet,
) -> Result<BTreeSet<RelPath>, Error> {
    // Not pushed since, so nobody else has it, whatever the remote had before.
    let op = operation.taken_up.unwrap_or(operation.op);
    if log.reached(Stage::Published).is_some_and(|published| op > published) {
        return Ok(BTreeSet::new());
    }
    Ok(undo::published(done, &sync::published_identity(ws)?.unwrap_or_default()))
}

pub(super) fn store_of(ws: &Workspace, target: &UndoTarget) -> Result<Store, Error> {
    match target {
        UndoTarget::Identity => ws.identity().cloned(),
        UndoTarget::Project(folder) if files::is_dir(folder) => {
            Ok(Store::at_project(ws, folder.clone()))
        }
        UndoTarget::Project(folder) => {
            Err(UndoError::ProjectGone { folder: ws.shown(folder) }.into())
        }
    }
}

/// What an operation changed; with `accept_deletions`, everything that a merge brought.
fn change_of(
    ws: &Workspace,
    log: &Log,
    operation: &Operation,
    request: &Request,
) -> Result<Vec<FileChange>, Error> {
    if operation.verb == OpVerb::Merge && request.accept_deletions {
        return Ok(merged_in::changes(ws, operation)?.files);
    }
    if let Some(files) = log.change(operation)? {
        return Ok(files);
    }
    // For a large operation, only the bytes of its last redo may have been kept.
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

/// An edit that a merge set apart since is undone in the fact that its text is now.
fn where_its_texts_are(
    log: &Log,
    operation: &Operation,
    done: ChangeSet,
    current: &Snapshot,
) -> Result<ChangeSet, Error> {
    let is_edited_since = |file: &FileChange| {
        let is_edit = file.before.is_some() && file.after.is_some();
        is_edit && file.path.is_memory() && current.get(&file.path) != file.after.as_ref()
    };
    if !done.files.iter().any(is_edited_since) {
        return Ok(done);
    }
    // What a merge brought, or an undo of one took away, is not an edit of this laptop.
    let mut of_merges: BTreeSet<u64> = BTreeSet::new();
    let mut since = Vec::new();
    for one in log.operations()? {
        if one.verb == OpVerb::Merge || of_merges.iter().any(|merge| one.takes_back(*merge)) {
            of_merges.insert(one.op);
        } else if one.op > operation.op {
            since.extend(log.change(&one)?.unwrap_or_default());
        }
    }
    if of_merges.contains(&operation.op) {
        return Ok(done);
    }
    Ok(undo::followed(&done, &since, current))
}

pub(super) fn refuse_over_newer(
    effect: &Effect,
    operation: &Operation,
    together: impl FnOnce() -> Option<String>,
) -> Result<(), Error> {
    let Some(first) = effect.over_newer.first() else { return Ok(()) };
    Err(UndoError::OverNewer {
        file: first.to_string(),
        more: effect.over_newer.len() - 1,
        handle: operation.handle(),
        together: together(),
    }
    .into())
}

/// Facts that a merge added or deleted, and that undoing it leaves unchanged; those that it added
/// come first, and are counted.
pub(super) fn stays(
    ws: &Workspace,
    operation: &Operation,
    request: &Request,
    effect: &Effect,
) -> Result<(Vec<Fact>, usize), Error> {
    if operation.verb != OpVerb::Merge
        || request.accept_deletions
        || request.direction == Direction::Redo
    {
        let theirs: Vec<Fact> = effect.theirs.iter().map(Fact::of).collect();
        let learned = theirs.len();
        return Ok((theirs, learned));
    }
    let meaning = merged_in::changes(ws, operation)?.meaning();
    let facts = |state: &Snapshot| -> BTreeSet<(Option<u64>, String)> {
        state.memories().iter().map(|memory| (memory.id, memory.hash.to_string())).collect()
    };
    let (here, left) = (facts(&effect.current), facts(&effect.result));
    // A text that goes back to its old number does not stay where it is.
    let goes = |fact: &Fact| {
        let named = (fact.id, fact.hash.clone());
        here.contains(&named) && !left.contains(&named)
    };
    let mut stays: Vec<Fact> = meaning.learned.into_iter().filter(|fact| !goes(fact)).collect();
    let learned = stays.len();
    stays.extend(meaning.forgotten.into_iter().filter(|fact| !goes(fact)));
    Ok((stays, learned))
}
