//! `identity undo`: takes this laptop's last operation back, in the work tree, through the same
//! engine; the next sync commits it.
//!
//! Invariant: what was not published comes back byte for byte; what was, comes back as the same
//! facts, fields and entries (undo of a save is a forget, undo of a forget learns again). Facts
//! that other laptops brought stay unless asked otherwise.

use super::{Exit, Failure, store::Store, sync};
use crate::identity::Snapshot;
use crate::merge::{
    change::{ChangeSet, Meaning},
    tidy, undo,
};
use crate::system::{Context, SystemError, folder, git::Repo, oplog::Operation};
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
pub fn run(context: &Context, request: &Request) -> Result<Report, Failure> {
    let store = Store::identity(context)?;
    sync::recover(context);
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
    let there = published_identity(context)?;
    let published = undo::is_published(&done, &there);
    // Facts that a sync brought came from other laptops.
    let own = match operation.verb.as_str() {
        "sync" if !request.accept_deletions => undo::without_new_files(&done),
        _ => done.clone(),
    };
    let wanted = undo::taken_back(&own, &current);
    let result = if published {
        tidy::tidy(
            &wanted,
            &current,
            tidy::Clock { now: context.now(), mtimes: &std::collections::BTreeMap::new() },
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
        sync::refuse_mass_deletion(&undo::without_brought(&done, &current), &result)?;
    }
    sync::write_files(&store.root, &current, &result)?;
    let mut entry =
        Operation::new("undo", format!("{}: {}", operation.verb, operation.what), context.now());
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

/// What the remote is known to have.
fn published_identity(context: &Context) -> Result<Snapshot, Failure> {
    let repo = Repo::discover(context).map_err(SystemError::from)?;
    let Some(repo) = repo else { return Ok(Snapshot::default()) };
    let Ok(branch) = repo.branch(&context.settings.sync) else { return Ok(Snapshot::default()) };
    Ok(repo.snapshot(repo.ref_id(&branch.tracking))?)
}
