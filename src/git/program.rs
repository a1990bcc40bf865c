//! Finds the git program and checks its version.
//!
//! Invariant: the stub of macOS, which opens a window instead of answering, is never started.

use super::{
    GitError, Repo,
    process::{self, Timeout},
};
use crate::machine::process::Process;
use std::{io, path::Path, sync::OnceLock, time::Duration};

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

/// Apple's git exists at `/usr/bin/git` even before the developer tools are installed.
const OF_APPLE: &str = "/usr/bin/git";

/// Fails if git is only Apple's stub.
pub(super) fn refuse_stub() -> Result<(), GitError> {
    static STUB: OnceLock<bool> = OnceLock::new();
    let is_stub = || cfg!(target_os = "macos") && is_stub_on(&first_git(), has_developer_tools);
    if *STUB.get_or_init(is_stub) {
        Err(GitError::NoGit {
            source: io::Error::new(
                io::ErrorKind::NotFound,
                "the command line developer tools are not installed",
            ),
        })
    } else {
        Ok(())
    }
}

fn is_stub_on(git: &str, has_tools: impl Fn() -> bool) -> bool {
    git == OF_APPLE && !has_tools()
}

/// The first git on the PATH.
fn first_git() -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let found = crate::machine::program::find("git", &path);
    found.map(|git| git.display().to_string()).unwrap_or_default()
}

/// `xcode-select -p` prints the folder of the tools, and fails without them; it opens no window.
fn has_developer_tools() -> bool {
    let asked = Process::new("/usr/bin/xcode-select").arg("-p").run();
    let folder = asked.ok().filter(|asked| asked.end.is_success());
    folder.is_some_and(|asked| Path::new(String::from_utf8_lossy(&asked.stdout).trim()).is_dir())
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

    #[test]
    fn only_apples_git_without_tools_is_a_stub() {
        assert!(is_stub_on("/usr/bin/git", || false));
        assert!(!is_stub_on("/usr/bin/git", || true));
        assert!(!is_stub_on("/opt/homebrew/bin/git", || false));
    }
}
