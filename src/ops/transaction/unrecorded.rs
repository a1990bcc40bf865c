//! What is written without an operation in the log, and why each has none.
//!
//! Invariant: the reasons are this enum; whatever has another reason is an operation.

use super::{OutsideChange, write};
use crate::identity::{Blob, Snapshot};
use crate::ops::{Error, Progress};
use crate::system::{
    batch::{Batch, Outcome},
    files,
};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unrecorded {
    /// The first files of a folder: before them there is nothing to go back to.
    Beginning,
    /// A copy elsewhere: an export, an identity that moves.
    Copy,
    /// A file that git handed over, or left open, and that git's own history has.
    ForGit,
    /// A copy of the identity's notes in an agent's folder; the identity's own change has a record.
    AgentsCopy,
    /// A fact that lay beside a link, in its place: the next sync takes it up.
    Stray,
}

/// Writes what differs, each file only if it holds what was read.
pub fn write_unrecorded(
    _why: Unrecorded,
    root: &Path,
    read: &Snapshot,
    wanted: &Snapshot,
    progress: &Progress<'_>,
) -> Result<(), Error> {
    write::write_files(root, read, wanted, progress)
}

/// Removes one file; one that is gone already is fine.
pub fn take_away(_why: Unrecorded, file: &Path) -> Result<(), Error> {
    Ok(files::remove(file)?)
}

/// Renames a folder whose content stays: an identity that moves leaves the old one aside.
pub fn rename_folder(_why: Unrecorded, from: &Path, to: &Path) -> Result<(), Error> {
    Ok(files::rename(from, to)?)
}

/// Writes each file that holds what it held before. One that fails costs only itself: says why.
pub fn write_each(_why: Unrecorded, changes: &[OutsideChange]) -> Vec<Result<(), String>> {
    let new =
        changes.iter().filter_map(|change| Some((change.target.clone(), change.after.as_deref()?)));
    // Where they cannot be staged together, each is written by itself: one name that cannot be taken
    // costs the others nothing.
    let staged = Batch::stage(&new.collect::<Vec<(PathBuf, &[u8])>>(), &|| {});
    let mut batch = staged.unwrap_or_default();
    let one = |change: &OutsideChange| {
        let outcome = match (&change.before, &change.after) {
            (before, Some(after)) => batch.write(&change.target, before.as_deref(), after),
            (Some(before), None) => batch.remove(&change.target, before),
            (None, None) => Ok(Outcome::Done),
        };
        match outcome {
            Ok(Outcome::Done) => Ok(()),
            Ok(Outcome::Changed) => Err("it changed meanwhile".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    };
    let done = changes.iter().map(one).collect();
    batch.settle();
    done
}

/// What becomes of one file.
#[derive(Clone, Copy, Debug)]
pub enum Put<'a> {
    /// Only where there is none.
    New(&'a Blob),
    /// Whatever is there.
    Over(&'a [u8]),
}

/// Writes one file; `false` where a new one found its name taken.
pub fn put(_why: Unrecorded, file: &Path, put: Put<'_>) -> Result<bool, Error> {
    match put {
        Put::New(blob) => Ok(files::write_new(file, blob)?),
        Put::Over(bytes) => {
            files::write(file, bytes)?;
            Ok(true)
        }
    }
}
