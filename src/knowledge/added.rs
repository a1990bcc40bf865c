//! A document that was added from a file or a page: what it records about its source, and whether
//! someone edited it since.
//!
//! Invariant: text that a person changed is never taken for the text of its source.

use crate::identity::{ContentHash, Document, Stamp, frontmatter::Entry, value::Value};

/// The hash of the text of the file or page.
const SUM: &str = "source_checksum";
/// The hash of the document's text when added, if updated links made it differ from the source's.
const TEXT_SUM: &str = "text_checksum";
/// The file's location, if its own frontmatter has another source.
pub const FILE: &str = "file";
/// Keys of a file's frontmatter that are set anew for its document.
const SAID_ANEW: &[&str] = &["title", "tags", "source"];
/// Keys that co sets itself, or that only a person decides: no file adds itself to every session.
/// The file's own values are kept under other names.
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

/// Keys of a document that co reads or sets.
const KNOWN: &[&str] = &[
    "title",
    "description",
    "tags",
    "type",
    "status",
    "temporal",
    "topics",
    "entities",
    "source",
    "created",
    "updated",
    "aliases",
    "alias",
    "editable",
    "version",
    "id",
];

/// Records the source's text, and that the document's text is as it was added.
pub fn mark(document: &mut Document, source: ContentHash) {
    document.set(SUM, Value::Text(source.to_string()));
    mark_text(document);
}

/// Records that the document's text is as it was added, with updated links.
fn mark_text(document: &mut Document) {
    let hash = document.hash();
    if sum(document) == Some(hash) {
        document.front_mut().remove(TEXT_SUM)
    } else {
        document.set(TEXT_SUM, Value::Text(hash.to_string()))
    }
}

/// A document whose links were updated, with labels that hold for its new text. One that equals its
/// source is still marked as unedited.
pub fn with_links(was: &Document, text: &str) -> Option<Document> {
    let mut document = Document::read(text.as_bytes()).ok()?;
    if is_as_added(was) == Some(true) {
        mark_text(&mut document);
    }
    if document.get("checksum").is_some() {
        document.set_checksum();
    }
    Some(document)
}

/// The hash of the source's text when it was added; `None` if it was not recorded.
pub fn sum(document: &Document) -> Option<ContentHash> {
    noted(document, SUM)
}

fn noted(document: &Document, key: &str) -> Option<ContentHash> {
    ContentHash::parse(&document.get(key)?.text()?)
}

/// Whether a document was created by adding something: its text comes from a source.
pub fn is_added(document: &Document) -> bool {
    [SUM, "attachment", "fetched"].iter().any(|key| document.get(key).is_some())
}

/// Whether the text is the original, not extracted from another program's file or a page.
pub(super) fn is_own_text(document: &Document) -> bool {
    document.get("attachment").is_none() && document.get("fetched").is_none()
}

/// Whether the text is still as it was added. `None` if that was not recorded.
pub fn is_as_added(document: &Document) -> Option<bool> {
    Some(noted(document, TEXT_SUM).or_else(|| sum(document))? == document.hash())
}

fn entries(own: &Document) -> &[Entry] {
    own.front().map_or(&[][..], |front| front.entries())
}

fn to_carry(own: &Document) -> impl Iterator<Item = &Entry> {
    entries(own).iter().filter(|entry| !SAID_ANEW.contains(&entry.key.as_str()))
}

/// Copies a file's frontmatter into the new document made from it. If a person relabels the
/// document later, its own labels count.
pub fn carry(own: &Document, into: &mut Document) {
    for entry in to_carry(own) {
        let entry = sound(entry, own);
        into.front_mut().remove(&entry.key);
        into.front_mut().push_raw(entry);
    }
}

/// The values and keys of a text's own frontmatter, which a scan for secrets has to see.
pub fn values(own: &Document) -> Vec<String> {
    let of = |entry: &Entry| {
        let list = entry.value().list().unwrap_or_default();
        // The lines as well: a comment behind the value is carried with it.
        let written = [entry.key.clone(), entry.raw.clone()];
        list.into_iter().chain(entry.value().text()).chain(written).collect::<Vec<_>>()
    };
    entries(own).iter().flat_map(of).collect()
}

/// The keys of a text's own frontmatter that mean nothing to co and that its document did not have:
/// the text may have been meant to keep them.
pub fn unknown_labels(own: &Document, before: Option<&Document>) -> Vec<String> {
    let had = |key: &str| before.is_some_and(|before| before.get(key).is_some());
    let is_known = |key: &str| KNOWN.contains(&key) || RENAMED.contains(&key);
    let keys = entries(own).iter().map(|entry| entry.key.clone());
    keys.filter(|key| !is_known(key) && !had(key)).collect()
}

/// Copies a text's own labels into the document that is written from it, but none that it already
/// has: a text may be the document itself, sent back.
pub fn carry_new(own: &Document, into: &mut Document, before: Option<&Document>) {
    let had = |key: &str| before.is_some_and(|before| before.get(key).is_some());
    for entry in to_carry(own) {
        let is_stamp = ["created", "updated"].contains(&entry.key.as_str());
        let is_ours = is_stamp || RENAMED.contains(&entry.key.as_str());
        if (is_ours && before.is_some()) || had(&entry.key) || into.get(&entry.key).is_some() {
            continue;
        }
        into.front_mut().push_raw(sound(entry, own));
    }
}

/// A stamp that co cannot read is also kept under another name: `file_updated: yesterday`.
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
