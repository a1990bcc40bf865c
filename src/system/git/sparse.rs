//! Sparse checkouts: files that git keeps in its index and leaves out of the work tree.
//!
//! Invariant: a file that is left out is not deleted; co neither removes nor writes it.

use super::{GitError, Repo, process};
use crate::identity::RelPath;
use gix::bstr::BString;
use std::{
    collections::BTreeSet,
    io::{Seek, Write},
};

impl Repo {
    /// Those of new paths (relative to the repository) that a sparse checkout leaves out.
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
        let rules = ["sparse-checkout", "check-rules", "-z"];
        let kept = match self.ask_of(&rules, all.iter())? {
            Some(kept) => kept,
            None => self.kept_by_patterns(&all)?,
        };
        let kept: BTreeSet<&[u8]> = kept.split(|byte| *byte == 0).collect();
        Ok(all.into_iter().filter(|path| !kept.contains(path.as_slice())).collect())
    }

    /// For a git before 2.41, which knows no `check-rules`: its patterns are written as those of
    /// ignored files are, and what they name is kept.
    fn kept_by_patterns(&self, paths: &BTreeSet<BString>) -> Result<Vec<u8>, GitError> {
        let patterns = self.git_dir().join("info/sparse-checkout");
        if !patterns.is_file() {
            return Ok(paths.iter().flat_map(|path| [path.as_slice(), b"\0"].concat()).collect());
        }
        let named = format!("core.excludesFile={}", patterns.display());
        let ask = ["-c", &named, "check-ignore", "--no-index", "-z", "--stdin"];
        // It fails where none is named.
        Ok(self.ask_of(&ask, paths.iter())?.unwrap_or_default())
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

    /// What git answers about paths, passed NUL-terminated on standard input; `None` when it fails.
    pub(super) fn ask_of<'a>(
        &self,
        arguments: &[&str],
        paths: impl Iterator<Item = &'a BString>,
    ) -> Result<Option<Vec<u8>>, GitError> {
        const ASK: &str = "ask git about paths";
        let local = |error: std::io::Error| GitError::local(ASK, &self.root, error);
        let mut input = tempfile::tempfile().map_err(local)?;
        for path in paths {
            input.write_all(path).and_then(|()| input.write_all(&[0])).map_err(local)?;
        }
        input.rewind().map_err(local)?;
        let mut command = process::git(self.git_dir(), Some(&self.root));
        command.args(arguments).stdin(input);
        let output = process::run(command, process::LOCAL)?;
        Ok(output.ok.then_some(output.out.into_bytes()))
    }
}
