//! What git cannot do for us, sorted by what a person has to do next.

use std::path::PathBuf;

/// A git failure.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Something local: a damaged repository, a permission, a full disk.
    #[error("cannot {action} in {}: {reason}", repository.display())]
    Local {
        /// What was tried.
        action: &'static str,
        /// The repository.
        repository: PathBuf,
        /// What gix says.
        reason: String,
    },
    /// HEAD names no branch.
    #[error("{} is on no branch (detached HEAD)", repository.display())]
    Detached {
        /// The repository.
        repository: PathBuf,
    },
    /// A rebase, cherry-pick or the like is open.
    #[error("a {what} is open in {}", repository.display())]
    InProgress {
        /// What is open.
        what: String,
        /// The repository.
        repository: PathBuf,
    },
    /// Another program holds git's index.
    #[error("{} is locked by another git", lock.display())]
    IndexLocked {
        /// The lock file.
        lock: PathBuf,
    },
    /// The remote did not answer, or said no.
    #[error("cannot reach {remote} ({reason})")]
    Unreachable {
        /// The remote's name.
        remote: String,
        /// git's words, without control characters and credentials.
        reason: String,
    },
    /// The remote answered and refused what was pushed, for another reason than being ahead.
    #[error("{remote} refused the push ({reason})")]
    Refused {
        /// The remote's name.
        remote: String,
        /// git's words.
        reason: String,
    },
    /// What the remote sent does not belong into an identity.
    #[error("{remote} holds `{path}`: {why}")]
    Unsafe {
        /// Where it comes from.
        remote: String,
        /// The entry.
        path: String,
        /// Why it is refused.
        why: String,
    },
    /// Upstream changed files outside the identity that are dirty or staged here.
    #[error("upstream changed {}, which you are changing as well", shorten(paths))]
    OutsideDirty {
        /// The files.
        paths: Vec<String>,
    },
    /// Both sides committed different changes outside the identity.
    #[error("your commits and upstream's conflict outside the identity, in {}", shorten(paths))]
    OutsideConflict {
        /// The files.
        paths: Vec<String>,
    },
    /// The git program is missing.
    #[error("the git program cannot be started: {reason}")]
    NoGit {
        /// Why.
        reason: String,
    },
    /// Something that looks like an option where a URL is meant.
    #[error("`{url}` is no URL of a git repository")]
    BadUrl {
        /// What was given.
        url: String,
    },
}

fn shorten(paths: &[String]) -> String {
    let shown: Vec<&str> = paths.iter().take(3).map(String::as_str).collect();
    let more = paths.len().saturating_sub(3);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}
