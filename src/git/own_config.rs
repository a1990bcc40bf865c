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
use crate::machine::{files, platform};
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

/// A remote, and the branch of it that a local branch follows; both are short names.
pub struct UpstreamSettings<'a> {
    pub remote: &'a str,
    pub url: &'a str,
    pub branch: &'a str,
    pub there: &'a str,
}

impl UpstreamSettings<'_> {
    /// Section, its name, key and value.
    fn settings(&self) -> [(&str, &str, &str, String); 4] {
        let UpstreamSettings { remote, url, branch, there } = *self;
        [
            ("remote", remote, "url", url.to_owned()),
            ("remote", remote, "fetch", format!("+refs/heads/*:refs/remotes/{remote}/*")),
            ("branch", branch, "remote", remote.to_owned()),
            ("branch", branch, "merge", format!("refs/heads/{there}")),
        ]
    }

    /// Writes it into the configuration of a repository that nobody else can see yet.
    pub(super) fn write_to(&self, config: &Path) -> Result<(), GitError> {
        url::sound_url(self.url)?;
        let text = self.added_to(config).map_err(|error| GitError::local(SET, config, error))?;
        files::write(config, &text).map_err(|error| GitError::local(SET, config, error))
    }

    fn added_to(&self, config: &Path) -> gix::Result<gix::bstr::BString> {
        let own = gix::config::Source::Local;
        let mut file = gix::config::File::from_path_no_includes(config.to_owned(), own)?;
        for (section, name, key, value) in self.settings() {
            file.set_raw_value_by(section, name, key, value.as_str())?;
        }
        Ok(file.to_bstring())
    }

    /// Whether a repository has it so already, and pushes nowhere else.
    fn is_in(&self, repo: &Repo) -> bool {
        let config = repo.gix.config_snapshot();
        let values = |section: &str, name: &str, key: &str| {
            config.plumbing().strings_by(section, name, key).unwrap_or_default()
        };
        values("remote", self.remote, "pushurl").is_empty()
            && self.settings().iter().all(|(section, name, key, wanted)| {
                *values(section, name, key) == [wanted.as_str()]
            })
    }
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

    /// Adds or changes a remote, and makes the local branch follow a branch there.
    pub fn set_upstream(&self, upstream: &UpstreamSettings<'_>) -> Result<(), GitError> {
        url::sound_url(upstream.url)?;
        if upstream.is_in(self) {
            return Ok(());
        }
        // Only the URL that was checked may be pushed to.
        let pushed_to = format!("remote.{}.pushurl", upstream.remote);
        if self.configure(&["--get-all", &pushed_to])?.ok {
            self.set(&["--unset-all", &pushed_to])?;
        }
        for (section, name, key, value) in upstream.settings() {
            self.set(&["--replace-all", &format!("{section}.{name}.{key}"), &value])?;
        }
        Ok(())
    }

    /// Makes a local branch follow a branch of its remote; both are full names (`refs/heads/…`).
    pub fn follow(&self, branch: &str, there: &str) -> Result<(), GitError> {
        let short = branch.trim_start_matches("refs/heads/");
        self.set_own(&format!("branch.{short}.merge"), there)
    }
}
