//! Apple's stub of git, which opens a window instead of answering.
//!
//! Invariant: it is never started.

use super::GitError;
use crate::machine::{process::Process, program};
use std::{io, path::Path, sync::OnceLock};

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
    let found = program::find("git", &path);
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
    fn only_apples_git_without_tools_is_a_stub() {
        assert!(is_stub_on("/usr/bin/git", || false));
        assert!(!is_stub_on("/usr/bin/git", || true));
        assert!(!is_stub_on("/opt/homebrew/bin/git", || false));
    }
}
