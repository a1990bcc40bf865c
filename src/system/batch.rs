//! Many files at once: synced to disk together, before any of them takes its name.
//!
//! Invariant: no file is ever half-written; the disk is synced once, not once per file.

use super::{
    error::{At, SystemError},
    files::{folder_of, is_link, stage_unsynced, sync_folder, take_name, write},
};
use std::{
    collections::{BTreeSet, HashMap},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Creates files: all are staged and synced at once, then each takes its name if that is still
/// free. Stops at the first name that is taken and returns how many were created; on an error,
/// files that took their name stay. `each` is called twice per file: staged, and named.
pub fn write_new_batch(
    wanted: &[(PathBuf, &[u8])],
    each: &mut dyn FnMut(),
) -> Result<usize, SystemError> {
    let mut staged = Vec::with_capacity(wanted.len());
    for (path, bytes) in wanted {
        staged.push(stage_unsynced(path, bytes)?.into_temp_path());
        each();
    }
    let Some((first, _)) = wanted.first() else { return Ok(0) };
    sync_disk(folder_of(first))?;
    let mut folders = BTreeSet::new();
    let mut done = 0;
    for ((path, _), temp) in wanted.iter().zip(staged) {
        match temp.persist_noclobber(path) {
            Ok(_) => folders.insert(folder_of(path).to_owned()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => break,
            Err(error) => return Err(error.error).at("write", path),
        };
        done += 1;
        each();
    }
    for folder in folders {
        sync_folder(&folder.join("."));
    }
    Ok(done)
}

#[derive(Default)]
pub struct Batch {
    /// Closed, so that their number is not limited by open files.
    staged: HashMap<PathBuf, tempfile::TempPath>,
    folders: BTreeSet<PathBuf>,
}

impl Batch {
    /// Stages each file beside its target and syncs once. On an error no file has taken its name.
    /// `each` is called for every file.
    pub fn stage(wanted: &[(PathBuf, &[u8])], each: &dyn Fn()) -> Result<Batch, SystemError> {
        let mut batch = Batch::default();
        for (path, bytes) in wanted.iter().filter(|(path, _)| !is_link(path)) {
            batch.staged.insert(path.clone(), stage_unsynced(path, bytes)?.into_temp_path());
            each();
        }
        if let Some((first, _)) = wanted.first() {
            sync_disk(folder_of(first))?;
        }
        Ok(batch)
    }

    /// Renames the staged file if it holds these bytes; otherwise writes as [`write()`] does.
    pub fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
        let staged = self.staged.remove(path);
        let Some(temp) = staged.filter(|temp| holds(temp, bytes)) else {
            return write(path, bytes);
        };
        take_name(temp, path)?;
        self.folders.insert(folder_of(path).to_owned());
        Ok(())
    }

    /// Makes the names durable that were taken so far: before a file is deleted whose text is in
    /// one of them, and at the end.
    pub fn settle(&mut self) {
        for folder in std::mem::take(&mut self.folders) {
            sync_folder(&folder.join("."));
        }
    }
}

fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::read(path).is_ok_and(|there| there == bytes)
}

/// Waits until everything written to the folder's file system is on disk.
fn sync_disk(folder: &Path) -> Result<(), SystemError> {
    let opened = File::open(folder).at("open", folder)?;
    rustix::fs::syncfs(&opened).map_err(io::Error::from).at("write", folder)
}
