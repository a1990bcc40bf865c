//! File names of memories: `NNN-slug.md`.
//!
//! Invariant: a name made here is lower case, ASCII or letters of any script, with nothing that a
//! shell or file system trips over.

use super::{kind::MEMORIES, path::RelPath};
use crate::secrets::{self, Allowed};
use unicode_normalization::UnicodeNormalization;

const SLUG_CHARS: usize = 50;

/// `User prefers async` → `user-prefers-async`, from at most 50 characters; `memory` if empty.
pub fn slug(content: &str) -> String {
    let mut text = String::new();
    for letter in content.chars().take(SLUG_CHARS).nfc().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            text.push(letter);
        } else if !text.is_empty() && !text.ends_with('-') {
            text.push('-');
        }
    }
    let text = text.trim_end_matches('-');
    if text.is_empty() { "memory".to_owned() } else { text.to_owned() }
}

/// `001-user-prefers-async.md`
pub fn file_name(id: u64, content: &str) -> String {
    format!("{id:03}-{}.md", slug(content))
}

/// A text whose beginning looks like a secret names no file: such a file is not searched.
pub fn memory_path(id: u64, content: &str) -> RelPath {
    let path = format!("{MEMORIES}{}", file_name(id, content));
    let found = secrets::scan_file(&path, b"", &Allowed::default());
    if found.is_empty() {
        return RelPath::known(&path);
    }
    RelPath::known(&format!("{MEMORIES}{}", file_name(id, "")))
}

/// `None` if the name does not start with the old id.
pub fn renumbered(name: &str, old: u64, new: u64) -> Option<String> {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = name.split_at(digits);
    if number.parse::<u64>().ok()? != old || !rest.starts_with(['-', '.']) {
        return None;
    }
    Some(format!("{new:0width$}{rest}", width = digits.max(3)))
}

/// Adds `-{suffix}` before the extension: the name of the younger of two files that want one path.
pub fn with_suffix(path: &RelPath, suffix: &str) -> RelPath {
    match path.name().rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => {
            path.with_name(&format!("{stem}-{suffix}.{ending}"))
        }
        _ => path.with_name(&format!("{}-{suffix}", path.name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_seed() {
        assert_eq!(slug("User prefers async"), "user-prefers-async");
        assert_eq!(slug("  `uv sync` -- before: pytest!  "), "uv-sync-before-pytest");
        assert_eq!(slug("Zürich 東京"), "zürich-東京");
        assert_eq!(slug("!!!"), "memory");
        assert_eq!(slug(&"a".repeat(80)).len(), 50);
        assert_eq!(file_name(1, "User prefers async"), "001-user-prefers-async.md");
        assert_eq!(file_name(1234, "x"), "1234-x.md");
    }

    #[test]
    fn renumbering_touches_only_names_with_the_id() {
        assert_eq!(renumbered("012-x.md", 12, 45).as_deref(), Some("045-x.md"));
        assert_eq!(renumbered("00012-x.md", 12, 45).as_deref(), Some("00045-x.md"));
        assert_eq!(renumbered("12-x.md", 12, 1000).as_deref(), Some("1000-x.md"));
        assert_eq!(renumbered("013-x.md", 12, 45), None);
        assert_eq!(renumbered("notes.md", 12, 45), None);
        assert_eq!(renumbered("12th-floor.md", 12, 45), None);
    }
}
