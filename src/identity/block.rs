//! The lines of a frontmatter block: the key of one, and what can be wrong with it.
//!
//! Invariant: only a key that a parser reads the same way is read here. Must not know: what any key
//! means.

use std::ops::Range;

/// Lines are counted from 1 within the block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not valid YAML, or not a mapping in block form.
    Invalid { line: usize, message: String },
    /// A key occurs twice; `line` is the second occurrence.
    DuplicateKey { line: usize, key: String },
    /// Larger than [`MAX_BYTES`](super::frontmatter::MAX_BYTES).
    TooLarge,
}

/// Where the key is, its text, and the rest of a line `key: rest`. Only what a parser reads the
/// same way; the key may be quoted.
pub(super) fn key_line(line: &str) -> Option<(Range<usize>, &str, &str)> {
    let line = line.trim_end_matches(['\n', '\r']);
    let (name, key, rest) = match line.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = line[1..].find(quote)? + 1;
            (0..end + 1, &line[1..end], line[end + 1..].strip_prefix(':')?)
        }
        first if first.is_alphanumeric() || first == '_' => {
            let bytes = line.as_bytes();
            let is_end = |at: &usize| bytes.get(at + 1) == Some(&b' ');
            let at = memchr::memchr_iter(b':', bytes).find(is_end);
            let at = at.or_else(|| line.strip_suffix(':').map(str::len))?;
            (0..at, &line[..at], &line[at + 1..])
        }
        _ => return None,
    };
    // A parser drops the blanks before a colon, and does not look far for it.
    let is_usual = !key.is_empty()
        && key.len() <= 256
        && key.trim_end() == key
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '));
    (is_usual && (rest.is_empty() || rest.starts_with(' '))).then_some((name, key, rest))
}
