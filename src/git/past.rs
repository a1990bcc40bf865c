//! Checks out the identity at a commit into a temporary directory for a read-only command.
//!
//! Invariant: only the user can read the folder, and it is deleted with the value. Nothing is
//! written to the repository.

use super::{GitError, Id, Repo};
use crate::identity::{Snapshot, Stamp};
use crate::machine::{SystemError, error::At, platform};
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
    pub fn write(
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

impl Repo {
    /// What this laptop had committed at a moment, and since when: a later sync, which may bring
    /// older commits of others, changes nothing about it. Before its first commit, the laptop had
    /// what that one began with.
    pub fn commit_at(&self, moment: Stamp) -> Result<Option<(Id, Stamp)>, GitError> {
        let (commits, times): (Vec<Id>, Vec<Stamp>) = self.branch_moves()?.into_iter().unzip();
        let times = in_order(&times, self.clock.now());
        let moves: Vec<(Id, Stamp)> = commits.into_iter().zip(times).collect();
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

/// The times of entries that were written one after another, without what a wrong clock wrote. The
/// longest run of entries that are not to come and do not go back in time is right, of equally long
/// ones the latest; an entry beside it came at its own time, but not before the entries before it
/// nor after the others.
pub(crate) fn in_order(times: &[Stamp], now: Stamp) -> Vec<Stamp> {
    let capped: Vec<Stamp> = times.iter().map(|time| (*time).min(now)).collect();
    // From the last entry on: the latest start of a run, for each length, and what follows it.
    let mut starts: Vec<usize> = Vec::new();
    let mut follows: Vec<Option<usize>> = vec![None; capped.len()];
    let has_been = |at: &usize| times[*at] <= now;
    for at in (0..capped.len()).rev().filter(has_been) {
        let time = &capped[at];
        let longer = starts.partition_point(|start| capped[*start] >= *time);
        follows[at] = longer.checked_sub(1).map(|length| starts[length]);
        match starts.get_mut(longer) {
            Some(start) => *start = at,
            None => starts.push(at),
        }
    }
    let mut is_right = vec![false; capped.len()];
    let mut next = starts.last().copied();
    while let Some(at) = next {
        is_right[at] = true;
        next = follows[at];
    }
    let mut latest = now;
    let mut ordered = capped;
    for (time, is_right) in ordered.iter_mut().zip(is_right).rev() {
        *time = (*time).min(latest);
        if is_right {
            latest = *time;
        }
    }
    let mut earliest = None;
    for time in &mut ordered {
        *time = earliest.map_or(*time, |earliest| (*time).max(earliest));
        earliest = Some(*time);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_clock_moves_only_its_own_entries() {
        let of = |times: &[i64]| -> Vec<i64> {
            let times: Vec<Stamp> = times.iter().map(|time| Stamp::from_micros(*time)).collect();
            let ordered = in_order(&times, Stamp::from_micros(100));
            ordered.into_iter().map(Stamp::micros).collect()
        };
        assert!(of(&[]).is_empty());
        assert_eq!(of(&[10, 20, 20, 30]), [10, 20, 20, 30]);
        // The past, among the others, last, and twice.
        assert_eq!(of(&[10, 20, 1, 30]), [10, 20, 20, 30]);
        assert_eq!(of(&[10, 20, 1]), [10, 20, 20]);
        assert_eq!(of(&[10, 20, 1, 2]), [10, 20, 20, 20]);
        assert_eq!(of(&[10, 1]), [10, 10]);
        // The future, near and far.
        assert_eq!(of(&[10, 90, 20, 30]), [10, 20, 20, 30]);
        assert_eq!(of(&[10, 999, 20, 30]), [10, 20, 20, 30]);
        assert_eq!(of(&[10, 20, 999]), [10, 20, 100]);
        assert_eq!(of(&[999, 10, 20]), [10, 10, 20]);
        assert_eq!(of(&[10, 999, 20]), [10, 20, 20]);
        // Both, and a clock that was wrong until it was set.
        assert_eq!(of(&[10, 90, 1, 20, 30]), [10, 20, 20, 20, 30]);
        assert_eq!(of(&[1, 2, 10, 20]), [1, 2, 10, 20]);
    }
}
