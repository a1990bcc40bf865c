//! `{{secret:NAME}}`: a reference to a value in the keyring.
//!
//! Invariant: a name is safe in a file, an environment variable and a keyring; a reference never
//! contains the value.

use std::collections::BTreeSet;

const MAX_NAME: usize = 100;

/// ASCII letters, digits, `-`, `_` and `.`, starting with a letter or digit.
pub fn is_name(text: &str) -> bool {
    let fine = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_' | b'.');
    text.len() <= MAX_NAME
        && text.bytes().all(fine)
        && text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
}

/// The environment variable used in place of the keyring: `staging-token` is
/// `CO_SECRET_STAGING_TOKEN`.
pub fn variable(name: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' }
    };
    format!("CO_SECRET_{}", name.chars().map(letter).collect::<String>())
}

/// Whether there may be a reference.
pub fn occurs(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, OPEN.as_bytes()).is_some()
}

/// Line (from 1) and name of each reference.
pub fn references(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(OPEN) {
        let Some(name) = text[at + OPEN.len()..]
            .split_once(CLOSE)
            .map(|(name, _)| name.trim())
            .filter(|name| is_name(name))
        else {
            continue;
        };
        found.push((text[..at].matches('\n').count() + 1, name));
    }
    found
}

/// The names, each once.
pub fn names(bytes: &[u8]) -> Vec<String> {
    if !occurs(bytes) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(bytes);
    let names: BTreeSet<&str> = references(&text).into_iter().map(|(_, name)| name).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// The name, when the whole text is one reference.
pub fn only(text: &str) -> Option<&str> {
    text.trim().strip_prefix(OPEN)?.strip_suffix(CLOSE).map(str::trim).filter(|name| is_name(name))
}

const OPEN: &str = "{{secret:";
const CLOSE: &str = "}}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_found_by_line() {
        let text = "a {{secret:staging-token}}\n{{secret: b.c_1 }} {{secret:not ok}} {{secret:}} \
            {{secret:open\n";
        assert_eq!(references(text), vec![(1, "staging-token"), (2, "b.c_1")]);
        assert_eq!(names(text.repeat(2).as_bytes()), ["b.c_1", "staging-token"]);
        assert_eq!(names(b"\xff {{secret:x}} {{secret:}} \xff"), ["x"]);
        assert!(names(b"none {{secret").is_empty());
        assert_eq!(only(" {{secret:x}} "), Some("x"));
        assert_eq!(only("a {{secret:x}}"), None);
        assert_eq!(variable("staging-token.2"), "CO_SECRET_STAGING_TOKEN_2");
        for bad in ["", "-x", "a b", "a/b", "ä", "a\n", &"x".repeat(101)] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
