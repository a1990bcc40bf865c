//! Creates repositories and sets their remotes.
//!
//! Invariant: no repository is ever created inside somebody else's.

use super::{
    GitError, Repo,
    error::Words,
    process::{self, LOCAL},
    transport,
};
use std::path::Path;

fn run_local(folder: &Path, arguments: &[&str]) -> Result<(), GitError> {
    let mut command = process::git(&folder.join(".git"), None);
    command.args(arguments);
    let output = process::run(command, LOCAL)?;
    if output.ok {
        return Ok(());
    }
    let words = Words(process::reason(&output.err));
    Err(GitError::local("set up the repository", folder, words))
}

pub fn init(folder: &Path, branch: &str) -> Result<(), GitError> {
    run_local(folder, &["init", "--quiet", "--initial-branch", branch])
}

/// Adds or changes a remote, and makes the local branch follow the branch `there`.
pub fn set_remote(
    folder: &Path,
    remote: &str,
    url: &str,
    branch: &str,
    there: &str,
) -> Result<(), GitError> {
    transport::sound_url(url)?;
    let set =
        |key: String, value: &str| run_local(folder, &["config", "--replace-all", &key, value]);
    // Only the URL that was checked may be pushed to.
    let pushed_to = format!("remote.{remote}.pushurl");
    if run_local(folder, &["config", "--local", "--get-all", &pushed_to]).is_ok() {
        run_local(folder, &["config", "--local", "--unset-all", &pushed_to])?;
    }
    set(format!("remote.{remote}.url"), url)?;
    set(format!("remote.{remote}.fetch"), &format!("+refs/heads/*:refs/remotes/{remote}/*"))?;
    set(format!("branch.{branch}.remote"), remote)?;
    set(format!("branch.{branch}.merge"), &format!("refs/heads/{there}"))
}

/// Makes a local branch follow a branch of its remote; both are full names (`refs/heads/…`).
pub fn follow(repo: &Repo, branch: &str, there: &str) -> Result<(), GitError> {
    let short = branch.trim_start_matches("refs/heads/");
    repo.set_own(&format!("branch.{short}.merge"), there)
}

pub fn default_branch() -> String {
    configured("init.defaultBranch").unwrap_or_else(|| "main".to_owned())
}

pub fn user_name() -> Option<String> {
    configured("user.name")
}

/// A value of git's configuration outside any repository.
fn configured(key: &str) -> Option<String> {
    let mut command = process::bare_git();
    command.args(["config", "--get", key]);
    let value = process::run(command, LOCAL).ok()?.out.trim().to_owned();
    (!value.is_empty()).then_some(value)
}
