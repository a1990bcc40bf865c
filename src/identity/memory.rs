//! One fact: a document in `knowledge/memories/`.
//!
//! Invariant: `created` is the memory's origin; editing, renaming or renumbering never changes it.
//! The content hash identifies the text.

pub use super::memory_meta::{FACT_KEYS, MemoryMeta, Setter, TAGS, Unusable, setter_of, stamp_of};
pub use super::summary::{first_line, summary, summary_of};

use super::{
    blob::Blob,
    document::{Broken, Document},
    hash::{ContentHash, canonical_trim},
    kind::MAX_MEMORY_BYTES,
    path::RelPath,
    stamp::Stamp,
    value::Value,
};
use std::ops::Deref;

/// The blob is known to be readable as [`MemoryMeta`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    pub path: RelPath,
    pub blob: Blob,
}

impl Deref for Memory {
    type Target = MemoryMeta;

    // Hot: each look at a field comes through here.
    #[inline]
    fn deref(&self) -> &MemoryMeta {
        self.blob.facts().expect("because a memory is only made of bytes that could be read")
    }
}

impl Memory {
    pub fn read(path: &RelPath, blob: &Blob) -> Result<Memory, Unusable> {
        if blob.size() > MAX_MEMORY_BYTES {
            return Err(Unusable::Broken(Broken::TooLarge));
        }
        match blob.facts() {
            Ok(_) => Ok(Memory { path: path.clone(), blob: blob.clone() }),
            Err(unusable) => Err(unusable.clone()),
        }
    }

    /// `None` when the document has no origin.
    pub fn of_document(path: RelPath, document: &Document) -> Option<Memory> {
        let blob = Blob::from(document.write());
        blob.facts().is_ok().then(|| Memory { path, blob: blob.clone() })
    }

    pub fn document(&self) -> Document {
        Document::read(&self.blob).expect("because this memory was read from the same bytes")
    }

    pub fn text(&self) -> &str {
        // A store may have lost the bytes; its caller finds out.
        let body = std::str::from_utf8(self.blob.get(self.body_at..).unwrap_or_default());
        canonical_trim(body.expect("because this memory was read from the same bytes"))
    }

    /// Returns the memory unchanged if the edit would make it unreadable (too much frontmatter).
    pub fn edited(&self, edit: impl FnOnce(&mut Document)) -> Memory {
        let mut document = self.document();
        edit(&mut document);
        Memory::of_document(self.path.clone(), &document).unwrap_or_else(|| self.clone())
    }

    pub fn stamped(&self, updated: Stamp) -> Memory {
        self.edited(|document| document.set("updated", Value::Text(updated.with_offset())))
    }

    /// Also renames the file if its name contains the number.
    pub fn renumbered(&self, id: u64) -> Memory {
        let number = i64::try_from(id).unwrap_or(i64::MAX);
        let mut memory = self.edited(|document| document.set("id", Value::Int(number)));
        let name = self.id.and_then(|old| super::slug::renumbered(self.path.name(), old, id));
        if let Some(name) = name {
            memory.path = self.path.with_name(&name);
        }
        memory
    }

    pub fn summary(&self) -> String {
        summary(self.text())
    }

    /// `created` as it is written in the file: it may be a bare day.
    pub fn created_text(&self) -> String {
        self.document().get("created").and_then(Value::text).unwrap_or_default()
    }

    pub fn first_line(&self) -> String {
        first_line(self.text())
    }
}

pub fn new_file(id: u64, created: Stamp, tags: &[String], source: &str, content: &str) -> String {
    new(id, created, tags, source, content).write()
}

pub fn new(id: u64, created: Stamp, tags: &[String], source: &str, content: &str) -> Document {
    let content = canonical_trim(content);
    let mut document = Document::new(&format!("\n{content}\n"));
    document.set("id", Value::Int(i64::try_from(id).unwrap_or(i64::MAX)));
    document.set("created", Value::Text(created.with_offset()));
    document.set("tags", Value::List(tags.to_vec()));
    document.set("source", Value::Text(source.to_owned()));
    document.set("checksum", Value::Text(ContentHash::of_body(content).to_string()));
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Memory, Unusable> {
        Memory::read(&RelPath::known("knowledge/memories/012-x.md"), &text.into())
    }

    #[test]
    fn tolerant_of_what_people_write() {
        let memory = read(
            "\u{feff}---\r\nid: mem-001\r\ncreated: 2026-02-09 14:30:00\r\ntags: a, \
            b\r\n---\r\n\r\nText.\r\n",
        )
        .expect("readable");
        assert_eq!(
            (memory.id, memory.tags.as_slice()),
            (Some(1), ["a".to_owned(), "b".to_owned()].as_slice())
        );
        assert_eq!(memory.hash, ContentHash::of_body("Text."));
        assert_eq!(
            read("---\nid: \"930\"\ncreated: 2026-02-09\n---\n").expect("readable").id,
            Some(930)
        );
        assert_eq!(read("no front"), Err(Unusable::NoFrontmatter));
        assert_eq!(read("---\nid: 1\n---\n"), Err(Unusable::NoCreated));
        assert!(matches!(
            read("---\nid: 1\ncreated: yesterday\n---\n"),
            Err(Unusable::BadCreated(_))
        ));
    }

    #[test]
    fn a_new_file_has_the_shape_of_the_seed() {
        let text = new_file(
            1,
            Stamp::parse("2026-02-10T09:00:00Z").expect("stamp").stamp,
            &["python".into()],
            "user-told",
            "  User prefers async ",
        );
        assert_eq!(
            text,
            format!(
                "---\nid: 1\ncreated: 2026-02-10T09:00:00+00:00\ntags: [python]\nsource: \
                 user-told\nchecksum: {}\n---\n\nUser prefers async\n",
                ContentHash::of_body("User prefers async")
            )
        );
    }

    #[test]
    fn renumbering_moves_the_file_that_names_its_number() {
        let memory = read("---\nid: 12\ncreated: 2026-02-09T14:30:00Z\n---\n\nText.\n")
            .expect("readable")
            .renumbered(48);
        assert_eq!((memory.id, memory.path.as_str()), (Some(48), "knowledge/memories/048-x.md"));
        assert_eq!(memory.summary(), "Text.");
    }
}
