//! The commits that changed a few files, found without comparing all others.
//!
//! Invariant: of such a commit as much is told as [`Repo::memory_history`] tells of it, in the same
//! order; git says which they are. Must not know what happened to the files.

use super::{GitError, Id, MemoryChange, Repo, error::Words, process};
use crate::identity::{Blob, RelPath};
use std::collections::{BTreeSet, HashSet};

impl Repo {
    /// The commits up to `tip` that changed one of these files, oldest first.
    pub fn memory_history_at(
        &self,
        tip: Id,
        paths: &BTreeSet<RelPath>,
    ) -> Result<Vec<MemoryChange>, GitError> {
        let touching = self.commits_touching(tip, paths)?;
        let mut changes = Vec::new();
        if touching.is_empty() {
            return Ok(changes);
        }
        for (id, parents) in self.oldest_first(tip)? {
            if touching.contains(&id) {
                changes.extend(self.memory_change(id, parents)?);
            }
        }
        Ok(changes)
    }

    /// Merges included, wherever a file is not as in each of their parents.
    fn commits_touching(
        &self,
        tip: Id,
        paths: &BTreeSet<RelPath>,
    ) -> Result<HashSet<Id>, GitError> {
        if paths.is_empty() {
            return Ok(HashSet::new());
        }
        let mut command = process::git(self.git_dir(), Some(&self.root));
        command.args(["rev-list", "--full-history"]).arg(tip.to_string()).arg("--");
        for path in paths {
            command.arg(format!(":(top,literal){}{path}", self.prefix));
        }
        let output = process::run(command, process::LOCAL)?;
        if !output.ok {
            let words = Words(process::reason(&output.err));
            return Err(GitError::local("walk history", &self.root, words));
        }
        let ids = output.out.lines().filter_map(|line| Id::from_hex(line.trim().as_bytes()).ok());
        Ok(ids.collect())
    }

    /// A file of the identity as a commit has it.
    pub fn file_in(&self, commit: Id, path: &RelPath) -> Result<Option<Blob>, GitError> {
        self.blob_at(commit, path)?.map(|blob| self.blob(blob)).transpose()
    }
}
