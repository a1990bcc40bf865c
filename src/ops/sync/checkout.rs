//! Writes a tree to the work tree: guarded writes, the journal, and finishing an interrupted run.

use super::{Failure, OnStep, Place, Step, Stop, held::Held};
use crate::identity::{Blob, RelPath, Snapshot};
use crate::merge::{
    checkout::{self, Action, Found},
    guard,
};
use crate::ops::{Exit, Progress, store::Store};
use crate::system::{
    Context, SystemError, batch, files,
    git::{
        Repo,
        index_lock::IndexLock,
        journal::{self, Journal, Mark},
        outside,
    },
    lock,
};
use std::{
    cell::Cell,
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

/// Writes a tidied identity over the files it was made from; [`Stop::Again`] when one changed.
pub(super) fn write_tidied(
    place: &Place<'_>,
    held: &Held,
    read: &Snapshot,
    tidied: &Snapshot,
) -> Result<(), Stop> {
    let _writing = place.store.lock()?;
    let steps = checkout::plan(read, tidied).into_iter();
    let steps: Vec<checkout::Step> = steps.filter(|step| !held.holds(&step.path)).collect();
    let written = Written::of(&steps, place.on_step);
    let mut batch = staged(&place.store.root, steps.iter(), &|| written.one_more())?;
    for step in &steps {
        written.one_more();
        write_guarded(&place.store.root, step, &mut batch)?;
    }
    batch.settle();
    Ok(())
}

/// Tells how far the writing is: a file counts when its bytes are staged, and when it is in place.
struct Written<'a> {
    done: Cell<usize>,
    of: usize,
    on_step: &'a OnStep<'a>,
}

impl<'a> Written<'a> {
    fn of(steps: &[checkout::Step], on_step: &'a OnStep<'a>) -> Written<'a> {
        Written { done: Cell::new(0), of: 2 * steps.len(), on_step }
    }

    fn one_more(&self) {
        self.done.set(self.done.get() + 1);
        (self.on_step)(Step::Writing(self.done.get(), self.of));
    }
}

/// The new bytes of steps that depend on no other, on disk before any of them takes its name.
fn staged<'a>(
    root: &Path,
    steps: impl Iterator<Item = &'a checkout::Step>,
    each: &dyn Fn(),
) -> Result<batch::Batch, SystemError> {
    let plain = steps.filter(|step| step.source.is_none() && step.relies_on.is_none());
    let bytes =
        plain.filter_map(|step| Some((root.join(step.path.as_str()), &**step.new.as_ref()?)));
    batch::Batch::stage(&bytes.collect::<Vec<(PathBuf, &[u8])>>(), each)
}

/// Writes each file only if it still holds what was read, else [`Exit::Busy`].
pub fn write_files(root: &Path, read: &Snapshot, wanted: &Snapshot) -> Result<(), Failure> {
    write_files_with(root, read, wanted, &|_, _| {})
}

/// As [`write_files`], with progress; new files are flushed to disk together.
pub fn write_files_with(
    root: &Path,
    read: &Snapshot,
    wanted: &Snapshot,
    progress: &Progress<'_>,
) -> Result<(), Failure> {
    let steps = checkout::plan(read, wanted);
    let changed = |path: &RelPath| {
        Failure::new(Exit::Busy, format!("{path} changed while co was writing"))
            .hint("run the command again")
    };
    // New files come first in every plan; those that depend on no other need no order.
    let plain = |step: &&checkout::Step| {
        step.old.is_none() && step.source.is_none() && step.relies_on.is_none()
    };
    let new: Vec<(PathBuf, &[u8])> = steps
        .iter()
        .take_while(plain)
        .filter_map(|step| Some((root.join(step.path.as_str()), &**step.new.as_ref()?)))
        .collect();
    let done = Cell::new(0);
    let one_more = || {
        done.set(done.get() + 1);
        progress(done.get(), steps.len() + new.len());
    };
    let created = batch::write_new_batch(&new, &mut || one_more())?;
    if created < new.len() {
        return Err(changed(&steps[created].path));
    }
    let mut batch = staged(root, steps[created..].iter(), &|| {})?;
    for step in &steps[created..] {
        match write_guarded(root, step, &mut batch) {
            Ok(()) => one_more(),
            Err(Stop::Again) => return Err(changed(&step.path)),
            Err(Stop::Failed(failure)) => return Err(failure),
        }
    }
    batch.settle();
    Ok(())
}

/// Stops an undo or a fix that would delete many facts.
pub fn refuse_mass_deletion(before: &Snapshot, after: &Snapshot) -> Result<(), Failure> {
    match guard::guard(before, after, &after.ledger()) {
        Some(mass) => Err(Failure::new(
            Exit::Refused,
            format!("{} of {} facts would go; nothing was changed", mass.gone, mass.of),
        )
        .hint("`co forget` forgets facts one by one; undo takes --accept-deletions")),
        None => Ok(()),
    }
}

