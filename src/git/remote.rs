//! The remote of an identity, plain or sealed: the one place that decides which, by its URL.
//!
//! Invariant: who syncs, previews or looks at a remote asks here, and gets the same either way; a
//! sealed remote is never reached as a plain one.

use super::{
    Branch, GitError, Id, Peek, Repo, peek as plain,
    process::Access,
    sealed,
    transport::{self, Heads, Listing, Pushed},
    url,
};

/// The branch on the remote, and the one of its HEAD. What a sealed one has is opened for that.
pub fn list(repo: &Repo, remote: &str, branch: &str, access: &Access) -> Result<Listing, GitError> {
    match repo.sealed_in(remote) {
        Some(url) => sealed::list(repo, &url, branch, access),
        None => transport::list(repo, remote, branch, access),
    }
}

/// All branches; of a sealed remote, those that anybody sees.
pub fn heads(repo: &Repo, remote: &str, access: &Access) -> Result<Heads, GitError> {
    match repo.sealed_in(remote) {
        Some(url) => transport::heads(repo, &url, access),
        None => transport::heads(repo, remote, access),
    }
}

/// Fetches a branch into its tracking ref.
pub fn fetch(
    repo: &Repo,
    remote: &str,
    branch: &Branch,
    access: &Access,
) -> Result<Option<Id>, GitError> {
    match repo.sealed_in(remote) {
        Some(url) => sealed::fetch(repo, &url, branch, access),
        None => transport::fetch(repo, remote, branch, access),
    }
}

/// Pushes a commit onto the one that is known there.
pub fn push(
    repo: &Repo,
    remote: &str,
    branch: &Branch,
    commits: (Option<Id>, Id),
    access: &Access,
) -> Result<Pushed, GitError> {
    match repo.sealed_in(remote) {
        Some(url) => sealed::push(repo, &url, branch, commits, access),
        None => transport::push(repo, remote, branch, commits, access),
    }
}

/// The branch that a remote's HEAD points to; `None` if the remote has no branch yet.
pub fn peek(url: &str, access: &Access) -> Result<Option<Peek>, GitError> {
    match url::unsealed(url) {
        Some(url) => Ok(sealed::look(url, access)?.map(|(seen, _)| seen)),
        None => plain::peek(url, access),
    }
}

/// Whether a branch of a remote has a commit in common with our own, even if it is ahead of all
/// that is here.
pub fn shares_history(
    repo: &Repo,
    url: &str,
    branch: &str,
    access: &Access,
) -> Result<bool, GitError> {
    match url::unsealed(url) {
        Some(url) => sealed::shares_history(repo, url, access),
        None => plain::shares_history(repo, url, branch, access),
    }
}
