//! A repository's hooks and merge driver settings.
//!
//! Invariant: `core.hooksPath`, worktrees and submodules are resolved by git itself.

use super::{GitError, Repo, error::Words, process};
use std::path::PathBuf;

/// Merges as git does without a driver, into `ours`. `true` if there was no conflict.
pub fn merge_file([ours, base, theirs]: &[PathBuf; 3], marker: usize) -> Result<bool, GitError> {
    let mut command = process::bare_git();
    command.args(["merge-file", &format!("--marker-size={marker}")]);
    command.args(["-L", "ours", "-L", "base", "-L", "theirs"]).arg("--").args([ours, base, theirs]);
    Ok(process::run(command, process::LOCAL)?.ok)
}

impl Repo {
    fn ask(&self, arguments: &[&str]) -> Result<Option<String>, GitError> {
        let mut command = process::git(self.git_dir(), Some(&self.root));
        command.args(arguments);
        let output = process::run(command, process::LOCAL)?;
        Ok(output.ok.then(|| output.out.trim_end_matches('\n').to_owned()))
    }

    pub fn hooks_dir(&self) -> Result<PathBuf, GitError> {
        let failed = || {
            GitError::local(
                "find the hooks",
                &self.root,
                Words("git does not say where they are".into()),
            )
        };
        let path = self
            .ask(&["rev-parse", "--git-path", "hooks"])?
            .filter(|path| !path.is_empty())
            .ok_or_else(failed)?;
        Ok(self.root.join(path))
    }

    /// The git directory that identifies this repository in shared hooks; `None` if it has its own.
    pub fn named_in_shared_hooks(&self) -> Result<Option<String>, GitError> {
        let own = crate::machine::files::resolve(self.gix.common_dir());
        if crate::machine::files::resolve(&self.hooks_dir()?).starts_with(&own) {
            return Ok(None);
        }
        Ok(Some(own.display().to_string().replace(std::path::MAIN_SEPARATOR, "/")))
    }

    /// The words of a shell that print the git directory in that form.
    pub fn prints_git_dir() -> String {
        let print = crate::machine::platform::PRINT_FOLDER;
        format!("$(cd \"$(git rev-parse --git-common-dir)\" && {print})")
    }
}
