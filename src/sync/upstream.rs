//! Upstream of the enclosing repository, used when an identity is moved into it.

use crate::git::{Branch, Id, Repo};
use crate::workspace::{Error, Workspace};
use serde::Serialize;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Upstream {
    /// Without credentials.
    pub url: String,
    /// The person's own unpublished commits; if there are any, `init` and `move` push nothing.
    pub own_commits: usize,
}

/// `None` without a repository or a remote.
pub fn upstream(ws: &Workspace) -> Result<Option<Upstream>, Error> {
    let Some(repo) = ws.repo()? else { return Ok(None) };
    // A detached HEAD is reported by the sync.
    let Ok(branch) = repo.branch(&ws.settings.sync) else { return Ok(None) };
    let own_commits = own_commits(&repo, &branch, repo.head()?);
    Ok(branch.url.map(|url| Upstream { url, own_commits }))
}

/// In an enclosing repository, how many commits up to `head` that co did not make the remote is not
/// known to have: an offline day leaves some of co's, which are nobody's unfinished work.
pub(super) fn own_commits(repo: &Repo, branch: &Branch, head: Option<Id>) -> usize {
    let head = head.filter(|_| !repo.prefix.is_empty());
    head.map_or(0, |head| repo.own_commits_between(repo.ref_id(&branch.tracking), head).len())
}
