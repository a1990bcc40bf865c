//! The only check for incoming facts: what may be saved, and in which form.
//!
//! Invariant: whatever passes is read back as the same text and tags; save, edit and every tool
//! that writes a fact goes through here.

use super::{
    Blob, Memory, RelPath, check,
    document::Document,
    frontmatter::Entry,
    hash::canonical_trim,
    incoming,
    kind::MAX_MEMORY_BYTES,
    memory::{MemoryMeta, Unusable},
};
use crate::foreign::{Foreign, is_seen};

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejected {
    #[error("no text was given")]
    Empty,
    #[error("the text is {0} bytes; a fact has at most 1 MiB")]
    TooLong(usize),
    #[error("the text contains git's conflict markers, so sync would hold it back")]
    Markers,
    #[error("the text contains a NUL character")]
    Nul,
    #[error("the tag {0:?} contains control characters")]
    Tag(String),
    /// The file has a value that co cannot read and would overwrite.
    #[error("co cannot change `{key}: {shown}` in its file")]
    Carried { key: String, shown: String },
    #[error("the fact could not be read back")]
    Unreadable(Unusable),
}

/// Normalises a text for saving: LF, trimmed, without byte order marks.
pub fn text(typed: &str) -> Result<String, Rejected> {
    let text = body(typed)?;
    if text.len() as u64 > MAX_MEMORY_BYTES {
        return Err(Rejected::TooLong(text.len()));
    }
    Ok(text)
}

/// Like [`text`], for a document of any size.
pub fn body(typed: &str) -> Result<String, Rejected> {
    // A mark may come after blanks, and blanks after a mark.
    let start = typed.trim_start_matches(|letter| " \t\r\n\u{feff}".contains(letter));
    let text = canonical_trim(&incoming::plain(start)).to_owned();
    let is_unseen = |letter: char| letter.is_whitespace() || !is_seen(letter);
    if text.chars().all(is_unseen) {
        return Err(Rejected::Empty);
    }
    if check::marker_line(text.as_bytes()).is_some() {
        return Err(Rejected::Markers);
    }
    if text.contains('\0') {
        return Err(Rejected::Nul);
    }
    Ok(text)
}

/// Normalises tags for saving: `a,b` is two tags; blanks and duplicates are dropped.
pub fn tags(typed: &[String]) -> Result<Vec<String>, Rejected> {
    let mut clean: Vec<String> = Vec::new();
    for tag in typed.iter().flat_map(|tags| tags.split(',')).map(str::trim) {
        if !Foreign(tag).is_seen_whole() {
            return Err(Rejected::Tag(tag.to_owned()));
        }
        if !tag.is_empty() && !clean.iter().any(|known| known == tag) {
            clean.push(tag.to_owned());
        }
    }
    Ok(clean)
}

/// Refuses to change a key whose value co cannot read.
pub fn changeable(document: &Document, key: &str) -> Result<(), Rejected> {
    let entry = document.front().and_then(|front| front.entry(key));
    if entry.is_none_or(Entry::is_changeable) {
        return Ok(());
    }
    Err(Rejected::Carried { key: key.to_owned(), shown: document.shown(key) })
}

/// Whether a file that co wrote can be read back.
pub fn file(bytes: &[u8]) -> Result<(), Rejected> {
    if bytes.len() as u64 > MAX_MEMORY_BYTES {
        return Err(Rejected::TooLong(bytes.len()));
    }
    MemoryMeta::read(bytes).map(|_| ()).map_err(Rejected::Unreadable)
}

/// Whether a memory from elsewhere could have been saved here.
pub fn memory(path: &RelPath, blob: &Blob) -> Result<(), Rejected> {
    let memory = Memory::read(path, blob).map_err(Rejected::Unreadable)?;
    text(memory.text())?;
    tags(&memory.tags).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_and_what_does_not() {
        assert_eq!(text(" a\r\nb \n"), Ok("a\nb".to_owned()));
        assert_eq!(text(" \n"), Err(Rejected::Empty));
        assert_eq!(text("a\0"), Err(Rejected::Nul));
        assert_eq!(text("<<<<<<< a\n=======\n>>>>>>> b"), Err(Rejected::Markers));
        assert!(matches!(text(&"x".repeat(1 << 21)), Err(Rejected::TooLong(_))));
        let typed = ["a,b", "", "a", "c #"].map(str::to_owned);
        assert_eq!(tags(&typed), Ok(vec!["a".to_owned(), "b".into(), "c #".into()]));
        assert!(tags(&["a\nb".to_owned()]).is_err());
    }
}
