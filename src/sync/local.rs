//! First phase of a sync: tidies and commits the work tree.

use super::{
    Before, Error, Phase, Stop, SyncContext, added, checkout,
    error::RepositoryError,
    held_back::{self, HeldBack},
    merged::Merged,
    open_merge::{self, Opened},
    operation::{self, Logged},
    removed,
    staged::{nothing_staged, nothing_to_tidy, set_marker},
};
use crate::git::{
    Id, Repo, SUBJECT, Staying, TIDIED, Unfinished,
    index::Difference,
    index_lock::{self, IndexLock},
};
use crate::identity::{ContentHash, RelPath, Role, Snapshot, Stamp};
use crate::index::database::Stat;
use crate::machine::{
    folder::{self, Listing, Reading},
    oplog::Stage,
};
use crate::merge::{ChangeSet, Decision, change::FileChange, ids, tidy};
use crate::workspace::{recognise, recovery};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(super) struct Local {
    /// The identity as committed now; `None` if there was nothing to do.
    pub(super) ours: Option<Snapshot>,
    /// The work tree before it was tidied.
    pub(super) found: Snapshot,
    /// Counted only if no committed file had to be read.
    pub(super) memories: usize,
    /// Whether `files` is all that the remote lacked, and adds facts only; `ours` is not read then.
    pub(super) is_all_new: bool,
    /// The folders, with their stats from before they were listed; only if all is new.
    pub(super) folders: Vec<(String, Stat)>,
    /// The new commit, after its parent, if each file that it brings was found to have no secret.
    pub(super) scanned: Option<(Option<Id>, Id)>,
    pub(super) files: Vec<FileChange>,
    /// Whether any file or the branch changed.
    pub(super) changed: bool,
    pub(super) held: HeldBack,
    pub(super) decisions: Vec<Decision>,
    pub(super) renumbered: Vec<ids::Renumbered>,
    /// The last operation whose files it includes.
    pub(super) last_op: u64,
    pub(super) logged: Logged,
    /// A merge that a person began with git.
    pub(super) merged: Option<Merged>,
    /// Files that a rule keeps on this laptop.
    pub(super) ignored: Vec<Staying>,
    /// The work tree beside git's index, before anything was written.
    pub(super) difference: Difference,
}

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
        Unfinished::Merge => open_merge::finish(cx, &mut reading, head, &mut local)?,
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

pub(super) fn finish_commit(
    cx: &SyncContext<'_>,
    before: &Before,
    new: Id,
    local: &mut Local,
) -> Result<(), Stop> {
    cx.store.log().mark(Stage::Committed, local.last_op);
    cx.repo.set_tidied(new)?;
    let root = cx.repo.tree_of(new)?;
    let index = IndexLock::take(&cx.repo)?;
    // Asked under the lock: a person may have staged something since it was asked before.
    let has_the_rest =
        local.is_all_new && before.head.is_some_and(|head| nothing_staged(&cx.repo, head));
    let stamp = if has_the_rest {
        index.write_added(root, &local.files, &local.difference)?
    } else {
        index.write_compared(root, &BTreeMap::new(), &local.difference)?
    };
    local.changed |= before.head != Some(new);
    set_marker(cx, &local.held, new, &stamp);
    Ok(())
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

/// The work tree, without the leftovers of a killed co.
fn listed(cx: &SyncContext<'_>) -> Result<Listing, Error> {
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

/// Returns HEAD if there is nothing to commit.
pub(super) fn commit(
    cx: &SyncContext<'_>,
    head: Option<Id>,
    opened: Option<&Opened>,
    files: &[FileChange],
    mtimes: &BTreeMap<RelPath, Stamp>,
) -> Result<Id, Stop> {
    let merged_in = opened.map(|opened| opened.theirs);
    if let (Some(head), true, None) = (head, files.is_empty(), merged_in) {
        return Ok(head);
    }
    let root = head.map(|head| cx.repo.tree_of(head)).transpose()?;
    let new_root = cx.repo.write_tree(root, files)?;
    let parents: Vec<Id> = head.into_iter().chain(merged_in).collect();
    let message = format!("{SUBJECT}{} on {}\n", summary(files), cx.ws.host);
    let edited = edited(cx, files, mtimes);
    cx.before_signing();
    let new = cx.repo.commit(new_root, &parents, &message, &edited)?;
    if cx.repo.move_ref(&cx.branch.local, head, new, "co: sync")? {
        Ok(new)
    } else {
        Err(Stop::Again)
    }
}

/// The first commit of a large folder has nothing to compare with; its own time is enough.
const MAX_EDITED: usize = 500;

/// When files were written that say nothing about it themselves. A clock that was ahead when a file
/// was written is not believed.
fn edited(
    cx: &SyncContext<'_>,
    files: &[FileChange],
    mtimes: &BTreeMap<RelPath, Stamp>,
) -> Vec<(RelPath, Stamp)> {
    let now = cx.ws.now();
    let says_nothing = |path: &RelPath| !path.is_memory() && !path.is_ledger();
    let paths = files.iter().map(|file| &file.path).filter(|path| says_nothing(path));
    let known = paths.filter_map(|path| Some((path.clone(), (*mtimes.get(path)?).min(now))));
    let edited: Vec<(RelPath, Stamp)> = known.collect();
    if edited.len() > MAX_EDITED { Vec::new() } else { edited }
}

/// Counts for messages: `learned 2, edited 1`.
pub(super) fn summary(files: &[FileChange]) -> String {
    let meaning = ChangeSet::of(files.to_vec()).meaning().without_numbers();
    let counts = [
        (meaning.learned.len(), "learned"),
        (meaning.edited.len(), "edited"),
        (meaning.forgotten.len(), "forgotten"),
        (meaning.relabelled.len(), "relabelled"),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    let mut parts: Vec<String> = some.map(|(count, what)| format!("{what} {count}")).collect();
    let (notes, others): (Vec<_>, Vec<_>) =
        meaning.documents.into_iter().partition(|change| change.path.role() == Role::Note);
    if !notes.is_empty() {
        parts.push(format!("notes of agents {}", notes.len()));
    }
    match others.as_slice() {
        [] => {}
        [one] => parts.push(one.path.to_string()),
        several => parts.push(format!("{} other files", several.len())),
    }
    if parts.is_empty() { "tidied".to_owned() } else { parts.join(", ") }
}

/// What tidy compares with: the last commit that co tidied, as far as HEAD descends from it;
/// commits made without co count as untidied.
pub(super) fn reference(
    repo: &Repo,
    head: Option<Id>,
    committed: &Snapshot,
) -> Result<Snapshot, Error> {
    match reference_commit(repo, head)? {
        commit if commit == head => Ok(committed.clone()),
        commit => Ok(repo.snapshot(commit)?),
    }
}

pub(super) fn reference_commit(repo: &Repo, head: Option<Id>) -> Result<Option<Id>, Error> {
    let (Some(here), Some(tidied)) = (head, repo.ref_id(TIDIED)) else { return Ok(head) };
    if tidied == here {
        return Ok(head);
    }
    Ok(repo.merge_bases(tidied, here)?.first().copied().or(head))
}

/// The work tree, with the last commit's version of files that are unreadable or left out of it.
pub(super) fn with_unreadable(
    reading: &Reading,
    committed: &Snapshot,
    left_out: &BTreeSet<RelPath>,
) -> Snapshot {
    let mut work = reading.snapshot.clone();
    let closed = |path: &RelPath| reading.is_closed(path) || left_out.contains(path);
    for (path, blob) in committed.iter().filter(|(path, _)| closed(path)) {
        work.put(path.clone(), blob.clone());
    }
    work
}
