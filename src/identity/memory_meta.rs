//! What is known of a fact beside its text, the keys that say it, and why bytes are no fact.
//!
//! Invariant: pure; the same bytes give the same. Keys about its time are in [`times`]; a key that
//! is in neither place is a person's own, and no fault. Cached: a change to what is read here needs
//! a new [`MemoryMeta::EDITION`]. Must not know: where the bytes are.

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

/// Who sets a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setter {
    /// co, once: it belongs to one file, and not to another one of the same text.
    Once,
    /// co, with every change.
    Always,
    /// A person or an agent, by a verb.
    Verb,
}

/// What a value has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Anything, or what has a check of its own.
    Any,
    Text,
    List,
    Truth,
}

/// A key of a fact's frontmatter.
#[derive(Debug)]
pub struct FactKey {
    pub name: &'static str,
    pub setter: Setter,
    shape: Shape,
}

const fn key(name: &'static str, setter: Setter, shape: Shape) -> FactKey {
    FactKey { name, setter, shape }
}

pub const TAGS: FactKey = key("tags", Setter::Verb, Shape::List);

/// Every key but those of [`times`]; what is wrong with a value is said in this order.
pub const FACT_KEYS: &[FactKey] = &[
    key("id", Setter::Once, Shape::Any),
    key("created", Setter::Once, Shape::Any),
    key("updated", Setter::Always, Shape::Any),
    key("checksum", Setter::Always, Shape::Any),
    TAGS,
    key("source", Setter::Once, Shape::Text),
    key("agent", Setter::Once, Shape::Any),
    key("session", Setter::Once, Shape::Any),
    key("project", Setter::Once, Shape::Any),
    key("agreed", Setter::Once, Shape::Any),
    key("pinned", Setter::Verb, Shape::Truth),
];

/// `None` of a key that co does not know.
pub fn setter_of(name: &str) -> Option<Setter> {
    FACT_KEYS.iter().find(|key| key.name == name).map(|key| key.setter)
}

impl FactKey {
    /// Whether it is absent, or has a value that it can have.
    fn is_sound_in(&self, document: &Document) -> bool {
        let fits = |value: &Value| match self.shape {
            Shape::Any => true,
            Shape::Text => value.as_text().is_some(),
            Shape::List => value.is_list(),
            Shape::Truth => value.truth().is_some(),
        };
        self.shape == Shape::Any || document.get(self.name).is_none_or(fits)
    }

    /// What is wrong with its value. [`MemoryMeta::is_sound`] says when nothing is.
    pub(super) fn check(&self, path: &RelPath, document: &Document) -> Option<Finding> {
        if self.is_sound_in(document) {
            return None;
        }
        let (name, shown) = (self.name, document.shown(self.name));
        let message = match self.shape {
            Shape::Any => return None,
            Shape::Text => format!("{name}: {shown} is not text"),
            Shape::List => {
                format!("{name}: {shown} is not a list; write e.g. `{name}: [python, style]`")
            }
            Shape::Truth => format!("{name}: {shown} is neither true nor false"),
        };
        let finding = Finding::new(Code::FieldType, path, message);
        Some(finding.at(document.line_of(name)).field(name))
    }
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
            && FACT_KEYS.iter().all(|key| key.is_sound_in(document))
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
