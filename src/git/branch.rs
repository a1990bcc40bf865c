//! The branch that is synced, and its upstream.
//!
//! Invariant: no credentials in what messages show. Must not know: what is on the remote.

use super::{GitError, Repo, process::without_credentials, repo::During, url};
use crate::machine::settings::SyncSettings;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedBy {
    Upstream,
    Settings,
    /// Not configured: assumed to have the same name as the local one.
    Nobody,
}

/// The branch that is synced, and its upstream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// `refs/heads/main`
    pub local: String,
    /// `None` if it is not configured.
    pub remote: Option<String>,
    /// For messages, without credentials; of a sealed remote, where it lies.
    pub url: Option<String>,
    /// Whether the remote is sealed.
    pub sealed: bool,
    /// Where git pushes to, if that differs; without credentials.
    pub push_url: Option<String>,
    /// `refs/heads/main` on the remote.
    pub there: String,
    /// Who chose `there`.
    pub by: NamedBy,
    /// `refs/remotes/origin/main`
    pub tracking: String,
}

impl Repo {
    /// The current branch and its upstream; fails with [`GitError::Detached`] on a detached HEAD.
    pub fn branch(&self, settings: &SyncSettings) -> Result<Branch, GitError> {
        let detached = || GitError::Detached { repository: self.root.clone() };
        let name = self.gix.head_name().during(self, "read HEAD")?.ok_or_else(detached)?;
        let fetch = gix::remote::Direction::Fetch;
        let configured = self
            .gix
            .branch_remote_name(name.shorten(), fetch)
            .map(|name| name.as_bstr().to_string());
        let remote = configured.unwrap_or_else(|| settings.remote.clone());
        let url = self.config(&format!("remote.{remote}.url"));
        let upstream = self
            .gix
            .branch_remote_ref_name(name.as_ref(), fetch)
            .and_then(Result::ok)
            .map(|name| name.as_bstr().to_string());
        let named = settings.branch.as_ref().map(|branch| format!("refs/heads/{branch}"));
        let by = match (&upstream, &named) {
            (Some(_), _) => NamedBy::Upstream,
            (None, Some(_)) => NamedBy::Settings,
            (None, None) => NamedBy::Nobody,
        };
        let there = upstream.or(named).unwrap_or_else(|| name.as_bstr().to_string());
        let short = there.strip_prefix("refs/heads/").unwrap_or(&there).to_owned();
        let sealed = url.as_deref().is_some_and(|url| url::unsealed(url).is_some());
        Ok(Branch {
            local: name.as_bstr().to_string(),
            tracking: format!("refs/remotes/{remote}/{short}"),
            there,
            by,
            // co itself pushes what is sealed.
            push_url: if sealed { None } else { self.push_url(&remote) },
            remote: url.is_some().then_some(remote),
            sealed,
            url: url.map(|url| without_credentials(url::shown(&url))),
        })
    }
}
