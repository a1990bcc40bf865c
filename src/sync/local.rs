//! First phase of a sync: tidies and commits the work tree.

use super::{
    Error, Stop, added, checkout,
    committed::{Local, commit, finish_commit},
    context::{Before, SyncContext},
    error::RepositoryError,
    held_back::{self, HeldBack},
    left::take_note_away,
    merged::Merged,
    open_merge::{self, Opened},
    operation,
    reference::reference,
    removed,
    request::Phase,
    staged::nothing_to_tidy,
};
use crate::git::{Id, Unfinished, index::Difference, index_lock};
use crate::identity::{ContentHash, RelPath, Snapshot, Stamp};
use crate::machine::{
    folder::{self, Listing, Reading},
    oplog::Stage,
};
use crate::merge::{ChangeSet, change::FileChange, ids, tidy};
use crate::workspace::{recognise, recovery};
use std::collections::BTreeSet;

/// Commits what the person and co wrote since the last commit.
pub(super) fn commit_changes(cx: &SyncContext<'_>, before: &Before) -> Result<Local, Stop> {
    let unfinished = cx.repo.refuse_unfinished()?;
    let head = cx.repo.head()?;
    recovery::follow_head(cx.ws, &cx.store, &cx.repo)?;
    let last_op = cx.store.log().ended_up_to();
    let listing = listed(cx)?;
    let paths: Vec<RelPath> = listing.files.iter().map(|file| file.path.clone()).collect();
    cx.repo.refuse_filters(&paths)?;
    let difference = cx.repo.compare(&listing.files)?;
    let clean = unfinished == Unfinished::Nothing && difference.is_clean();
    let local = Local { last_op, ignored: difference.staying.clone(), ..Local::default() };
    if clean && nothing_to_tidy(cx, head)? {
        let memories = paths.iter().filter(|path| path.is_memory()).count();
        let held = HeldBack::of_listing(listing);
        index_lock::refresh(&cx.repo, &difference);
        cx.store.log().mark(Stage::Committed, last_op);
        return Ok(Local { memories, held, difference, ..local });
    }
    if unfinished == Unfinished::Nothing
        && let Some(facts) = added::only_facts(cx, (before, head), &listing, &difference)?
    {
        let memories = paths.iter().filter(|path| path.is_memory()).count();
        let folders = listing.folders;
        let local = Local { memories, is_all_new: true, folders, ..local };
        return added::commit_facts(cx, (before, head), facts, Local { difference, ..local });
    }
    (cx.on_step)(Phase::Reading);
    let mut reading = folder::read_listed(listing, &cx.repo.prefetched(&difference));
    if head.is_none() && reading.snapshot.is_empty() {
        // A fresh clone: the first commit is the remote's.
        return Ok(local);
    }
    // If co has committed here before, a person has agreed.
    if !cx.repo.is_agreed() {
        refuse_other_folder(cx, head, &reading, &difference)?;
    }
    let committed = cx.repo.snapshot_like(head, &reading, &difference)?;
    let left_out = !difference.left_out.is_empty();
    refuse_empty(cx, paths.is_empty() && !left_out && !committed.is_empty())?;
    let reference = reference(&cx.repo, head, &committed)?;
    for path in &difference.ignored {
        reading.snapshot.remove(path);
    }
    let held = held_back::hold_back(cx, &mut reading, &committed, &difference.left_out)?;
    let mut local = Local { held, difference, ..local };
    let opened = match unfinished {
        Unfinished::Merge => {
            let found = (&mut local.held, &mut local.decisions);
            open_merge::finish(cx, &mut reading, head, found)?
        }
        Unfinished::Nothing => None,
    };
    let tree = tidied(cx, &reading, &reference, (head, &committed), &mut local)?;
    local.files = ChangeSet::between(&committed, &tree).files;
    cx.intact(&local.files)?;
    checkout::write_tidied(cx, &local.held, &reading.snapshot, &tree)?;
    local.changed = !local.files.is_empty() || reading.snapshot != tree;
    (cx.on_step)(Phase::Committing(local.files.len()));
    let new = commit(cx, head, opened.as_ref(), &local.files, &reading.mtimes)?;
    local.found = reading.snapshot;
    log_commit(cx, before, opened, (&tree, head, new), &mut local);
    finish_commit(cx, before, new, &mut local)?;
    Ok(Local { ours: Some(tree), ..local })
}

