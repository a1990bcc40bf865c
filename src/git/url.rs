//! URLs of remotes: which ones git may be given, and how its configuration names a sealed one.
//!
//! Invariant: plain git has no helper of the name of a sealed one, so that it stops before it
//! publishes anything or takes what it cannot read.

use super::{GitError, process};

const SCHEME: &str = "co-sealed::";

/// The URL of the repository that a sealed remote lies in; `None` if the remote is plain.
pub fn below(url: &str) -> Option<&str> {
    url.strip_prefix(SCHEME)
}

/// The URL of a remote that is sealed in the repository of this one.
pub fn above(url: &str) -> String {
    format!("{SCHEME}{}", below(url).unwrap_or(url))
}

/// As a person reads it: without what only git needs.
pub fn shown(url: &str) -> &str {
    below(url).unwrap_or(url)
}

/// Refuses a URL that git would take for an option or a command.
pub fn sound_url(url: &str) -> Result<(), GitError> {
    let url = shown(url);
    let foreign = url.starts_with('-')
        || url.starts_with("ext::")
        || url.starts_with("fd::")
        || url.trim().is_empty()
        || url.contains(['\n', '\0']);
    if foreign { Err(GitError::BadUrl { url: process::plain(url) }) } else { Ok(()) }
}

/// Whether it contains a host (`https://…`, `git@host:path`), rather than a local folder.
pub fn is_url(text: &str) -> bool {
    let scp_like =
        text.split_once(':').is_some_and(|(host, path)| !host.contains('/') && !path.is_empty());
    text.contains("://") || scp_like
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_sealed_url_has_one_below() {
        for url in ["git@host:me/x.git", "https://host/x", "/srv/x.git", "file:///srv/x.git", ""] {
            assert_eq!(below(&above(url)), Some(url));
            assert_eq!((below(url), above(&above(url))), (None, above(url)));
        }
    }
}
