//! `identity undo`: takes this laptop's last operation back, in the work tree, through the same
//! engine; the next sync commits it.
//!
//! Invariant: what was not published comes back byte for byte; what was, comes back as the same
//! facts, fields and entries (undo of a save is a forget, undo of a forget learns again). Facts
//! that other laptops brought stay unless asked otherwise.

use super::{Exit, Failure, store::Store, sync};
use crate::identity::{Kind, Ledger, Memory, RelPath, Snapshot, kind::LEDGER};
use crate::merge::{
    Policy,
    change::{ChangeSet, FileChange, Meaning},
    merge, tidy,
};
use crate::system::{Machine, SystemError, folder, git::Repo, oplog::Operation};
use serde::Serialize;
use std::collections::BTreeSet;

/// What to take back.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The operation's number; by default the last one that was not taken back.
    pub op: Option<u64>,
    /// Also let facts go that came from other laptops.
    pub accept_deletions: bool,
}

/// What was taken back.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The operation's number.
    pub op: u64,
    /// Its command.
    pub verb: String,
    /// One line about it.
    pub what: String,
    /// Whether it was published, so that others learn of the undo with the next sync.
    pub published: bool,
    /// What changed now.
    pub meaning: Meaning,
}

/// Takes an operation back.
///
/// # Errors
/// [`Exit::NotFound`] when there is nothing to take back.
pub fn run(machine: &Machine, request: &Request) -> Result<Report, Failure> {
    let store = Store::identity(machine)?;
    sync::recover(machine);
    let _lock = store.lock()?;
    let operations = store.log().operations()?;
    let operation = choose(&operations, request.op)?;
    let files = store.log().change(operation)?.ok_or_else(|| {
        let message = format!("what operation {} changed is no longer kept", operation.op);
        Failure::new(Exit::NotFound, message)
            .hint("`co identity restore --from REV PATH` brings files back as a commit has them")
    })?;
    let done = ChangeSet::of(files);
    let reading = folder::read(&store.root);
    let current = reading.snapshot;
    let published = is_published(machine, &done)?;
    let wanted = taken_back(operation, done.clone(), &current, request.accept_deletions);
    let result = if published {
        tidy::tidy(
            &wanted,
            &current,
            tidy::Clock { now: machine.now(), mtimes: &std::collections::BTreeMap::new() },
        )
        .snapshot
    } else {
        wanted
    };
    let change = ChangeSet::between(&current, &result);
    if change.is_empty() {
        let message = format!(
            "there is nothing left to take back of {} ({} {})",
            operation.op, operation.verb, operation.what
        );
        return Err(Failure::new(Exit::NotFound, message)
            .hint("`co identity log` shows what happened here"));
    }
    if !request.accept_deletions {
        sync::refuse_mass_deletion(&without_brought(&done, &current), &result)?;
    }
    sync::write_files(&store.root, &current, &result)?;
    let mut entry =
        Operation::new("undo", format!("{}: {}", operation.verb, operation.what), machine.now());
    entry.undoes = Some(operation.op);
    store.log().append(entry, &change.files)?;
    Ok(Report {
        op: operation.op,
        verb: operation.verb.clone(),
        what: operation.what.clone(),
        published,
        meaning: change.meaning(),
    })
}

/// The identity without the facts that the operation itself brought: their going is what was asked
/// for, and no accident.
fn without_brought(change: &ChangeSet, current: &Snapshot) -> Snapshot {
    let read = |path: &RelPath, blob: &Option<crate::identity::Blob>| {
        Memory::read(path, blob.as_ref()?).ok()
    };
    let brought: BTreeSet<_> = change
        .files
        .iter()
        .filter_map(|file| read(&file.path, &file.after))
        .map(|memory| memory.hash)
        .collect();
    let brought_by_it = |path: &RelPath, blob: &crate::identity::Blob| {
        path.is_memory()
            && Memory::read(path, blob).is_ok_and(|memory| brought.contains(&memory.hash))
    };
    current
        .iter()
        .filter(|(path, blob)| !brought_by_it(path, blob))
        .map(|(path, blob)| (path.clone(), blob.clone()))
        .collect()
}

fn choose(operations: &[Operation], named: Option<u64>) -> Result<&Operation, Failure> {
    let mut undone: BTreeSet<u64> = BTreeSet::new();
    for operation in operations {
        // Taking back an undo makes the first operation count again.
        let first =
            |op: u64| operations.iter().find(|other| other.op == op).and_then(|other| other.undoes);
        if let Some(op) = operation.undoes {
            undone.insert(op);
            first(op).map(|again| undone.remove(&again));
        }
    }
    // A sync that took nothing up by hand has nothing of its own to take back.
    let empty = |operation: &&Operation| {
        operation.verb == "sync" && operation.files.iter().all(|file| file.before.is_none())
    };
    let last = operations
        .iter()
        .rev()
        .find(|operation| operation.undoes.is_none() && !undone.contains(&operation.op));
    if let (None, Some(last)) = (named, last.filter(|last| empty(last) && last.brought > 0)) {
        // Taking back something older instead would not be what was meant.
        let mut failure = Failure::new(
            Exit::NotFound,
            format!(
                "the last operation ({} sync) brought what other laptops did, and has nothing of \
                 its own to take back",
                last.op
            ),
        );
        if let Some(older) = operations.iter().rev().find(|operation| {
            operation.undoes.is_none() && !undone.contains(&operation.op) && !empty(operation)
        }) {
            failure = failure.hint(format!(
                "`co identity undo {}` takes back: {} {}",
                older.op, older.verb, older.what
            ));
        }
        return Err(failure.hint(
            "`co forget` forgets a fact for everybody; `co identity log` shows what happened here",
        ));
    }
    let found = match named {
        Some(op) => operations.iter().find(|operation| operation.op == op && !undone.contains(&op)),
        None => operations.iter().rev().find(|operation| {
            operation.undoes.is_none() && !undone.contains(&operation.op) && !empty(operation)
        }),
    };
    found.ok_or_else(|| match named {
        Some(op) => Failure::new(
            Exit::NotFound,
            format!("there is no operation {op} that was not taken back already"),
        )
        .hint("`co identity log` shows them"),
        None => Failure::new(Exit::NotFound, "there is nothing to undo")
            .hint("`co identity log` shows what happened here"),
    })
}

