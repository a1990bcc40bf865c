//! A document that was added from a file or a page: what it says of that, and whether somebody worked
//! on it since.
//!
//! Invariant: a text that a person changed is never taken for the text of its source.

use crate::identity::{ContentHash, Document, Stamp, frontmatter::Entry, value::Value};

/// The hash of the text of the file or page.
const SUM: &str = "source_checksum";
/// The hash of the document's text as it was added, where its links follow and it is another.
const TEXT_SUM: &str = "text_checksum";
/// Where the file was, where its own frontmatter names another source.
pub const FILE: &str = "file";
/// What stands in the frontmatter of a file, but is said anew of its document.
const SAID_ANEW: &[&str] = &["title", "tags", "source"];
/// What co says of a document with these names, and what a person alone decides about it: no file brings
/// itself into every session. What the file has there stays under another name.
const RENAMED: &[&str] = &[
    "checksum",
    "attachment",
    "fetched",
    SUM,
    TEXT_SUM,
    FILE,
    "alwaysInclude",
    "searchable",
    "promptOrder",
];

/// Notes the text of the source, and that the document's text is as it was added.
pub fn mark(document: &mut Document, source: ContentHash) {
    document.set(SUM, Value::Text(source.to_string()));
    mark_text(document);
}

/// Notes that the document's text is as it was added, with other links.
pub fn mark_text(document: &mut Document) {
    let hash = document.hash();
    if sum(document) == Some(hash) {
        document.front_mut().remove(TEXT_SUM)
    } else {
        document.set(TEXT_SUM, Value::Text(hash.to_string()))
    }
}

/// The text of the source when it was added; none where nobody noted it.
pub fn sum(document: &Document) -> Option<ContentHash> {
    noted(document, SUM)
}

fn noted(document: &Document, key: &str) -> Option<ContentHash> {
    ContentHash::parse(&document.get(key)?.text()?)
}

/// Whether a document was made by adding something: its text is that of a source.
pub fn is_added(document: &Document) -> bool {
    [SUM, "attachment", "fetched"].iter().any(|key| document.get(key).is_some())
}

/// Whether the text is all there is of it, and not what was read in another program's file or a page.
pub fn is_own_text(document: &Document) -> bool {
    document.get("attachment").is_none() && document.get("fetched").is_none()
}

/// Whether the text still is as it was added. None where nobody noted what that was.
pub fn is_as_added(document: &Document) -> Option<bool> {
    Some(noted(document, TEXT_SUM).or_else(|| sum(document))? == document.hash())
}

/// Carries what the frontmatter of a file says into the new document that is made of it. Later a person
/// may have labelled the document otherwise: then its own labels count.
pub fn carry(own: &Document, into: &mut Document) {
    let entries = own.front().map_or(&[][..], |front| front.entries());
    for entry in entries.iter().filter(|entry| !SAID_ANEW.contains(&entry.key.as_str())) {
        let entry = sound(entry, own);
        into.front_mut().remove(&entry.key);
        into.front_mut().push_raw(entry);
    }
}

/// Also a stamp that co cannot read stays under another name: `file_updated: yesterday`.
fn sound(entry: &Entry, own: &Document) -> Entry {
    let is_stamp = ["created", "updated"].contains(&entry.key.as_str());
    let read = entry.value().text().and_then(|text| Stamp::parse(&text));
    let is_unreadable = is_stamp && read.is_none_or(|read| !read.zoned);
    if !is_unreadable && !RENAMED.contains(&entry.key.as_str()) {
        return entry.clone();
    }
    let mut key = format!("file_{}", entry.key);
    while own.get(&key).is_some() {
        key = format!("file_{key}");
    }
    entry.called(&key)
}
