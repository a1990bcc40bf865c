//! Checks out the identity at a commit into a temporary directory for a read-only command.
//!
//! Invariant: only the user can read the folder, and it is deleted with the value. Nothing is
//! written to the repository.

use super::{
    SystemError,
    error::At,
    git::{GitError, Id, Repo},
    platform,
};
use crate::identity::{Calendar, Snapshot, Stamp};
use jiff::civil;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The folder, and co's state about it.
pub struct CheckedOut {
    folder: TempDir,
    state: PathBuf,
}

impl CheckedOut {
    /// `state` returns the folder for co's state about it, which is deleted as well.
    pub fn out(
        snapshot: &Snapshot,
        state: impl FnOnce(&Path) -> PathBuf,
    ) -> Result<CheckedOut, SystemError> {
        let place = Path::new("a temporary folder");
        let mut builder = tempfile::Builder::new();
        platform::folder_for_owner_only(&mut builder);
        let folder = builder.prefix("co-at-").tempdir().at("write", place)?;
        for (path, blob) in snapshot.iter() {
            let file = folder.path().join(path.as_str());
            if let Some(above) = file.parent() {
                fs::create_dir_all(above).at("write", above)?;
            }
            fs::write(&file, &**blob).at("write", &file)?;
        }
        let state = state(&platform::resolve(folder.path()).at("read", folder.path())?);
        Ok(CheckedOut { folder, state })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for CheckedOut {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.state);
    }
}

/// The end of a day (`2026-10-01`), or a moment (`2026-10-01T09:00`), as the person counts them.
pub fn moment(text: &str, calendar: &Calendar) -> Option<Stamp> {
    let text = text.trim();
    if let Some(read) = Stamp::parse(text).filter(|read| read.zoned) {
        return Some(read.stamp);
    }
    match text.parse::<civil::Date>() {
        Ok(day) if text.len() <= 10 => calendar.end_of(day),
        _ => calendar.moment(text.parse().ok()?),
    }
}

impl Repo {
    /// What this laptop had committed at a moment, and since when: a later sync, which may bring
    /// older commits of others, changes nothing about it. Before its first commit, the laptop had
    /// what that one began with.
    pub fn commit_at(&self, moment: Stamp) -> Result<Option<(Id, Stamp)>, GitError> {
        let moves = self.branch_moves()?;
        let by_then = moves.iter().rev().find(|(id, at)| *at <= moment && self.knows(*id));
        if let Some(found) = by_then {
            return Ok(Some(*found));
        }
        let first = moves.first().map(|(id, _)| *id).filter(|id| self.knows(*id));
        match first.or(self.head()?) {
            Some(from) => self.first_parent_at(from, moment),
            None => Ok(None),
        }
    }
}