/// [`Stop::Again`] when a file no longer holds what was read.
fn write_guarded(root: &Path, step: &checkout::Step, batch: &mut batch::Batch) -> Result<(), Stop> {
    let at = |path: &RelPath| bytes_at(root, path);
    let moved = match &step.source {
        Some(source) if source.frees => at(&source.path)?.as_ref() != Some(&source.blob),
        _ => false,
    };
    let relied = step.relies_on.as_ref().map(|(path, _)| at(path)).transpose()?.flatten();
    if at(&step.path)? != step.old || moved || !step.may_replace(relied.as_ref()) {
        return Err(Stop::Again);
    }
    if step.relies_on.is_some() {
        // What it relies on is on the disk under its name before this copy goes.
        batch.settle();
    }
    match (&step.new, &step.source) {
        (Some(blob), Some(source)) if source.frees => {
            if !move_file(root, &source.path, &step.path, step.old.as_ref(), blob)? {
                return Err(Stop::Again);
            }
        }
        (Some(blob), _) => batch.write(&root.join(step.path.as_str()), blob)?,
        (None, _) => {
            batch.settle();
            delete(root, &step.path)?;
        }
    }
    Ok(())
}

fn bytes_at(root: &Path, path: &RelPath) -> Result<Option<Blob>, SystemError> {
    Ok(files::read(&root.join(path.as_str()))?.map(Blob::from))
}

/// `false`, and nothing moves, when somebody wrote to either path meanwhile.
fn move_file(
    root: &Path,
    from: &RelPath,
    to: &RelPath,
    found: Option<&Blob>,
    blob: &Blob,
) -> Result<bool, SystemError> {
    files::write(&root.join(from.as_str()), blob)?;
    if bytes_at(root, to)?.as_ref() != found || bytes_at(root, from)?.as_ref() != Some(blob) {
        return Ok(false);
    }
    files::rename(&root.join(from.as_str()), &root.join(to.as_str()))?;
    Ok(true)
}

fn delete(root: &Path, path: &RelPath) -> Result<(), SystemError> {
    let file = root.join(path.as_str());
    files::remove(&file)?;
    // The memories folder stays: an empty one says "no memories", a missing one "never had any".
    if !path.as_str().starts_with(crate::identity::kind::MEMORIES) {
        files::prune_empty(&file, root);
    }
    Ok(())
}

/// Writes the journal's new commit to files, ref and index; [`Stop::Again`] when the branch moved.
pub(super) fn check_out(place: &Place<'_>, held: &Held, journal: &Journal) -> Result<(), Stop> {
    journal::begin(&place.repo, journal)?;
    carry(place.context, &place.store, &place.repo, journal, held, place.on_step)
}

impl Place<'_> {
    pub(super) fn finish_interrupted(&self) -> Result<(), Stop> {
        finish(self.context, &self.store, &self.repo, self.on_step)
    }
}

fn finish(context: &Context, store: &Store, repo: &Repo, on_step: &OnStep<'_>) -> Result<(), Stop> {
    let Some(journal) = journal::read(repo)? else { return Ok(()) };
    if journal.prefix != repo.prefix {
        // Another identity in the same repository was interrupted; it finishes its own.
        return Ok(());
    }
    if repo.head()? == journal.new_id() {
        return Ok(finish_index(repo, &journal)?);
    }
    if repo.head_name()? != Some(journal.branch.clone()) {
        journal::end(repo)?;
        return Err(Stop::Again);
    }
    carry(context, store, repo, &journal, &Held::default(), on_step)
}

fn carry(
    context: &Context,
    store: &Store,
    repo: &Repo,
    journal: &Journal,
    held: &Held,
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
    let outside = repo.outside_changes(old.map(|old| repo.tree_of(old)).transpose()?, root)?;
    let index = IndexLock::take(repo)?;
    {
        let _writing = store.lock()?;
        repo.write_outside(&outside)?;
        let steps = checkout::plan(&before, &after);
        let left_out = left_out(repo, &steps)?;
        let written =
            |step: &checkout::Step| !held.holds(&step.path) && !left_out.contains(&step.path);
        let steps: Vec<checkout::Step> = steps.into_iter().filter(written).collect();
        let sources =
            |step: &'_ checkout::Step| step.source.as_ref().map(|source| source.blob.clone());
        for step in &steps {
            let blobs = [step.old.clone(), step.new.clone(), sources(step)];
            blobs.iter().flatten().for_each(Blob::bring);
        }
        if !repo.is_intact() {
            return Err(Stop::Again);
        }
        let carrier = Carrier { context, store, repo, applied: journal::applied(repo)?, on_step };
        carrier.carry(&steps)?;
    }
    if !repo.move_ref(&journal.branch, old, new, "co: sync")? {
        journal::end(repo)?;
        return Err(Stop::Again);
    }
    repo.set_tidied(new)?;
    index.write(root, &outside::index_entries(&outside))?;
    journal::end(repo)?;
    Ok(())
}

