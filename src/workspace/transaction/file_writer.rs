//! Writes the steps of a checkout to disk: staged together, each only over the expected content.
//!
//! Invariant: a step whose files have other content changes nothing and reports that; the caller
//! examines them again. On a case-insensitive volume two names may be one file: there, a rename
//! that changes only case is one step, whatever name the folder lists.

use super::TransactionError;
use crate::identity::{Blob, FileChange, RelPath, Snapshot};
use crate::machine::{
    SystemError,
    batch::{Batch, Outcome},
    files, folding,
};
use crate::merge::checkout::{self, Action, FilesOnDisk, Step};
use crate::workspace::Error;
use std::{
    cell::Cell,
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Called during long work with the amounts done and in total.
pub type Progress<'a> = dyn Fn(usize, usize) + 'a;

/// Writes or removes one file, if it still has its old content.
pub(super) fn write_one(
    batch: &mut Batch,
    change: &FileChange<PathBuf>,
) -> Result<Outcome, SystemError> {
    match (&change.before, &change.after) {
        (before, Some(after)) => batch.write(&change.path, before.as_deref(), after),
        (Some(before), None) => batch.remove(&change.path, before),
        (None, None) => Ok(Outcome::Done),
    }
}

/// Writes each file only if it still has the content that was read, else `ErrorKind::Busy`.
pub fn write_files(
    root: &Path,
    read: &Snapshot,
    wanted: &Snapshot,
    progress: &Progress<'_>,
) -> Result<(), Error> {
    write_and_tell(root, read, wanted, progress, &mut BTreeSet::new())
}

/// As [`write_files`]; also returns in `reached` the paths that it got to, in case it fails.
pub(super) fn write_and_tell(
    root: &Path,
    read: &Snapshot,
    wanted: &Snapshot,
    progress: &Progress<'_>,
    reached: &mut BTreeSet<RelPath>,
) -> Result<(), Error> {
    let steps = checkout::plan(read, wanted);
    let done = Cell::new(0);
    let one_more = || {
        done.set(done.get() + 1);
        progress(done.get(), 2 * steps.len());
    };
    let mut writer = FileWriter::stage(root, steps.iter(), &one_more)?;
    for step in &steps {
        one_more();
        let outcome = writer.write(step);
        // A move may have failed between its two parts.
        if !matches!(outcome, Ok(Outcome::Changed)) || step.source.is_some() {
            reached.insert(step.path().clone());
            reached.extend(step.source.iter().map(|source| source.path.clone()));
        }
        if outcome? == Outcome::Changed {
            return Err(TransactionError::ChangedInBetween { path: step.path().to_string() }.into());
        }
    }
    writer.finish();
    Ok(())
}

pub(in crate::workspace) struct FileWriter<'a> {
    root: &'a Path,
    batch: Batch,
}