/// Whether others may have seen what the operation wrote: a memory or a ledger line of it is in the
/// remote's last known commit.
fn is_published(machine: &Machine, done: &ChangeSet) -> Result<bool, Failure> {
    let Some(repo) = Repo::discover(machine).map_err(SystemError::from)? else { return Ok(false) };
    let Ok(branch) = repo.branch(&machine.settings.sync) else { return Ok(false) };
    let there = repo.snapshot(repo.ref_id(&branch.tracking)).map_err(SystemError::from)?;
    let ledger = there.ledger();
    let memories = there.memories();
    let seen = |file: &FileChange| match (&file.after, file.path.kind()) {
        (Some(blob), Kind::Memory) => {
            let after = Memory::read(&file.path, blob);
            after.is_ok_and(|after| {
                memories
                    .iter()
                    .any(|memory| memory.created == after.created && memory.hash == after.hash)
            })
        }
        (Some(blob), Kind::Ledger) => {
            new_lines(file).iter().any(|(origin, hash, _)| ledger.get(*origin, *hash).is_some())
                && !blob.is_empty()
        }
        (after, _) => there.get(&file.path) == after.as_ref() && after.is_some(),
    };
    Ok(done.files.iter().any(seen))
}

type Line = (crate::identity::Stamp, crate::identity::ContentHash, crate::identity::Stamp);

fn new_lines(file: &FileChange) -> Vec<Line> {
    let read = |blob: &Option<crate::identity::Blob>| {
        blob.as_ref().map(|blob| Ledger::read(blob)).unwrap_or_default()
    };
    let before = read(&file.before);
    read(&file.after)
        .iter()
        .filter(|(origin, hash, stamp)| before.get(*origin, *hash) != Some(*stamp))
        .collect()
}

/// The identity without what the operation did, whatever happened since.
fn taken_back(
    operation: &Operation,
    mut change: ChangeSet,
    current: &Snapshot,
    accept_deletions: bool,
) -> Snapshot {
    // Facts that a sync brought came from other laptops.
    if operation.verb == "sync" && !accept_deletions {
        change.files.retain(|file| file.before.is_some());
    }
    let side = |pick: fn(&FileChange) -> &Option<crate::identity::Blob>| -> Snapshot {
        let files = change.files.iter().filter(|file| file.path.kind() != Kind::Ledger);
        files.filter_map(|file| Some((file.path.clone(), pick(file).clone()?))).collect()
    };
    let (after, before) = (side(|file| &file.after), side(|file| &file.before));
    let here = touched(current, &change, &after, &before);
    let mut result = current.clone();
    for path in here.paths() {
        result.remove(path);
    }
    let merged = merge(Some(&after), &here, &before, Policy::RestoreForgotten).snapshot;
    for (path, blob) in merged.iter() {
        result.put(path.clone(), blob.clone());
    }
    restore_ledger(&change, current, &mut result);
    result
}

/// The current files that the operation is about: by path, and memories by origin wherever they lie
/// now.
fn touched(
    current: &Snapshot,
    change: &ChangeSet,
    after: &Snapshot,
    before: &Snapshot,
) -> Snapshot {
    let origins: BTreeSet<_> =
        after.memories().iter().chain(&before.memories()).map(|memory| memory.created).collect();
    let by_path = |path: &RelPath| {
        change.files.iter().any(|file| file.path == *path) && path.kind() != Kind::Ledger
    };
    let by_origin = |path: &RelPath, blob| {
        path.is_memory()
            && Memory::read(path, blob).is_ok_and(|memory| origins.contains(&memory.created))
    };
    current
        .iter()
        .filter(|(path, blob)| by_path(path) || by_origin(path, blob))
        .map(|(path, blob)| (path.clone(), blob.clone()))
        .collect()
}

/// The ledger comes back byte for byte where nothing else was forgotten since; otherwise only this
/// operation's lines go. Published lines are put back by tidy, because the remote has them.
fn restore_ledger(change: &ChangeSet, current: &Snapshot, result: &mut Snapshot) {
    let Some(file) = change.files.iter().find(|file| file.path.kind() == Kind::Ledger) else {
        return;
    };
    let path = RelPath::known(LEDGER);
    if current.get(&path) == file.after.as_ref() {
        match &file.before {
            Some(blob) => result.put(path, blob.clone()),
            None => {
                result.remove(&path);
            }
        }
        return;
    }
    let gone = new_lines(file);
    let mut ledger = Ledger::default();
    for (origin, hash, stamp) in current.ledger().iter().filter(|line| !gone.contains(line)) {
        ledger.add(origin, hash, stamp);
    }
    match ledger.write() {
        Some(text) => result.put(path, text.into_bytes()),
        None => {
            result.remove(&path);
        }
    }
}
