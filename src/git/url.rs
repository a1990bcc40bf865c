//! URLs of remotes: which ones git may be given, and how its configuration names a sealed one.
//!
//! Invariant: plain git has no helper of the name of a sealed one, so that it stops before it
//! publishes anything or takes what it cannot read.

use super::{GitError, process};

const SCHEME: &str = "co-sealed::";

/// The URL of the repository that a sealed remote lies in; `None` if the remote is plain.
pub fn unsealed(url: &str) -> Option<&str> {
    url.strip_prefix(SCHEME)
}

/// The URL of a remote that is sealed in the repository of this one.
pub fn sealed(url: &str) -> String {
    format!("{SCHEME}{}", unsealed(url).unwrap_or(url))
}

/// As a person reads it: without what only git needs.
pub fn shown(url: &str) -> &str {
    unsealed(url).unwrap_or(url)
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

/// Whether a stranger's URL may be shown as a part of a command: git may be given it, it has no
/// password, and nothing in it means anything to a shell or to a terminal.
pub(super) fn is_harmless(url: &str) -> bool {
    const LONGEST: usize = 200;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:@%+=".contains(&byte);
    let names_a_place = is_url(url) || url.starts_with('/');
    names_a_place
        && url.len() <= LONGEST
        && url.bytes().all(is_plain)
        && unsealed(url).is_none()
        && sound_url(url).is_ok()
        && process::shown(url) == url
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
    fn a_url_in_a_command_has_no_password_and_drives_nothing() {
        for url in ["git@host:me/x.git", "https://host/x", "ssh://git@host:22/x", "/srv/x.git"] {
            assert!(is_harmless(url), "{url}");
        }
        for url in [
            "",
            "x",
            "-ohost:x",
            "--upload-pack=x://y",
            "ext::sh:x",
            "fd::1://",
            "co-sealed::https://host/x",
            "https://me:token@host/x",
            "https://token@host/x",
            "/srv/x.git; rm -r x",
            "/srv/$(id).git",
            "/srv/a b.git",
            "https://host/`id`",
            "https://host/\u{1b}[31m",
            "https://host/\u{202e}x",
            "https://hòst/x",
        ] {
            assert!(!is_harmless(url), "{url}");
        }
        assert!(!is_harmless(&format!("https://host/{}", "x".repeat(200))));
    }

    #[test]
    fn only_a_sealed_url_has_one_below() {
        for url in ["git@host:me/x.git", "https://host/x", "/srv/x.git", "file:///srv/x.git", ""] {
            assert_eq!(unsealed(&sealed(url)), Some(url));
            assert_eq!((unsealed(url), sealed(&sealed(url))), (None, sealed(url)));
        }
    }
}