/// Files that a sparse checkout leaves out of the work tree, new ones among them.
fn left_out(repo: &Repo, steps: &[checkout::Step]) -> Result<BTreeSet<RelPath>, Failure> {
    let new = steps.iter().filter(|step| step.old.is_none()).map(|step| &step.path);
    let mut left_out = repo.paths_to_leave_out(new).map_err(SystemError::from)?;
    left_out.extend(repo.left_out().map_err(SystemError::from)?);
    Ok(left_out)
}

/// Carries out steps, each only over the content it expects, and records them in the journal.
struct Carrier<'a> {
    context: &'a Context,
    store: &'a Store,
    repo: &'a Repo,
    /// Steps that the interrupted run carried out.
    applied: BTreeSet<RelPath>,
    on_step: &'a OnStep<'a>,
}

impl Carrier<'_> {
    /// The bytes of all steps are flushed to disk at once; then each file is renamed into place.
    fn carry(&self, steps: &[checkout::Step]) -> Result<(), Failure> {
        let open = steps.iter().filter(|step| !self.applied.contains(&step.path));
        let written = Written::of(steps, self.on_step);
        let mut batch = staged(&self.store.root, open, &|| written.one_more())?;
        for step in steps {
            written.one_more();
            self.carry_step(step, &mut batch)?;
        }
        batch.settle();
        Ok(())
    }

    fn carry_step(&self, step: &checkout::Step, batch: &mut batch::Batch) -> Result<(), Failure> {
        let root = &self.store.root;
        let applied = self.applied.contains(&step.path);
        let at_path = bytes_at(root, &step.path)?;
        let source = step.source.as_ref();
        let at_source = source.map(|source| bytes_at(root, &source.path)).transpose()?.flatten();
        let relied = step.relies_on.as_ref();
        let at_relied = relied.map(|(path, _)| bytes_at(root, path)).transpose()?.flatten();
        let now = self.context.now();
        let named = match source {
            Some(source) if at_path.is_none() => &source.path,
            _ => &step.path,
        };
        let found = Found {
            at_path: at_path.as_ref(),
            at_source: at_source.as_ref(),
            at_relied: at_relied.as_ref(),
            mtime: files::mtime(&root.join(named.as_str())).unwrap_or(now),
            applied,
        };
        let action = checkout::resolve(step, found, now);
        if action != Action::Leave {
            journal::note(self.repo, Mark::Intent, &step.path)?;
            if step.relies_on.is_some() {
                batch.settle();
            }
        }
        match &action {
            Action::Leave => {}
            Action::Delete => {
                batch.settle();
                delete(root, &step.path)?;
            }
            // Who wrote to the new path in between keeps it; the memory stays where it was.
            Action::Move { from, to, blob } => {
                let _moved = move_file(root, from, to, found.at_path, blob)?;
            }
            Action::Write(list) => {
                for (path, blob) in list {
                    batch.write(&root.join(path.as_str()), blob)?;
                }
            }
        }
        if !applied {
            journal::note(self.repo, Mark::Done, &step.path)?;
        }
        Ok(())
    }
}

/// The ref had moved already; only the index may be behind, also outside the identity.
fn finish_index(repo: &Repo, journal: &Journal) -> Result<(), Failure> {
    if let Some(new) = journal.new_id() {
        let root = repo.tree_of(new)?;
        let old = journal.old_id().map(|old| repo.tree_of(old)).transpose()?;
        let outside = repo.outside_changes(old, root)?;
        IndexLock::take(repo)?.write(root, &outside::index_entries(&outside))?;
        repo.set_tidied(new)?;
    }
    journal::end(repo)?;
    Ok(())
}

/// Finishes an interrupted sync before another command; does nothing while a sync is running.
pub fn recover(context: &Context) {
    if !journal_in_sight(context) {
        return;
    }
    let Ok(store) = Store::identity(context) else { return };
    let Ok(_lock) = lock::folder(&store.root, Duration::ZERO) else { return };
    if let Ok(Some(repo)) = Repo::discover(context) {
        journal::clear_stale_locks(&repo);
        let _ = finish(context, &store, &repo, &|_| {});
    }
}

/// Costs a few stats only: every command calls this first.
fn journal_in_sight(context: &Context) -> bool {
    let named = context.env("GIT_DIR").map(|dir| context.cwd.join(dir));
    let above = crate::system::git::repository_above(&context.identity.resolved)
        .map(|root| root.join(".git"));
    // In a worktree or submodule `.git` is a file; only git knows the folder behind it.
    named
        .or(above)
        .is_some_and(|git| files::exists(&git.join("co").join("journal")) || !files::is_dir(&git))
}