fn refuse_other_folder(
    cx: &SyncContext<'_>,
    head: Option<Id>,
    reading: &Reading,
    difference: &Difference,
) -> Result<(), Stop> {
    let in_head = cx.repo.snapshot(head)?;
    let paths = reading.snapshot.paths().filter(|path| !difference.ignored.contains(*path));
    let paths = paths.chain(in_head.paths()).chain(&difference.missing);
    Ok(recognise::refuse_other(&cx.ws.shown(&cx.store.shown), paths)?)
}

/// Done before anything else can fail, so that the commit can be undone.
fn log_commit(
    cx: &SyncContext<'_>,
    before: &Before,
    opened: Option<Opened>,
    (tree, head, new): (&Snapshot, Option<Id>, Id),
    local: &mut Local,
) {
    let Some(opened) = opened else {
        local.logged = operation::log_by_hand(cx, before, local);
        return;
    };
    let merged = Merged::by_hand(opened, tree, (head, new), cx.ws.now());
    local.logged = operation::log_merge(cx, local.last_op, &merged);
    local.merged = Some(merged);
    cx.repo.clear_merge();
}

/// The work tree, without the leftovers of a killed co, and without the note of a remote that was
/// left for this one.
fn listed(cx: &SyncContext<'_>) -> Result<Listing, Error> {
    if cx.branch.sealed {
        take_note_away(cx.ws)?;
    }
    let root = &cx.store.root;
    let listing = folder::list(root, "");
    if !listing.has_leftovers {
        return Ok(listing);
    }
    let _writing = cx.store.lock()?;
    folder::remove_leftovers(root);
    Ok(folder::list(root, ""))
}

/// How to restore the files if all are gone.
pub const BRING_BACK: &str = "`co identity restore --missing` restores what is missing";

fn refuse_empty(cx: &SyncContext<'_>, lost: bool) -> Result<(), Error> {
    if !lost {
        return Ok(());
    }
    let path = cx.ws.shown(&cx.store.shown);
    Err(RepositoryError::Emptied { path }.into())
}

/// The reference without facts that were undone before the remote knew them: nobody else ever had
/// them, so there is nothing to forget elsewhere.
fn without_unpublished(
    cx: &SyncContext<'_>,
    work: &Snapshot,
    reference: &Snapshot,
    published: &Snapshot,
) -> Result<Snapshot, Error> {
    let was_here = |change: &FileChange| change.before.is_some() && change.path.is_memory();
    if !reference.changes_to(work).iter().any(was_here) {
        return Ok(reference.clone());
    }
    let here: BTreeSet<ContentHash> = work.memories().iter().map(|memory| memory.hash).collect();
    let mut gone = reference.memories();
    gone.retain(|memory| !here.contains(&memory.hash));
    if gone.is_empty() {
        return Ok(reference.clone());
    }
    let undone = removed::undone(&cx.store)?;
    let known: BTreeSet<(Stamp, ContentHash)> =
        published.memories().iter().map(|memory| (memory.created, memory.hash)).collect();
    let mut reference = reference.clone();
    for memory in gone {
        if undone.contains(&memory.hash) && !known.contains(&(memory.created, memory.hash)) {
            reference.remove(&memory.path);
        }
    }
    Ok(reference)
}

fn tidied(
    cx: &SyncContext<'_>,
    reading: &Reading,
    reference: &Snapshot,
    (head, committed): (Option<Id>, &Snapshot),
    local: &mut Local,
) -> Result<Snapshot, Error> {
    let clock = tidy::Clock { now: cx.ws.now(), mtimes: &reading.mtimes };
    let tracking = cx.repo.ref_id(&cx.branch.tracking);
    let known = if tracking.is_some() && tracking == head {
        committed.clone()
    } else {
        cx.repo.snapshot(tracking)?
    };
    let reference = &without_unpublished(cx, &reading.snapshot, reference, &known)?;
    let tidied = tidy::tidy(&reading.snapshot, reference, clock);
    if !cx.request.accept_deletions
        && let Some(mass) = removed::too_many(&cx.store, reference, &tidied)?
    {
        return Err(cx.mass_deletion(mass));
    }
    let assigned = ids::assign(&tidied.snapshot, &known);
    local.renumbered.extend(assigned.renumbered);
    local.decisions.extend(tidied.decisions.into_iter().chain(assigned.decisions));
    Ok(assigned.snapshot)
}
