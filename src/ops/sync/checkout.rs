//! Writes a tree to the work tree: guarded writes, the journal, and finishing an interrupted run.

use super::{
    ATTEMPTS, Error, OnStep, Phase, Stop, SyncContext, error::DeletionError, follow,
    held_back::HeldBack,
};
use crate::identity::{Blob, ContentHash, Memory, RelPath, Snapshot};
use crate::merge::{
    checkout::{self, Action, FilesOnDisk},
    guard,
};
use crate::ops::workspace::Workspace;
use crate::ops::{
    ErrorKind,
    store::Store,
    transaction::file_writer::{self, FileWriter},
};
use crate::system::{
    Context, SystemError,
    batch::Outcome,
    files,
    git::{
        Repo, enclosing,
        index_lock::IndexLock,
        journal::{self, Journal, Mark},
        mend,
    },
    lock,
};
use std::{cell::Cell, collections::BTreeSet, path::PathBuf, time::Duration};

/// Writes a tidied identity over the files it was made from; [`Stop::Again`] when one changed.
pub(super) fn write_tidied(
    cx: &SyncContext<'_>,
    held: &HeldBack,
    read: &Snapshot,
    tidied: &Snapshot,
) -> Result<(), Stop> {
    let _writing = cx.store.lock()?;
    let mut wanted = tidied.clone();
    for path in read.paths().chain(tidied.paths()).filter(|path| held.holds(path)) {
        wanted.set(path, read.get(path));
    }
    keep_copies_of_held(held, read, tidied, &mut wanted);
    let progress = |done: usize, of: usize| (cx.on_step)(Phase::Writing(done, of));
    match file_writer::write_files(&cx.store.root, read, &wanted, &progress) {
        Err(error) if error.kind() == ErrorKind::Busy => Err(Stop::Again),
        other => Ok(other?),
    }
}

/// If a fact's file is held back with other content, its copy is the only one here, and stays.
fn keep_copies_of_held(held: &HeldBack, read: &Snapshot, tidied: &Snapshot, wanted: &mut Snapshot) {
    let fact = |path: &RelPath, blob: &Blob| Memory::read(path, blob).ok().map(|fact| fact.hash);
    let behind = tidied.iter().filter(|(path, _)| path.is_memory() && held.holds(path));
    let behind: BTreeSet<ContentHash> =
        behind.filter_map(|(path, blob)| fact(path, blob)).collect();
    if behind.is_empty() {
        return;
    }
    let is_copy = |(path, blob): &(&RelPath, &Blob)| {
        path.is_memory()
            && tidied.get(path).is_none()
            && fact(path, blob).is_some_and(|hash| behind.contains(&hash))
    };
    for (path, blob) in read.iter().filter(is_copy) {
        wanted.put(path.clone(), blob.clone());
    }
}

/// Progress of writing: a file counts when its bytes are staged, and again when it is in place.
struct WriteProgress<'a> {
    done: Cell<usize>,
    of: usize,
    on_step: &'a OnStep<'a>,
}

impl<'a> WriteProgress<'a> {
    fn new(steps: &[checkout::Step], on_step: &'a OnStep<'a>) -> WriteProgress<'a> {
        WriteProgress { done: Cell::new(0), of: 2 * steps.len(), on_step }
    }

    fn one_more(&self) {
        self.done.set(self.done.get() + 1);
        (self.on_step)(Phase::Writing(self.done.get(), self.of));
    }
}

/// Stops an undo or a fix that would delete many facts.
pub fn refuse_mass_deletion(before: &Snapshot, after: &Snapshot) -> Result<(), Error> {
    match guard::guard(before, after, &after.ledger()) {
        Some(mass) => Err(DeletionError::TooMany(mass).into()),
        None => Ok(()),
    }
}

/// Writes the journal's new commit to files, ref and index; [`Stop::Again`] when the branch moved.
pub(super) fn check_out(
    cx: &SyncContext<'_>,
    held: &HeldBack,
    journal: &Journal,
) -> Result<(), Stop> {
    journal::begin(&cx.repo, journal)?;
    carry(cx.ws, &cx.store, &cx.repo, journal, held, cx.on_step)
}

impl SyncContext<'_> {
    pub(super) fn finish_interrupted(&self) -> Result<(), Stop> {
        finish(self.ws, &self.store, &self.repo, self.on_step)
    }
}

fn finish(context: &Context, store: &Store, repo: &Repo, on_step: &OnStep<'_>) -> Result<(), Stop> {
    let Some(journal) = journal::read(repo)? else { return Ok(()) };
    if journal.prefix != repo.prefix {
        // The interrupted sync was another identity's in this repository, which will finish it.
        return Ok(());
    }
    if repo.head()? == journal.new_id() {
        return Ok(finish_index(repo, &journal)?);
    }
    if repo.head_name()? != Some(journal.branch.clone()) {
        journal::end(repo)?;
        return Err(Stop::Again);
    }
    carry(context, store, repo, &journal, &HeldBack::default(), on_step)
}

