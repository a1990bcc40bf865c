//! Many files at once: brought to the disk together, before any of them takes its name.
//!
//! Invariant: no file is ever half-written, and the disk is waited for once, not once a file.

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

/// Creates many files: all are staged and brought to the disk at once, then each takes its name if
/// that is still free. Stops at the first name that is taken, with the number of files that are
/// there. `each` hears of every file twice: staged, and named.
///
/// # Errors
/// When the disk refuses; files that took their name stay.
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

/// Files whose bytes are brought to the disk together, before any of them takes its name.
#[derive(Default)]
pub struct Batch {
    /// Closed, so that any number of them can wait.
    staged: HashMap<PathBuf, tempfile::TempPath>,
    folders: BTreeSet<PathBuf>,
}

impl Batch {
    /// Writes the bytes beside where they will stand, and waits once until all are on the disk.
    ///
    /// # Errors
    /// When the disk refuses; nothing has taken its name then.
    pub fn stage(wanted: &[(PathBuf, &[u8])]) -> Result<Batch, SystemError> {
        let mut batch = Batch::default();
        for (path, bytes) in wanted.iter().filter(|(path, _)| !is_link(path)) {
            batch.staged.insert(path.clone(), stage_unsynced(path, bytes)?.into_temp_path());
        }
        if let Some((first, _)) = wanted.first() {
            sync_disk(folder_of(first))?;
        }
        Ok(batch)
    }

    /// Gives staged bytes their name; others are written as [`write`] does.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), SystemError> {
        let staged = self.staged.remove(path);
        let Some(temp) = staged.filter(|temp| holds(temp, bytes)) else {
            return write(path, bytes);
        };
        take_name(temp, path)?;
        self.folders.insert(folder_of(path).to_owned());
        Ok(())
    }

    /// Makes the names durable.
    pub fn finish(self) {
        for folder in self.folders {
            sync_folder(&folder.join("."));
        }
    }
}

fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::read(path).is_ok_and(|there| there == bytes)
}

/// Waits until everything written to a folder's file system is on the disk.
fn sync_disk(folder: &Path) -> Result<(), SystemError> {
    let opened = File::open(folder).at("open", folder)?;
    rustix::fs::syncfs(&opened).map_err(io::Error::from).at("write", folder)
}
