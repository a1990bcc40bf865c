//! Writes without an operation in the log, and the reason for each.
//!
//! Invariant: this enum lists all reasons; a write for any other reason is an operation.

use super::file_writer;
use crate::identity::{Blob, FileChange, Snapshot};
use crate::machine::{
    batch::{Batch, Outcome},
    files,
};
use crate::workspace::{Error, Progress};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unrecorded {
    /// The first files of a folder: there is no earlier state to return to.
    Beginning,
    /// A copy elsewhere: an export, or a moved identity.
    Copy,
    /// A file that git passed to co or left open, and that is in git's own history.
    ForGit,
    /// A copy of the identity's notes in an agent's folder; the identity's own change is recorded.
    AgentsCopy,
    /// A skill that the person agreed to, in an agent's folder; the identity has it, and another
    /// verb of co removes it again.
    AgreedSkill,
    /// A stray fact moved to where the symlinks lead: the next sync picks it up.
    Stray,
}

/// Writes the differences, each file only if it still has the content that was read.
pub fn write_unrecorded(
    _why: Unrecorded,
    root: &Path,
    read: &Snapshot,
    wanted: &Snapshot,
    progress: &Progress<'_>,
) -> Result<(), Error> {
    file_writer::write_files(root, read, wanted, progress)
}

/// Removes one file; it may already be gone.
pub fn take_away(_why: Unrecorded, file: &Path) -> Result<(), Error> {
    Ok(files::remove(file)?)
}

/// Renames a folder without changing its content: a move keeps the old identity this way.
pub fn rename_folder(_why: Unrecorded, from: &Path, to: &Path) -> Result<(), Error> {
    Ok(files::rename(from, to)?)
}

/// Writes each file that still has its old content. Returns an error for each that failed.
pub fn write_each(_why: Unrecorded, changes: &[FileChange<PathBuf>]) -> Vec<Result<(), String>> {
    let new =
        changes.iter().filter_map(|change| Some((change.path.clone(), change.after.as_deref()?)));
    // If they cannot be staged together, each is written separately, so that one bad name does not
    // affect the others.
    let staged = Batch::stage(&new.collect::<Vec<(PathBuf, &[u8])>>(), &|| {});
    let mut batch = staged.unwrap_or_default();
    let one = |change: &FileChange<PathBuf>| match file_writer::write_one(&mut batch, change) {
        Ok(Outcome::Done) => Ok(()),
        Ok(Outcome::Changed) => Err("it changed in the meantime".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    let done = changes.iter().map(one).collect();
    batch.settle();
    done
}

/// How to write a file.
#[derive(Clone, Copy, Debug)]
pub enum Put<'a> {
    /// Only if it does not exist.
    New(&'a Blob),
    /// Over any existing content.
    Over(&'a [u8]),
}

/// Writes one file; `false` if the name of a new file was taken.
pub fn put(_why: Unrecorded, file: &Path, put: Put<'_>) -> Result<bool, Error> {
    match put {
        Put::New(blob) => Ok(files::write_new(file, blob)?),
        Put::Over(bytes) => {
            files::write(file, bytes)?;
            Ok(true)
        }
    }
}
