//! Sparse checkouts: files that git keeps in its index but leaves out of the work tree.
//!
//! Invariant: a file that is left out is not deleted; co neither removes nor writes it.

use super::{GitError, Repo, process, repo::During};
use crate::identity::RelPath;
use gix::bstr::{BStr, BString, ByteSlice};
use std::collections::BTreeSet;

impl Repo {
    /// The new paths (relative to the repository) that a sparse checkout leaves out.
    pub fn to_leave_out<'a>(
        &self,
        paths: impl Iterator<Item = &'a BString>,
    ) -> Result<BTreeSet<BString>, GitError> {
        if !self.is_sparse() {
            return Ok(BTreeSet::new());
        }
        let all: BTreeSet<BString> = paths.cloned().collect();
        if all.is_empty() {
            return Ok(all);
        }
        let Some(rules) = self.sparse_rules()? else { return Ok(BTreeSet::new()) };
        let case = match self.gix.config_snapshot().boolean("core.ignoreCase") {
            Some(true) => gix::glob::pattern::Case::Fold,
            _ => gix::glob::pattern::Case::Sensitive,
        };
        Ok(all.into_iter().filter(|path| !keeps(&rules, path.as_bstr(), case)).collect())
    }

    /// The patterns in `info/sparse-checkout`, which have the syntax of ignore patterns. Parsed
    /// here, because `git sparse-checkout check-rules` is newer than the oldest supported git.
    fn sparse_rules(&self) -> Result<Option<gix::ignore::Search>, GitError> {
        const READ: &str = "read the patterns of the sparse checkout";
        let file = self.git_dir().join("info/sparse-checkout");
        let patterns = match std::fs::read(&file) {
            Ok(patterns) => patterns,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(GitError::local(READ, &self.root, error)),
        };
        let mut rules = gix::ignore::Search::default();
        let plain = gix::ignore::search::Ignore { support_precious: false };
        rules.add_patterns_buffer(&patterns, file, None, plain).during(self, READ)?;
        Ok(Some(rules))
    }

    pub(super) fn is_sparse(&self) -> bool {
        self.gix.config_snapshot().boolean("core.sparseCheckout") == Some(true)
    }

    /// As [`Repo::to_leave_out`], for files of the identity.
    pub fn paths_to_leave_out<'a>(
        &self,
        paths: impl Iterator<Item = &'a RelPath>,
    ) -> Result<BTreeSet<RelPath>, GitError> {
        let paths: Vec<BString> =
            paths.map(|path| format!("{}{path}", self.prefix).into()).collect();
        let left_out = self.to_leave_out(paths.iter())?;
        let inside = |path: &BString| {
            RelPath::new(std::str::from_utf8(path).ok()?.strip_prefix(&self.prefix)?)
        };
        Ok(left_out.iter().filter_map(inside).collect())
    }

    /// git's answer about paths, passed NUL-terminated on standard input; `None` if it fails.
    pub(super) fn ask_of<'a>(
        &self,
        arguments: &[&str],
        paths: impl Iterator<Item = &'a BString>,
    ) -> Result<Option<Vec<u8>>, GitError> {
        let input = paths.flat_map(|path| [path.as_slice(), b"\0"].concat()).collect();
        let mut command = process::git(self.git_dir(), Some(&self.root));
        command.args(arguments).input(input);
        let output = process::run(command, process::LOCAL)?;
        Ok(output.ok.then_some(output.out.into_bytes()))
    }
}

/// Whether a path stays in the work tree: the innermost matching folder or file decides.
fn keeps(rules: &gix::ignore::Search, path: &BStr, case: gix::glob::pattern::Case) -> bool {
    let (mut at, mut is_dir) = (path, false);
    loop {
        if let Some(rule) = rules.pattern_matching_relative_path(at, Some(is_dir), case) {
            return !rule.pattern.is_negative();
        }
        let Some(slash) = at.rfind_byte(b'/') else { return false };
        (at, is_dir) = (at[..slash].as_bstr(), true);
    }
}
