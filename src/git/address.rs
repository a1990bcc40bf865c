//! Where each remote was at the last sync: git's tracking refs belong to its name, and stay when
//! its URL changes.
//!
//! Invariant: only a hash of the URL is kept, in co's folder of the git directory; without it, no
//! change is assumed. Who logs in, and with which token, is no part of the address.

use super::{GitError, Id, Repo, process, url};
use crate::identity::ContentHash;
use crate::machine::{files, paths};
use gix::bstr::ByteSlice;
use std::path::PathBuf;

impl Repo {
    /// Whether a remote has another URL than at the last sync.
    pub fn is_elsewhere(&self, remote: &str) -> bool {
        let known = files::read_text(&self.address_file(remote)).ok().flatten();
        known.is_some_and(|known| known.trim() != self.address(remote))
    }

    /// Remembers the URL that a sync has reached.
    pub fn remember_address(&self, remote: &str) {
        let (file, address) = (self.address_file(remote), self.address(remote));
        if files::read_text(&file).ok().flatten().is_none_or(|known| known.trim() != address) {
            let _ = files::write_private(&file, address.as_bytes());
        }
    }

    /// Whether two commits went on from a common one in different ways. A remote under another
    /// address that only lags behind is a mirror; one without common history is another remote.
    pub fn have_parted(&self, known: Id, commit: Id) -> Result<bool, GitError> {
        let bases = self.merge_bases(known, commit)?;
        Ok(!bases.is_empty() && !bases.contains(&known) && !bases.contains(&commit))
    }

    /// The URL of the repository that a sealed remote lies in; `None` if the remote is plain.
    pub fn sealed_in(&self, remote: &str) -> Option<String> {
        let configured = self.config(&format!("remote.{remote}.url"));
        let url = configured.as_deref().unwrap_or(remote);
        url::unsealed(url).map(str::to_owned)
    }

    /// The remotes to which plain git pushes what anybody there can read.
    pub fn plain_remotes(&self) -> Vec<String> {
        let names = self.gix.remote_names();
        let names = names.iter().map(|name| name.to_str_lossy().into_owned());
        let pushes_in_plain = |name: &String| {
            let pushed = self.config(&format!("remote.{name}.pushurl"));
            let is_plain = pushed.is_some_and(|url| url::unsealed(&url).is_none());
            is_plain || self.sealed_in(name).is_none()
        };
        names.filter(pushes_in_plain).collect()
    }

    fn address_file(&self, remote: &str) -> PathBuf {
        let name = ContentHash::of_bytes(remote.as_bytes()).short(12);
        self.co_dir().join(format!("remote-{name}"))
    }

    /// A URL as it can be used from any folder: git reads a relative path from the work tree's
    /// root.
    pub fn seen_from_anywhere(&self, url: &str) -> String {
        if let Some(url) = url::unsealed(url) {
            return url::sealed(&self.seen_from_anywhere(url));
        }
        if url::is_url(url) {
            return url.to_owned();
        }
        paths::normal(&self.root.join(url)).display().to_string()
    }

    /// The folder of this laptop that a URL names.
    pub(super) fn local_place(&self, url: &str) -> Option<PathBuf> {
        let url = url::shown(url);
        let path = url
            .strip_prefix("file://")
            .map(|rest| rest.strip_prefix("localhost").unwrap_or(rest))
            .or_else(|| (!url::is_url(url)).then_some(url))?;
        Some(files::resolve(&self.root.join(path)))
    }

    /// A local path and its URL are one address, however they are written.
    fn address(&self, remote: &str) -> String {
        self.address_of(&self.real_url(remote).unwrap_or_default())
    }

    fn address_of(&self, url: &str) -> String {
        let url = process::without_credentials(url);
        let address = match self.local_place(&url) {
            Some(place) => place.display().to_string(),
            None => url.trim_end_matches('/').to_owned(),
        };
        ContentHash::of_bytes(address.as_bytes()).hex()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_token_is_the_same_address() {
        let folder = tempfile::tempdir().expect("a folder");
        let repo = Repo::at(gix::init(folder.path()).expect("made"), folder.path().to_owned());
        let plain = repo.address_of("https://host/me/x.git");
        for login in ["me:one@", "me:two@", "ghp_one@", "me@"] {
            assert_eq!(repo.address_of(&format!("https://{login}host/me/x.git")), plain, "{login}");
        }
        for other in ["https://host/me/y.git", "https://me:one@other/me/x.git", "git@host:x.git"] {
            assert_ne!(repo.address_of(other), plain, "{other}");
        }
    }
}
