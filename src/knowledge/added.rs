//! A document that was added from a file or a page: what it says of that, and whether somebody worked
//! on it since.
//!
//! Invariant: a text that a person changed is never taken for the text of its source.

use crate::identity::{ContentHash, Document, Stamp, frontmatter::Entry, value::Value};

/// The hash of the text as it was added.
const SUM: &str = "source_checksum";
/// Where the file was, where its own frontmatter names another source.
pub const FILE: &str = "file";
/// What stands in the frontmatter of a file, but is said anew of its document.
const OWN: &[&str] = &["title", "tags", "source", "checksum", "attachment", "fetched", SUM, FILE];
/// What a person alone decides about a document: no file brings itself into every session.
const DECIDED: &[&str] = &["alwaysInclude", "searchable", "promptOrder"];

/// Notes that the text is that of its source.
pub fn mark(document: &mut Document) {
    let sum = document.hash().to_string();
    document.set(SUM, Value::Text(sum));
}

/// The text as it was added; none where nobody noted it.
pub fn sum(document: &Document) -> Option<ContentHash> {
    ContentHash::parse(&document.get(SUM)?.text()?)
}

/// Whether a document was made by adding something: its text is that of a source.
pub fn is_added(document: &Document) -> bool {
    [SUM, "attachment", "fetched"].iter().any(|key| document.get(key).is_some())
}

/// Whether the text is all there is of it, and not what was read in another program's file or a page.
pub fn is_own_text(document: &Document) -> bool {
    document.get("attachment").is_none() && document.get("fetched").is_none()
}

/// Whether the text still is that of its source. None where nobody noted what that was.
pub fn is_as_added(document: &Document) -> Option<bool> {
    Some(sum(document)? == document.hash())
}

/// Carries what the frontmatter of a file says into the new document that is made of it.
pub fn carry(own: &Document, into: &mut Document) {
    for entry in carried(own) {
        into.front_mut().remove(&entry.key);
        into.front_mut().push_raw(entry);
    }
}

/// As [`carry`], into a document that was made of it before: what stands there already may have been
/// changed since.
pub fn carry_new(own: &Document, into: &mut Document) {
    for entry in carried(own) {
        if into.get(&entry.key).is_none() {
            into.front_mut().push_raw(entry);
        }
    }
}

fn carried(own: &Document) -> Vec<Entry> {
    let entries = own.front().map_or(&[][..], |front| front.entries());
    let is_carried = |entry: &&Entry| ![OWN, DECIDED].concat().contains(&entry.key.as_str());
    entries.iter().filter(is_carried).map(sound).collect()
}

/// A stamp that co cannot read stays under another name: `file_updated: yesterday`.
fn sound(entry: &Entry) -> Entry {
    let is_stamp = ["created", "updated"].contains(&entry.key.as_str());
    let read = entry.value().text().and_then(|text| Stamp::parse(&text));
    match is_stamp && read.is_none_or(|read| !read.zoned) {
        true => entry.called(&format!("file_{}", entry.key)),
        false => entry.clone(),
    }
}
