//! Fetch and push, through the git program: it brings the user's ssh, credential helpers and proxies.
//!
//! Invariant: never a forced push; a refusal because the remote is ahead is an answer, not an error.

use super::{
    Branch, GitError, Id, Repo,
    journal::RefMark,
    process::{self, Access, Patience, Said},
};
use std::{path::Path, process::Command};

/// What a remote has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// What the branch points to there; `None` when it is not there.
    pub branch: Option<Id>,
    /// The branch that the remote's HEAD names.
    pub default: Option<String>,
}

/// What became of a push.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pushed {
    /// The remote has it.
    Accepted,
    /// Somebody else was there first: fetch and merge again.
    Behind,
}

/// Refuses what git would take for an option.
///
/// # Errors
/// [`GitError::BadUrl`]
pub fn sound_url(url: &str) -> Result<(), GitError> {
    let foreign = url.starts_with('-') || url.starts_with("ext::") || url.starts_with("fd::") || url.trim().is_empty() || url.contains(['\n', '\0']);
    if foreign { Err(GitError::BadUrl { url: process::plain(url) }) } else { Ok(()) }
}

/// A git command that talks to a remote.
fn git(git_dir: &Path, work_tree: Option<&Path>, access: &Access) -> Command {
    let mut command = process::git(git_dir, work_tree);
    if let Some(login) = &access.login {
        login.add_to(&mut command);
    }
    command
}

/// Asks a remote for a branch.
///
/// # Errors
/// [`GitError::Unreachable`]
pub fn list(git_dir: &Path, remote: &str, branch: &str, access: &Access) -> Result<Listing, GitError> {
    sound_url(remote)?;
    let mut command = git(git_dir, None, access);
    command.args(["ls-remote", "--symref", "--", remote, "HEAD", branch]);
    let said = process::run(command, access.patience)?;
    if !said.ok {
        return Err(unreachable(remote, &said, access.patience));
    }
    let mut listing = Listing::default();
    for line in said.out.lines() {
        match line.split_once('\t') {
            Some((target, "HEAD")) => {
                listing.default = target.strip_prefix("ref: ").map(str::to_owned).or(listing.default);
            }
            Some((id, name)) if name == branch => listing.branch = Id::from_hex(id.as_bytes()).ok(),
            _ => {}
        }
    }
    Ok(listing)
}

/// Brings a branch of the remote into its tracking ref.
///
/// # Errors
/// [`GitError::Unreachable`]
pub fn fetch(repo: &Repo, remote: &str, branch: &Branch, access: &Access) -> Result<Option<Id>, GitError> {
    let mut command = git(repo.git_dir(), None, access);
    let refspec = format!("+{}:{}", branch.there, branch.tracking);
    command.args(["fetch", "--porcelain", "--no-write-fetch-head", "--no-tags", "--progress", "--", remote, &refspec]);
    let mark = RefMark::set(repo);
    let said = process::run(command, access.patience)?;
    drop(mark);
    if !said.ok {
        return Err(unreachable(remote, &said, access.patience));
    }
    Ok(repo.ref_id(&branch.tracking))
}

/// Publishes a commit.
///
/// # Errors
/// [`GitError::Unreachable`] and [`GitError::Refused`].
pub fn push(repo: &Repo, remote: &str, branch: &Branch, commit: Id, access: &Access) -> Result<Pushed, GitError> {
    let mut command = git(repo.git_dir(), Some(&repo.root), access);
    command.args(["push", "--porcelain", "--progress", "--", remote, &format!("{commit}:{}", branch.there)]);
    let mark = RefMark::set(repo);
    let said = process::run(command, access.patience)?;
    drop(mark);
    if said.ok {
        return Ok(Pushed::Accepted);
    }
    let verdict = said.out.lines().find(|line| line.starts_with('!')).unwrap_or_default().to_owned();
    let ahead = ["fetch first", "non-fast-forward", "stale info", "cannot lock ref", "failed to update ref", "incorrect old value"];
    if ahead.iter().any(|words| verdict.contains(words)) {
        return Ok(Pushed::Behind);
    }
    if verdict.is_empty() {
        return Err(unreachable(remote, &said, access.patience));
    }
    let told: Vec<&str> = said.err.lines().filter_map(|line| line.strip_prefix("remote: ")).map(str::trim).filter(|line| !line.is_empty()).collect();
    let words = verdict.split('\t').nth(2).unwrap_or(&verdict).to_owned();
    let reason = told.first().map_or_else(|| process::plain(&words), |first| format!("{}: {first}", process::plain(&words)));
    Err(GitError::Refused { remote: remote.to_owned(), reason })
}

fn unreachable(remote: &str, said: &Said, patience: Patience) -> GitError {
    let reason = if said.silent { format!("no answer for {} s", patience.silence.as_secs()) } else { process::reason(&said.err) };
    GitError::Unreachable { remote: process::without_credentials(remote), reason }
}
