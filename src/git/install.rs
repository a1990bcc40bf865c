//! Creates repositories.
//!
//! Invariant: no repository is ever created inside somebody else's, and none is left half-made: it
//! is made beside its place and then gets its name.

use super::{
    GitError,
    error::Words,
    own_config::UpstreamSettings,
    process::{self, LOCAL},
};
use crate::machine::{files, staged_folder::StagedFolder};
use std::path::Path;

const MAKE: &str = "set up the repository";

/// Its HEAD names `branch`; what it pulls from and pushes to, if that is known.
pub fn init(
    folder: &Path,
    branch: &str,
    upstream: Option<&UpstreamSettings<'_>>,
) -> Result<(), GitError> {
    let options = ["--initial-branch", branch];
    let place = folder.join(".git");
    // What another program left half-made is its to finish.
    if files::exists(&place) {
        return git_init(&place, &options);
    }
    let failed = |error| GitError::local(MAKE, folder, error);
    // git takes only what is called `.git` for the repository of a work tree.
    let staged = StagedFolder::new(folder, ".git").map_err(failed)?;
    git_init(staged.path(), &options)?;
    if let Some(upstream) = upstream {
        upstream.write_to(&staged.path().join("config"))?;
    }
    staged.put(&place).map_err(failed)
}

/// A repository without a work tree, in place of what is there.
pub(super) fn init_bare(
    folder: &Path,
    configured: impl FnOnce(&Path) -> Result<(), GitError>,
) -> Result<(), GitError> {
    let failed = |error| GitError::local(MAKE, folder, error);
    let staged = StagedFolder::beside(folder).map_err(failed)?;
    git_init(staged.path(), &["--bare"])?;
    configured(staged.path())?;
    staged.put(folder).map_err(failed)
}

fn git_init(place: &Path, options: &[&str]) -> Result<(), GitError> {
    let mut command = process::git(place, None);
    command.args(["init", "--quiet"]).args(options);
    let output = process::run(command, LOCAL)?;
    if output.ok {
        return Ok(());
    }
    Err(GitError::local(MAKE, place, Words(process::reason(&output.err))))
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
