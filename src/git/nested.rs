//! A repository inside another one that records it without `.gitmodules`: git tracks the hash of
//! its commit, and none of its files.

use super::{GitError, Repo, ignored::SOURCE, repo::During, repository_above, trusted};
use gix::bstr::ByteSlice;
use gix::index::entry::Mode;
use std::path::PathBuf;

impl Repo {
    /// Fails with [`GitError::Nested`] if another repository records the identity's. A submodule is
    /// fine: `.gitmodules` records its URL.
    pub fn refuse_nested(&self) -> Result<(), GitError> {
        if let Some(path) = self.prefix.strip_suffix('/') {
            // Other laptops get an empty folder. Checks the index, not the commits: a person fixes
            // this by removing the entry from it.
            let index = self.gix.index_or_empty().during(self, "read the index")?;
            let recorded = index.entry_by_path(path.as_bytes().as_bstr());
            if recorded.is_some_and(|entry| entry.mode == Mode::COMMIT) {
                let inner = self.root.join(path);
                return Err(GitError::Nested { inner, outer: self.root.clone() });
            }
            return Ok(());
        }
        match self.around() {
            Some(Around { outer, recorded: Recorded::Entry, .. }) => {
                Err(GitError::Nested { inner: self.root.clone(), outer })
            }
            _ => Ok(()),
        }
    }

    /// The repository around the identity's own one that would record it with the next `git add`,
    /// and the identity's path in it.
    pub fn swallowing(&self) -> Option<(PathBuf, String)> {
        let Around { outer, path, recorded, repository } = self.around()?;
        // Where untracked files are hidden, a person adds each by name.
        let shows = repository.config_snapshot().string("status.showUntrackedFiles");
        if recorded != Recorded::Nothing || shows.is_some_and(|shows| shows == "no") {
            return None;
        }
        let index = repository.index_or_empty().ok()?;
        let mut excludes = repository.excludes(&index, None, SOURCE).ok()?;
        let is_ignored = excludes.at_path(path.as_str(), Some(Mode::DIR)).ok()?.is_excluded();
        (!is_ignored).then_some((outer, path))
    }

    /// The repository around one of the identity's own.
    fn around(&self) -> Option<Around> {
        if !self.prefix.is_empty() {
            return None;
        }
        let outer = self.root.parent().and_then(repository_above)?;
        let repository = trusted::open(&outer).ok()?;
        let path = self.root.strip_prefix(&outer).ok()?.to_str()?;
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        let index = repository.index_or_empty().ok()?;
        let entry = index.entry_by_path(path.as_bytes().as_bstr());
        let modules = std::fs::read_to_string(outer.join(".gitmodules")).unwrap_or_default();
        let named = modules.lines().filter_map(|line| line.trim().strip_prefix("path"));
        let mut named = named.filter_map(|rest| rest.trim_start().strip_prefix('='));
        let recorded = if named.any(|named| named.trim() == path) {
            Recorded::Submodule
        } else if entry.is_some_and(|entry| entry.mode == Mode::COMMIT) {
            Recorded::Entry
        } else {
            Recorded::Nothing
        };
        Some(Around { outer, path, recorded, repository })
    }
}

struct Around {
    outer: PathBuf,
    /// The identity's.
    path: String,
    recorded: Recorded,
    repository: gix::Repository,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Recorded {
    Nothing,
    /// A commit without a URL.
    Entry,
    Submodule,
}
