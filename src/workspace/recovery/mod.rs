//! Finishes what a killed co left half-done: a checkout of a sync, by its journal, and a push to
//! the branch that is checked out here.
//!
//! Invariant: files before the ref, creates before overwrites before deletes before the ledger; a
//! step writes only over the content it expects. Must not know what a sync merges or publishes.

mod follow;

pub use follow::follow_head;

use super::{Error, Progress, Workspace, transaction::file_writer::FileWriter};
use crate::git::{
    Repo, enclosing,
    index_lock::IndexLock,
    journal::{self, Journal, Mark},
    mend,
};
use crate::identity::{Blob, RelPath};
use crate::index::store::Store;
use crate::machine::{Context, batch::Outcome, files, lock};
use crate::merge::checkout::{self, Action, FilesOnDisk};
use std::{cell::Cell, collections::BTreeSet, path::PathBuf, time::Duration};

/// How often a step starts again because its file changed meanwhile.
const ATTEMPTS: usize = 20;

/// Why an attempt ended before it was done.
pub enum Stop {
    /// A file or ref changed meanwhile: start again from the work tree.
    Again,
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Failed(error.into())
    }
}

/// Progress of writing: a file counts when its bytes are staged, and again when it is in place.
struct WriteProgress<'a> {
    done: Cell<usize>,
    of: usize,
    on_write: &'a Progress<'a>,
}

impl<'a> WriteProgress<'a> {
    fn new(steps: &[checkout::Step], on_write: &'a Progress<'a>) -> WriteProgress<'a> {
        WriteProgress { done: Cell::new(0), of: 2 * steps.len(), on_write }
    }

    fn one_more(&self) {
        self.done.set(self.done.get() + 1);
        (self.on_write)(self.done.get(), self.of);
    }
}

/// Finishes what the journal says is under way; nothing if it says nothing.
pub fn finish(
    context: &Context,
    store: &Store,
    repo: &Repo,
    on_write: &Progress<'_>,
) -> Result<(), Stop> {
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
    carry(context, store, repo, &journal, &|_| false, on_write)
}

/// Writes the new commit of a journal to files, ref and index; [`Stop::Again`] when the branch
/// moved. Files that are held back stay.
pub fn carry(
    context: &Context,
    store: &Store,
    repo: &Repo,
    journal: &Journal,
    is_held: &dyn Fn(&RelPath) -> bool,
    on_write: &Progress<'_>,
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
            |step: &checkout::Step| !is_held(step.path()) && !left_out.contains(step.path());
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
            StepWriter { context, store, repo, applied: journal::applied(repo)?, on_write };
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
    let mut left_out = repo.paths_to_leave_out(new)?;
    left_out.extend(repo.left_out()?);
    Ok(left_out)
}

/// Carries out steps, each only over the content it expects, and records them in the journal.
struct StepWriter<'a> {
    context: &'a Context,
    store: &'a Store,
    repo: &'a Repo,
    /// Steps that the interrupted run has carried out.
    applied: BTreeSet<RelPath>,
    on_write: &'a Progress<'a>,
}

impl StepWriter<'_> {
    /// The bytes of all steps are flushed to disk at once; then each file is renamed into place.
    fn carry(&self, steps: &[checkout::Step]) -> Result<(), Stop> {
        let open = steps.iter().filter(|step| !self.applied.contains(step.path()));
        let written = WriteProgress::new(steps, self.on_write);
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
    ws.layers().iter().for_each(|layer| layer.clear_leftovers(ws));
    let Some(git_dir) = work_in_sight(ws) else { return };
    let Ok(store) = ws.identity() else { return };
    let Ok(_lock) = lock::folder(&store.root, Duration::ZERO) else { return };
    mend::restore_head(&git_dir);
    if let Ok(Some(repo)) = ws.repo() {
        journal::clear_stale_locks(&repo);
        let _ = finish(ws, store, &repo, &|_, _| {});
        let _ = follow_head(ws, store, &repo);
    }
}

/// The repository's folder if something in it is unfinished or damaged. Costs only a few small
/// reads: every command does this first.
fn work_in_sight(context: &Context) -> Option<PathBuf> {
    let named = context.env("GIT_DIR").map(|dir| context.cwd.join(dir));
    let above =
        crate::git::repository_above(&context.identity.resolved).map(|root| root.join(".git"));
    // In a worktree or submodule `.git` is a file; only git knows the folder behind it.
    named.or(above).filter(|git| {
        let journal = git.join("co").join("journal");
        files::exists(&journal)
            || !files::is_dir(git)
            || mend::needs_mending(git)
            || mend::has_moved(git)
    })
}
