//! Writes many files at once: synced to disk together before any is renamed into place, and their
//! folders together afterwards.
//!
//! Invariant: no file is ever half-written, and none is replaced, moved or removed unless it has
//! the content that the caller expects. The disk is synced once for all files and once for all
//! names, and new names are on disk before anything is removed.

use super::{
    error::{At, SystemError},
    files::{folder_of, is_link, resolve, stage_unsynced},
    flush, guarded, platform,
};
use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempPath;

pub use super::guarded::Outcome;

#[derive(Default)]
pub struct Batch {
    /// Closed, so that their number is not limited by open files.
    staged: HashMap<PathBuf, TempPath>,
    /// Folders with new names that are not yet synced.
    named: BTreeSet<PathBuf>,
    /// Folders from which names were removed.
    left: BTreeSet<PathBuf>,
}

impl Batch {
    /// Stages each file next to its target and syncs once. On an error no file has been renamed
    /// yet. `each` is called for every file.
    pub fn stage(wanted: &[(PathBuf, &[u8])], each: &dyn Fn()) -> Result<Batch, SystemError> {
        let mut batch = Batch::default();
        for (path, bytes) in wanted.iter().filter(|(path, _)| !is_link(path)) {
            batch.staged.insert(path.clone(), staged(path, bytes)?);
            each();
        }
        if let Some((first, _)) = wanted.first() {
            let staged: Vec<&Path> = batch.staged.values().map(|temp| &**temp).collect();
            flush::flush_staged(folder_of(first), &staged)?;
        }
        Ok(batch)
    }

    /// Writes these bytes to a file with the expected content. A symlink is followed, and stays.
    pub fn write(
        &mut self,
        path: &Path,
        expected: Option<&[u8]>,
        bytes: &[u8],
    ) -> Result<Outcome, SystemError> {
        let target = if is_link(path) { resolve(path) } else { path.to_owned() };
        let temp = match self.staged.remove(path).filter(|temp| holds(temp, bytes)) {
            Some(temp) => temp,
            None => {
                let temp = staged(&target, bytes)?;
                flush::flush_staged(folder_of(&target), &[&*temp])?;
                temp
            }
        };
        let outcome = guarded::replace(temp, &target, expected)?;
        if outcome == Outcome::Done {
            self.named.insert(folder_of(&target).to_owned());
        }
        Ok(outcome)
    }

    /// Deletes a file with the expected content.
    pub fn remove(&mut self, path: &Path, expected: &[u8]) -> Result<Outcome, SystemError> {
        self.settle_names();
        let outcome = guarded::remove(path, expected)?;
        self.left.insert(folder_of(path).to_owned());
        Ok(outcome)
    }

    /// Moves a file that contains `moved` to a path that contains `replaced` (`None`: a free path).
    pub fn rename(
        &mut self,
        from: &Path,
        to: &Path,
        moved: &[u8],
        replaced: Option<&[u8]>,
    ) -> Result<Outcome, SystemError> {
        super::files::make_dir(folder_of(to))?;
        let outcome = guarded::rename(from, to, moved, replaced)?;
        if outcome == Outcome::Done {
            self.named.insert(folder_of(to).to_owned());
            self.left.insert(folder_of(from).to_owned());
        }
        Ok(outcome)
    }

    /// Makes the new names durable: required before deleting a file whose text is now under one of
    /// them.
    pub fn settle_names(&mut self) {
        flush::flush_folders(&std::mem::take(&mut self.named));
    }

    /// Makes everything durable, at the end.
    pub fn settle(&mut self) {
        let left = std::mem::take(&mut self.left);
        self.named.extend(left.into_iter().filter(|folder| folder.is_dir()));
        self.settle_names();
    }
}

fn staged(target: &Path, bytes: &[u8]) -> Result<TempPath, SystemError> {
    let temp = stage_unsynced(target, bytes)?;
    flush::hand_over_staged(temp.as_file()).at("write", target)?;
    Ok(temp.into_temp_path())
}

fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::read(path).is_ok_and(|there| there == bytes)
}

/// Syncs existing files, their folders, and the folder above those.
pub fn bring_to_disk(above: &Path, written: &[PathBuf]) -> Result<(), SystemError> {
    if written.is_empty() {
        return Ok(());
    }
    let paths: Vec<&Path> = written.iter().map(PathBuf::as_path).collect();
    flush::flush_written(above, &paths)?;
    let folders = written.iter().map(|path| folder_of(path).to_owned());
    let folders: BTreeSet<PathBuf> = folders.chain([above.to_owned()]).collect();
    flush::flush_folders(&folders);
    Ok(())
}

/// Syncs everything written to a folder's volume, if one call can do that; otherwise the names in
/// the folder and those below it.
pub fn bring_all_to_disk(folder: &Path) {
    if platform::flush_volume(folder).is_err() {
        let below = fs::read_dir(folder).into_iter().flatten().flatten();
        let below = below.map(|entry| entry.path()).filter(|path| path.is_dir());
        let folders: Vec<PathBuf> = below.chain([folder.to_owned()]).collect();
        flush::flush_folders(&folders);
    }
}