fn carry(
    context: &Context,
    store: &Store,
    repo: &Repo,
    journal: &Journal,
    held: &HeldBack,
    on_step: &OnStep<'_>,
) -> Result<(), Stop> {
    let old = journal.old_id();
    let new = journal.new_id().filter(|_| repo.ref_id(&journal.branch) == old);
    let Some(new) = new else {
        journal::end(repo)?;
        return Err(Stop::Again);
    };
    let (before, after) = (repo.snapshot(old)?, repo.snapshot(Some(new))?);
    let root = repo.tree_of(new)?;
    let enclosing = repo.enclosing_changes(old.map(|old| repo.tree_of(old)).transpose()?, root)?;
    let index = IndexLock::take(repo)?;
    {
        let _writing = store.lock()?;
        repo.write_enclosing(&enclosing)?;
        let steps = checkout::plan(&before, &after);
        let left_out = left_out(repo, &steps)?;
        let written =
            |step: &checkout::Step| !held.holds(step.path()) && !left_out.contains(step.path());
        let steps: Vec<checkout::Step> = steps.into_iter().filter(written).collect();
        let sources =
            |step: &'_ checkout::Step| step.source.as_ref().map(|source| source.blob.clone());
        for step in &steps {
            let blobs = [step.change.before.clone(), step.change.after.clone(), sources(step)];
            blobs.iter().flatten().for_each(Blob::load);
        }
        if !repo.all_loaded() {
            return Err(Stop::Again);
        }
        let carrier =
            StepWriter { context, store, repo, applied: journal::applied(repo)?, on_step };
        carrier.carry(&steps)?;
    }
    if !repo.move_ref(&journal.branch, old, new, "co: sync")? {
        journal::end(repo)?;
        return Err(Stop::Again);
    }
    repo.set_tidied(new)?;
    index.write(root, &enclosing::index_entries(&enclosing))?;
    journal::end(repo)?;
    Ok(())
}

/// Files that a sparse checkout leaves out of the work tree, including new ones.
fn left_out(repo: &Repo, steps: &[checkout::Step]) -> Result<BTreeSet<RelPath>, Error> {
    let new = steps.iter().filter(|step| step.change.before.is_none()).map(|step| step.path());
    let mut left_out = repo.paths_to_leave_out(new).map_err(SystemError::from)?;
    left_out.extend(repo.left_out().map_err(SystemError::from)?);
    Ok(left_out)
}

/// Carries out steps, each only over the content it expects, and records them in the journal.
struct StepWriter<'a> {
    context: &'a Context,
    store: &'a Store,
    repo: &'a Repo,
    /// Steps that the interrupted run has carried out.
    applied: BTreeSet<RelPath>,
    on_step: &'a OnStep<'a>,
}

impl StepWriter<'_> {
    /// The bytes of all steps are flushed to disk at once; then each file is renamed into place.
    fn carry(&self, steps: &[checkout::Step]) -> Result<(), Stop> {
        let open = steps.iter().filter(|step| !self.applied.contains(step.path()));
        let written = WriteProgress::new(steps, self.on_step);
        let mut writer = FileWriter::stage(&self.store.root, open, &|| written.one_more())?;
        for step in steps {
            written.one_more();
            self.carry_step(step, &mut writer)?;
        }
        writer.finish();
        Ok(())
    }

    fn carry_step(&self, step: &checkout::Step, writer: &mut FileWriter<'_>) -> Result<(), Stop> {
        let applied = self.applied.contains(step.path());
        for _ in 0..ATTEMPTS {
            let found = FilesOnDisk { applied, ..writer.see(step)? };
            let action = checkout::resolve(step, &found, self.context.now());
            if action != Action::Leave {
                journal::note(self.repo, Mark::Intent, step.path())?;
            }
            // A file written in between is kept, and the step is resolved again.
            if writer.act(step, &action, &found)? == Outcome::Done {
                if !applied {
                    journal::note(self.repo, Mark::Done, step.path())?;
                }
                return Ok(());
            }
        }
        Err(Stop::Again)
    }
}

/// The ref has moved already; only the index may be behind, also outside the identity.
fn finish_index(repo: &Repo, journal: &Journal) -> Result<(), Error> {
    if let Some(new) = journal.new_id() {
        let root = repo.tree_of(new)?;
        let old = journal.old_id().map(|old| repo.tree_of(old)).transpose()?;
        let enclosing = repo.enclosing_changes(old, root)?;
        IndexLock::take(repo)?.write(root, &enclosing::index_entries(&enclosing))?;
        repo.set_tidied(new)?;
    }
    journal::end(repo)?;
    Ok(())
}

/// Finishes an interrupted sync before another command; does nothing while a sync is running.
pub fn recover(ws: &Workspace) {
    ws.identity_place().clear_leftovers(ws);
    let Some(git_dir) = work_in_sight(ws) else { return };
    let Ok(store) = ws.identity() else { return };
    let Ok(_lock) = lock::folder(&store.root, Duration::ZERO) else { return };
    mend::restore_head(&git_dir);
    if let Ok(Some(repo)) = ws.repo() {
        journal::clear_stale_locks(&repo);
        let _ = finish(ws, store, &repo, &|_| {});
        let _ = follow::follow_head(ws, store, &repo);
    }
}

/// The repository's folder if something in it is unfinished or damaged. Costs only a few small
/// reads: every command does this first.
fn work_in_sight(context: &Context) -> Option<PathBuf> {
    let named = context.env("GIT_DIR").map(|dir| context.cwd.join(dir));
    let above = crate::system::git::repository_above(&context.identity.resolved)
        .map(|root| root.join(".git"));
    // In a worktree or submodule `.git` is a file; only git knows the folder behind it.
    named.or(above).filter(|git| {
        let journal = git.join("co").join("journal");
        files::exists(&journal)
            || !files::is_dir(git)
            || mend::needs_mending(git)
            || mend::has_moved(git)
    })
}
