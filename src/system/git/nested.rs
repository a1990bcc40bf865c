//! A repository inside another one that records it without `.gitmodules`: git tracks the hash of
//! its commit, and none of its files.

use super::{GitError, Repo, error::During, repository_above};
use gix::bstr::ByteSlice;
use gix::index::entry::Mode;

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
        let Some(outer) = self.root.parent().and_then(repository_above) else { return Ok(()) };
        let options = gix::open::Options::default().bail_if_untrusted(true);
        let Ok(repository) = gix::open_opts(&outer, options) else { return Ok(()) };
        let (Ok(index), Ok(path)) = (repository.index_or_empty(), self.root.strip_prefix(&outer))
        else {
            return Ok(());
        };
        let Some(path) = path.to_str() else { return Ok(()) };
        let recorded = index.entry_by_path(path.as_bytes().as_bstr());
        if recorded.is_none_or(|entry| entry.mode != Mode::COMMIT) {
            return Ok(());
        }
        let modules = std::fs::read_to_string(outer.join(".gitmodules")).unwrap_or_default();
        let named = modules.lines().filter_map(|line| line.trim().strip_prefix("path"));
        let mut named = named.filter_map(|rest| rest.trim_start().strip_prefix('='));
        if named.any(|named| named.trim() == path) {
            return Ok(());
        }
        Err(GitError::Nested { inner: self.root.clone(), outer })
    }
}
