//! Fetches a remote into a temporary repository to preview its content and its history.
//!
//! Invariant: writes only to a temporary folder, which is deleted afterwards.

use super::{
    GitError, Id, Repo,
    error::Words,
    process::{self, Access},
    scratch, transport,
};
use crate::identity::{Blob, RelPath};
use std::path::Path;

#[derive(Clone, Debug)]
pub struct Peek {
    /// A full name: `refs/heads/main`.
    pub branch: String,
    pub commit: Id,
    pub paths: Vec<RelPath>,
    pub profile: Option<Blob>,
    /// The names of the remote's other branches.
    pub others: Vec<String>,
}

const LOOK: &str = "query the remote";
const SEEN: &str = "refs/heads/seen";

/// Fetches the branch that the remote's HEAD points to; `None` if the remote has no branch yet.
pub fn peek(url: &str, access: &Access) -> Result<Option<Peek>, GitError> {
    let folder = scratch::repository(url)?;
    let here = folder.path();
    let heads = transport::heads_seen_from(here, None, url, access)?;
    if heads.branches.is_empty() {
        return Ok(None);
    }
    let Some(branch) = heads.to_join().cloned() else {
        let remote = process::without_credentials(url);
        return Err(GitError::WhichBranch { remote, wanted: None, branches: heads.names() });
    };
    let branches = heads.branches;
    let fetched = fetch(here, url, &branch, access, &["--depth=1"])?;
    // Plain file servers (dumb http) do not support `--depth`.
    let fetched = match fetched {
        output if !output.ok && output.err.contains("shallow") => {
            fetch(here, url, &branch, access, &[])?
        }
        output => output,
    };
    if !fetched.ok {
        return Err(transport::failure(here, url, &fetched, access.timeout));
    }
    let others = branches.into_keys().filter(|name| *name != branch).collect();
    let repo = scratch::opened(here)?;
    let Some(commit) = repo.ref_id(SEEN) else {
        return Err(GitError::local(LOOK, here, Words("the branch was not fetched".into())));
    };
    look(&repo, commit, branch).map(|seen| Some(Peek { others, ..seen }))
}

/// Whether a branch of a remote has a commit in common with our own, even if it is ahead of all
/// that is here.
pub fn shares_history(
    repo: &Repo,
    url: &str,
    branch: &str,
    access: &Access,
) -> Result<bool, GitError> {
    let Some(head) = repo.head()? else { return Ok(false) };
    let folder = scratch::repository(url)?;
    let here = folder.path();
    scratch::borrow_objects(here, repo)?;
    let fetched = fetch(here, url, branch, access, &[])?;
    if !fetched.ok {
        return Err(transport::failure(here, url, &fetched, access.timeout));
    }
    let there = scratch::opened(here)?;
    let Some(seen) = there.ref_id(SEEN) else { return Ok(false) };
    Ok(!there.merge_bases(seen, head)?.is_empty())
}

fn fetch(
    here: &Path,
    url: &str,
    branch: &str,
    access: &Access,
    depth: &[&str],
) -> Result<process::Output, GitError> {
    let mut command = transport::talking(here, None, access);
    // A person's hooks for all repositories are not meant for this one.
    command.args(["-c", "core.hooksPath=/dev/null"]);
    command.args(["fetch", "--no-tags", "--no-write-fetch-head", "--progress"]).args(depth);
    command.args(["--", url, &format!("+{branch}:{SEEN}")]);
    process::run(command, access.timeout)
}

/// What a commit has.
pub(super) fn look(repo: &Repo, commit: Id, branch: String) -> Result<Peek, GitError> {
    let entries = repo.entries(repo.tree_of(commit)?)?;
    let profile = entries.iter().find(|(path, _)| path.as_str() == crate::identity::kind::PROFILE);
    let profile = profile.map(|(_, id)| repo.blob(*id)).transpose()?;
    let paths = entries.into_iter().map(|(path, _)| path).collect();
    Ok(Peek { branch, commit, paths, profile, others: Vec::new() })
}
