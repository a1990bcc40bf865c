//! What is known of a fact beside its text, and why bytes are none.
//!
//! Invariant: pure; the same bytes give the same. Cached: a change to what is read here needs a new
//! [`MemoryMeta::EDITION`]. Must not know: where the bytes are.

use super::{
    calendar::{Calendar, is_whole_day},
    document::{Broken, Document},
    finding::{Code, Finding},
    hash::ContentHash,
    markers::marker_line,
    path::RelPath,
    provenance::Provenance,
    stamp::{ReadStamp, Stamp},
    times::{self, Times},
    value::Value,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

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
    pub(super) body_at: usize,
    /// When it holds, if it says so: few facts do.
    pub times: Option<Box<Times>>,
}

impl MemoryMeta {
    /// Version of the reader; facts cached by another version are read again.
    pub const EDITION: u32 = 10;

    pub(super) fn read(bytes: &[u8]) -> Result<MemoryMeta, Unusable> {
        let document = Document::read(bytes).map_err(Unusable::Broken)?;
        let marked = marker_line(bytes).is_some();
        Ok(MemoryMeta { marked, ..MemoryMeta::of(&document)? })
    }

    fn of(document: &Document) -> Result<MemoryMeta, Unusable> {
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
                "no frontmatter; the file of a fact starts with `---`, `id:`, `created:`, `---`",
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

/// Counting up from a mistyped id must never overflow.
const MAX_ID: u64 = 999_999_999;

/// An id as people write it: `12`, `"12"`, `mem-012`.
fn read_id(value: &Value) -> Option<u64> {
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
