//! The version of the git program, and what it says of a repository.
//!
//! Invariant: only reads.

use super::{
    GitError, Repo,
    process::{self, Timeout},
};
use std::{io, time::Duration};

/// The oldest git with the options that co uses.
pub const OLDEST: (u32, u32) = (2, 30);

/// A working git answers at once.
const PROMPTLY: Timeout = Timeout { silence: Duration::from_secs(5), interactive: false };

/// git's version as it reports it: `2.39.5 (Apple Git-154)`.
pub fn version() -> Result<String, GitError> {
    let mut command = process::bare_git();
    command.arg("--version");
    let output = process::run(command, PROMPTLY)?;
    match output.out.trim().strip_prefix("git version") {
        Some(version) => Ok(version.trim().to_owned()),
        None => Err(GitError::NoGit { source: io::Error::other("it does not report its version") }),
    }
}

/// The first problem that `git fsck` finds in a repository.
pub fn first_damage(repo: &Repo) -> Result<Option<String>, GitError> {
    let mut command = process::git(repo.git_dir(), None);
    command.args(["fsck", "--connectivity-only", "--no-dangling", "--no-progress"]);
    let output = process::run(command, process::LOCAL)?;
    let said = format!("{}\n{}", output.out, output.err);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    Ok((!output.ok).then(|| line.to_owned()))
}

/// Whether a version is older than [`OLDEST`]; false for one that is not numeric.
pub fn is_too_old(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor) < OLDEST,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_first_two_numbers() {
        let versions = [("2.29.9", true), ("1.9", true), ("2.30.0", false)];
        let more = [("2.39.5 (Apple Git-154)", false), ("3.0", false), ("next", false)];
        for (version, is_old) in versions.into_iter().chain(more) {
            assert_eq!(is_too_old(version), is_old, "{version}");
        }
    }
}
