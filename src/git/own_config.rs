//! The configuration of the identity's repository: its remote, its branches, its merge driver.
//!
//! Invariant: git writes it, under git's own lock. A mark says while it does; the lock of a git
//! that was killed meanwhile is removed, and nobody else's.

use super::{
    GitError, Repo,
    error::Words,
    process::{self, LOCAL, Output},
    url,
};
use crate::machine::platform;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

const MARK: &str = "config-mark";
const SET: &str = "set up the repository";

/// While git writes the configuration for this process. Without it, a lock is somebody else's.
struct ConfigMark {
    path: PathBuf,
    /// Locked in the kernel while this process lives; `None` if another co is at it.
    alive: Option<File>,
}

impl ConfigMark {
    fn set(git_dir: &Path, config: &Path) -> ConfigMark {
        clear_stale(git_dir, config);
        let path = mark(git_dir);
        let _ = fs::create_dir_all(git_dir.join("co"));
        let alive = File::create_new(&path).ok().filter(|file| platform::hold(file).is_ok());
        ConfigMark { path, alive }
    }

    /// Ends it, unless a signal killed git: the next change clears the lock that it may have left.
    fn end(self, output: &Output) {
        if self.alive.is_some() && !output.killed {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the lock of a git that was killed with its co, if there is one.
pub(super) fn clear_stale_lock(repo: &Repo) {
    clear_stale(repo.git_dir(), &repo.config_file());
}

fn clear_stale(git_dir: &Path, config: &Path) {
    let mark = mark(git_dir);
    if mark.exists() && platform::is_free(&mark) {
        let _ = fs::remove_file(lock_of(config));
        let _ = fs::remove_file(mark);
    }
}

fn mark(git_dir: &Path) -> PathBuf {
    git_dir.join("co").join(MARK)
}

/// git's lock of the configuration.
pub(super) fn lock(repo: &Repo) -> PathBuf {
    lock_of(&repo.config_file())
}

fn lock_of(config: &Path) -> PathBuf {
    config.with_extension("lock")
}

/// Runs `git config` on the own file of a repository.
pub(super) fn change(
    git_dir: &Path,
    config: &Path,
    arguments: &[&str],
) -> Result<Output, GitError> {
    let mut command = process::git(git_dir, None);
    command.args(["config", "--local"]).args(arguments);
    let mark = ConfigMark::set(git_dir, config);
    let output = process::run(command, LOCAL)?;
    mark.end(&output);
    Ok(output)
}

impl Repo {
    fn configure(&self, arguments: &[&str]) -> Result<Output, GitError> {
        change(self.git_dir(), &self.config_file(), arguments)
    }

    fn set(&self, arguments: &[&str]) -> Result<(), GitError> {
        let output = self.configure(arguments)?;
        if output.ok {
            return Ok(());
        }
        Err(GitError::local(SET, &self.root, Words(process::reason(&output.err))))
    }

    pub fn set_own(&self, key: &str, value: &str) -> Result<(), GitError> {
        self.set(&[key, value])
    }

    /// Removes a section from this repository's configuration; it may be missing.
    pub fn remove_section(&self, name: &str) -> Result<(), GitError> {
        self.configure(&["--remove-section", name]).map(drop)
    }

    /// Adds or changes a remote, and makes the local branch follow the branch `there`.
    pub fn set_remote(
        &self,
        remote: &str,
        url: &str,
        branch: &str,
        there: &str,
    ) -> Result<(), GitError> {
        url::sound_url(url)?;
        let set = |key: String, value: &str| self.set(&["--replace-all", &key, value]);
        // Only the URL that was checked may be pushed to.
        let pushed_to = format!("remote.{remote}.pushurl");
        if self.configure(&["--get-all", &pushed_to])?.ok {
            self.set(&["--unset-all", &pushed_to])?;
        }
        set(format!("remote.{remote}.url"), url)?;
        set(format!("remote.{remote}.fetch"), &format!("+refs/heads/*:refs/remotes/{remote}/*"))?;
        set(format!("branch.{branch}.remote"), remote)?;
        set(format!("branch.{branch}.merge"), &format!("refs/heads/{there}"))
    }

    /// Makes a local branch follow a branch of its remote; both are full names (`refs/heads/…`).
    pub fn follow(&self, branch: &str, there: &str) -> Result<(), GitError> {
        let short = branch.trim_start_matches("refs/heads/");
        self.set_own(&format!("branch.{short}.merge"), there)
    }
}
