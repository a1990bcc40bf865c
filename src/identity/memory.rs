//! One fact: a document in `knowledge/memories/`.
//!
//! Invariant: `created` is the memory's origin; editing, renaming or renumbering never changes it.
//! The content hash identifies the text.

pub use super::summary::{first_line, summary, summary_of};

use super::provenance::Provenance;
use super::{
    blob::Blob,
    calendar::{Calendar, is_whole_day},
    document::{Broken, Document},
    finding::{Code, Finding},
    hash::{ContentHash, canonical_trim},
    kind::MAX_MEMORY_BYTES,
    path::RelPath,
    stamp::{ReadStamp, Stamp},
    times::{self, Times},
    value::Value,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// The blob is known to be readable as [`MemoryMeta`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    pub path: RelPath,
    pub blob: Blob,
}

/// Cached: a change to what is read here needs a new [`MemoryMeta::EDITION`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemoryMeta {
    /// Provisional until published; `None` where the file has none.
    pub id: Option<u64>,
    pub created: Stamp,
    /// Whether `created` is written as a bare day, or as midnight in UTC.
    is_day: bool,
    pub updated: Option<Stamp>,
    pub tags: Vec<String>,
    /// Who said it: `user-told`, or an agent.
    pub source: Option<String>,
    /// The agent that wrote it, and the project in which it was learned.
    pub agent: Option<String>,
    pub project: Option<String>,
    /// At the top of lists and in every context.
    pub pinned: bool,
    pub hash: ContentHash,
    /// Whether the checksum matches the text; `None` without a readable one.
    pub checksum: Option<bool>,
    /// See [`MemoryMeta::is_sound`].
    sound: bool,
    /// Contains git's conflict markers.
    pub marked: bool,
    body_at: usize,
    /// When it holds, if it says so: few facts do.
    pub times: Option<Box<Times>>,
}

impl Deref for Memory {
    type Target = MemoryMeta;

    // Hot: each look at a field comes through here.
    #[inline]
    fn deref(&self) -> &MemoryMeta {
        self.blob.facts().expect("because a memory is only made of bytes that could be read")
    }
}

impl MemoryMeta {
    /// Version of the reader; facts cached by another version are read again.
    pub const EDITION: u32 = 10;

    pub(super) fn read(bytes: &[u8]) -> Result<MemoryMeta, Unusable> {
        let document = Document::read(bytes).map_err(Unusable::Broken)?;
        let marked = super::check::marker_line(bytes).is_some();
        Ok(MemoryMeta { marked, ..MemoryMeta::of(&document)? })
    }

    pub fn of(document: &Document) -> Result<MemoryMeta, Unusable> {
        let hash = document.hash();
        let Provenance { agent, project, .. } = Provenance::read(document);
        let (created, is_day) = created_of(document)?;
        let facts = MemoryMeta {
            id: document.get("id").and_then(read_id),
            created,
            is_day,
            updated: stamp_of(document, "updated"),
            tags: document.get("tags").and_then(Value::list).unwrap_or_default(),
            source: document.get("source").and_then(Value::text),
            agent,
            project,
            pinned: document.get("pinned").and_then(Value::truth) == Some(true),
            hash,
            checksum: document.checksum_is(hash),
            sound: false,
            marked: false,
            body_at: document.body_at(),
            times: Times::read(document).map(Box::new),
        };
        let sound = facts.are_sound_in(document);
        Ok(MemoryMeta { sound, ..facts })
    }

    fn are_sound_in(&self, document: &Document) -> bool {
        let or_absent = |key: &str, fits: fn(&Value) -> bool| document.get(key).is_none_or(fits);
        let zoned = |value: &Value| {
            value.as_text().and_then(|text| Stamp::parse(&text)).is_some_and(|read| read.zoned)
        };
        self.id.is_some()
            && self.checksum != Some(false)
            && (self.checksum.is_some() || document.get("checksum").is_none())
            && or_absent("created", zoned)
            && or_absent("updated", zoned)
            && or_absent("fetched", zoned)
            && or_absent("tags", Value::is_list)
            && or_absent("source", |source| source.as_text().is_some())
            && or_absent("pinned", |pinned| pinned.truth().is_some())
            && times::are_sound(document, self.times.as_deref())
            && !document.text().is_empty()
    }

    /// Whether every field is written as co writes it, so that a check need not look any closer.
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// Whether these bytes have text at the offset that these facts give.
    pub(super) fn fit(&self, bytes: &[u8]) -> bool {
        bytes.get(self.body_at..).is_some_and(|body| std::str::from_utf8(body).is_ok())
    }

    /// The later of `created` and `updated`.
    pub fn latest(&self) -> Stamp {
        self.updated.unwrap_or(self.created).max(self.created)
    }

    /// The day of `created`.
    pub fn day(&self, calendar: &Calendar) -> Date {
        if self.is_day { calendar.day_in_file(self.created) } else { calendar.day(self.created) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    Broken(Broken),
    NoFrontmatter,
    NoCreated,
    BadCreated(String),
}

impl Unusable {
    pub fn finding(&self, path: &RelPath) -> Finding {
        match self {
            Unusable::Broken(broken) => broken.finding(path),
            Unusable::NoFrontmatter => Finding::new(
                Code::FrontmatterMissing,
                path,
                "no frontmatter; a memory starts with `---`, `id:`, `created:`, `---`",
            )
            .at(1),
            Unusable::NoCreated => Finding::new(
                Code::FieldMissing,
                path,
                "`created` is missing; write when this was learned, e.g. 2026-11-20T09:00:00+01:00",
            )
            .at(1)
            .field("created"),
            Unusable::BadCreated(text) => Finding::new(
                Code::StampInvalid,
                path,
                format!(
                    "created: \"{text}\" is not a timestamp; write e.g. 2026-11-20T09:00:00+01:00"
                ),
            )
            .field("created"),
        }
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

/// Counting up from a mistyped id must never overflow.
pub const MAX_ID: u64 = 999_999_999;

/// An id as people write it: `12`, `"12"`, `mem-012`.
pub fn read_id(value: &Value) -> Option<u64> {
    let text = value.as_text()?;
    let digits = text.trim().strip_prefix("mem-").unwrap_or(text.trim());
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| digits.parse().ok().filter(|id| *id <= MAX_ID))?
}

/// When it was learned, and whether that is written as a day.
fn created_of(document: &Document) -> Result<(Stamp, bool), Unusable> {
    if document.front().is_none() {
        return Err(Unusable::NoFrontmatter);
    }
    let value = document.get("created").ok_or(Unusable::NoCreated)?;
    let text = value.as_text().unwrap_or_default();
    let Some(ReadStamp { stamp, .. }) = Stamp::parse(&text) else {
        return Err(Unusable::BadCreated(text.into_owned()));
    };
    Ok((stamp, is_whole_day(&text, stamp)))
}

pub fn stamp_of(document: &Document, key: &str) -> Option<Stamp> {
    Stamp::parse(&document.get(key)?.as_text()?).map(|read| read.stamp)
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
