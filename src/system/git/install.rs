//! Making and cloning repositories.
//!
//! Invariant: no repository is ever made inside somebody else's.

use super::{
    GitError,
    process::{self, Patience},
    transport,
};
use std::{path::Path, time::Duration};

const LOCAL: Patience = Patience { silence: Duration::from_secs(60), interactive: false };

fn run_local(folder: &Path, arguments: &[&str]) -> Result<(), GitError> {
    let mut command = process::git(&folder.join(".git"), None);
    command.args(arguments);
    let said = process::run(command, LOCAL)?;
    let failed = || GitError::Local { action: "set up the repository", repository: folder.to_owned(), reason: process::reason(&said.err) };
    if said.ok { Ok(()) } else { Err(failed()) }
}

/// Makes a repository on a branch.
///
/// # Errors
/// When git cannot.
pub fn init(folder: &Path, branch: &str) -> Result<(), GitError> {
    run_local(folder, &["init", "--quiet", "--initial-branch", branch])
}

/// Adds or changes the remote `origin`, and makes the branch follow it.
///
/// # Errors
/// [`GitError::BadUrl`], or when git cannot.
pub fn set_remote(folder: &Path, remote: &str, url: &str, branch: &str) -> Result<(), GitError> {
    transport::sound_url(url)?;
    let set = |key: String, value: &str| run_local(folder, &["config", &key, value]);
    set(format!("remote.{remote}.url"), url)?;
    set(format!("remote.{remote}.fetch"), &format!("+refs/heads/*:refs/remotes/{remote}/*"))?;
    set(format!("branch.{branch}.remote"), remote)?;
    set(format!("branch.{branch}.merge"), &format!("refs/heads/{branch}"))
}

/// The branch that new repositories begin on.
pub fn default_branch() -> String {
    let mut command = std::process::Command::new("git");
    command.args(["config", "--get", "init.defaultBranch"]).stdin(std::process::Stdio::null());
    let named = process::run(command, LOCAL).map(|said| said.out.trim().to_owned()).unwrap_or_default();
    if named.is_empty() { "main".to_owned() } else { named }
}
