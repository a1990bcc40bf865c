//! How git's configuration names a sealed remote.
//!
//! Invariant: plain git has no helper of this name, so that it stops before it publishes anything or
//! takes what it cannot read.

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