impl<'a> FileWriter<'a> {
    /// Stages and fsyncs all new files before any rename.
    pub fn stage<'s>(
        root: &'a Path,
        steps: impl Iterator<Item = &'s Step>,
        each: &dyn Fn(),
    ) -> Result<FileWriter<'a>, SystemError> {
        let bytes = steps.filter_map(|step| {
            let moved = step.source.as_ref().filter(|source| source.frees);
            let first = moved.map_or(step.path(), |source| &source.path);
            Some((root.join(first.as_str()), &**step.change.after.as_ref()?))
        });
        let batch = Batch::stage(&bytes.collect::<Vec<(PathBuf, &[u8])>>(), each)?;
        Ok(FileWriter { root, batch })
    }

    /// The files of a step that no interrupted run had carried out.
    pub fn see(&self, step: &Step) -> Result<FilesOnDisk, SystemError> {
        let relied = step.relies_on.as_ref().map(|(path, _)| self.read(path)).transpose()?;
        let at_relied = relied.flatten();
        let mut seen = FilesOnDisk { at_relied, ..FilesOnDisk::default() };
        match &step.source {
            // Both names are one file: it is treated as not yet renamed.
            Some(source) if self.is_one_file(&source.path, step.path()) => {
                seen.at_source = self.read(step.path())?;
                seen.mtime = files::mtime(&self.at(step.path()));
                return Ok(seen);
            }
            Some(source) => seen.at_source = self.read(&source.path)?,
            None => {}
        }
        seen.at_path = self.read(step.path())?;
        let named = match &step.source {
            Some(source) if seen.at_path.is_none() => &source.path,
            _ => step.path(),
        };
        seen.mtime = files::mtime(&self.at(named));
        Ok(seen)
    }

    /// Carries out a step if all its files still have the planned content.
    fn write(&mut self, step: &Step) -> Result<Outcome, Error> {
        let seen = self.see(step)?;
        let moved = match &step.source {
            Some(source) if source.frees => seen.at_source.as_ref() != Some(&source.blob),
            _ => false,
        };
        if seen.at_path != step.change.before || moved || !step.may_replace(seen.at_relied.as_ref())
        {
            return Ok(Outcome::Changed);
        }
        let action = match (&step.change.after, &step.source) {
            (Some(blob), Some(source)) if source.frees => Action::Move {
                from: source.path.clone(),
                to: step.path().clone(),
                blob: blob.clone(),
            },
            (Some(blob), _) => Action::Write(vec![(step.path().clone(), blob.clone())]),
            (None, _) => Action::Delete,
        };
        Ok(self.act(step, &action, &seen)?)
    }

    /// Carries out the action decided for the files that were seen.
    pub fn act(
        &mut self,
        step: &Step,
        action: &Action,
        seen: &FilesOnDisk,
    ) -> Result<Outcome, SystemError> {
        if step.relies_on.is_some() {
            // The file it relies on has to be on disk before this copy is deleted.
            self.batch.settle_names();
        }
        match action {
            Action::Leave => Ok(Outcome::Done),
            Action::Delete => self.delete(step.path(), seen),
            Action::Move { from, to, blob } => self.rename(from, to, blob, seen),
            Action::Write(list) => {
                for (path, blob) in list {
                    let is_step = path == step.path();
                    let is_source = step.source.as_ref().is_some_and(|from| from.path == *path);
                    let there = match (is_step, is_source) {
                        (true, _) => seen.at_path.clone(),
                        (_, true) => seen.at_source.clone(),
                        // Another path: its content has not been read yet.
                        _ => self.read(path)?,
                    };
                    if there.as_ref() == Some(blob) {
                        continue;
                    }
                    let (file, there) = (self.at(path), there.as_deref());
                    if self.batch.write(&file, there, blob)? == Outcome::Changed {
                        return Ok(Outcome::Changed);
                    }
                }
                Ok(Outcome::Done)
            }
        }
    }

    fn delete(&mut self, path: &RelPath, seen: &FilesOnDisk) -> Result<Outcome, SystemError> {
        let Some(there) = &seen.at_path else { return Ok(Outcome::Done) };
        let file = self.at(path);
        // Another name of a file that stays.
        if folding::is_listed_otherwise(self.root, path.as_str()) {
            return Ok(Outcome::Done);
        }
        let outcome = self.batch.remove(&file, there)?;
        // The memories folder stays: an empty one says "no memories", a missing one "never had
        // any".
        let keeps_folder = path.as_str().starts_with(crate::identity::kind::MEMORIES);
        if outcome == Outcome::Done && !keeps_folder {
            files::prune_empty(&file, self.root);
        }
        Ok(outcome)
    }

    /// Writes the bytes to the old path, then renames: there are never two copies.
    fn rename(
        &mut self,
        from: &RelPath,
        to: &RelPath,
        blob: &Blob,
        seen: &FilesOnDisk,
    ) -> Result<Outcome, SystemError> {
        let (old, new) = (self.at(from), self.at(to));
        let there = seen.at_source.as_deref();
        if there != Some(&**blob) && self.batch.write(&old, there, blob)? == Outcome::Changed {
            return Ok(Outcome::Changed);
        }
        if self.is_one_file(from, to) {
            folding::take_name(self.root, to.as_str())?;
            return Ok(Outcome::Done);
        }
        let outcome = self.batch.rename(&old, &new, blob, seen.at_path.as_deref())?;
        let is_memory = from.as_str().starts_with(crate::identity::kind::MEMORIES);
        if outcome == Outcome::Done && !is_memory {
            files::prune_empty(&old, self.root);
        }
        Ok(outcome)
    }

    /// Makes all writes durable.
    pub fn finish(mut self) {
        self.batch.settle();
    }

    fn is_one_file(&self, one: &RelPath, other: &RelPath) -> bool {
        one.folded() == other.folded()
            && folding::is_one_file(self.root, one.as_str(), other.as_str())
    }

    fn at(&self, path: &RelPath) -> PathBuf {
        self.root.join(path.as_str())
    }

    fn read(&self, path: &RelPath) -> Result<Option<Blob>, SystemError> {
        Ok(files::read(&self.at(path))?.map(Blob::from))
    }
}
