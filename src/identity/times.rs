//! When a fact holds: the keys `valid_from`, `valid_until`, `stale_after`, `verified` and
//! `supersedes` of a memory.
//!
//! Invariant: all of them are optional, and change neither the text of a fact nor its hash. A value
//! that cannot be read counts as absent, and `check` names it. What is read here is cached: a
//! change needs a new edition of [`MemoryMeta`](super::memory::MemoryMeta). Must not know: the
//! current time, other facts.

use super::{
    calendar::{self, Calendar},
    document::Document,
    finding::{Code, Finding},
    hash::ContentHash,
    path::RelPath,
    stamp::Stamp,
    value::Value,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::fmt;

/// From when a fact holds; absent: always.
pub const VALID_FROM: &str = "valid_from";
/// Until when it holds, the last day included.
pub const VALID_UNTIL: &str = "valid_until";
/// After which it should be checked.
pub const STALE_AFTER: &str = "stale_after";
/// When somebody last said that it still holds.
pub const VERIFIED: &str = "verified";
/// The content hashes of the facts that it replaces.
pub const SUPERSEDES: &str = "supersedes";

/// The keys that are a day or a stamp.
pub const BOUNDS: [&str; 4] = [VALID_FROM, VALID_UNTIL, STALE_AFTER, VERIFIED];

/// A day or a moment, as it is written in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Bound {
    /// A whole day where the person lives, as its midnight in UTC.
    Day(Stamp),
    At(Stamp),
}

impl Bound {
    /// Reads `2026-02-14`, or a stamp in any form that a file may have.
    pub fn parse(text: &str) -> Option<Bound> {
        const DAY: usize = "2026-02-14".len();
        let stamp = Stamp::parse(text)?.stamp;
        Some(if text.trim().len() == DAY { Bound::Day(stamp) } else { Bound::At(stamp) })
    }

    /// `None` of a day that no stamp has.
    pub fn of_day(day: Date) -> Option<Bound> {
        Calendar::default().start_of(day).map(Bound::Day)
    }

    pub fn of_value(value: &Value) -> Option<Bound> {
        Bound::parse(&value.as_text()?)
    }

    /// The bound that a document has under this key.
    pub fn read(document: &Document, key: &str) -> Option<Bound> {
        Bound::of_value(document.get(key)?)
    }

    /// Its first moment.
    pub fn start(self, calendar: &Calendar) -> Stamp {
        match self {
            Bound::At(at) => at,
            Bound::Day(midnight) => calendar.start_of(self.day(calendar)).unwrap_or(midnight),
        }
    }

    /// Its last moment.
    pub fn end(self, calendar: &Calendar) -> Stamp {
        match self {
            Bound::At(at) => at,
            Bound::Day(midnight) => calendar.end_of(self.day(calendar)).unwrap_or(midnight),
        }
    }

    pub fn day(self, calendar: &Calendar) -> Date {
        match self {
            Bound::At(at) => calendar.day(at),
            Bound::Day(midnight) => Calendar::default().day(midnight),
        }
    }

    /// As a person reads it: `14 Feb 2026`, or the minute.
    pub fn words(self, calendar: &Calendar) -> String {
        match self {
            Bound::Day(_) => self.day(calendar).strftime("%-d %b %Y").to_string(),
            Bound::At(at) => calendar.minute(at),
        }
    }
}

/// As co writes it into a file.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::At(at) => f.write_str(&at.with_offset()),
            Bound::Day(_) => f.write_str(&calendar::text_of(self.day(&Calendar::default()))),
        }
    }
}

/// What a fact says of its time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    pub valid_from: Option<Bound>,
    pub valid_until: Option<Bound>,
    pub stale_after: Option<Bound>,
    pub verified: Option<Bound>,
    /// Sorted, each once.
    pub supersedes: Vec<ContentHash>,
}

impl Times {
    /// `None` if it says nothing, as most facts do.
    pub fn read(document: &Document) -> Option<Times> {
        let [valid_from, valid_until, stale_after, verified] =
            BOUNDS.map(|key| Bound::read(document, key));
        let supersedes = document.get(SUPERSEDES).map(hashes).unwrap_or_default();
        let times = Times { valid_from, valid_until, stale_after, verified, supersedes };
        (times != Times::default()).then_some(times)
    }

    /// The keys as `--json` has them.
    pub fn shown(&self) -> TimesShown {
        let text = |bound: Option<Bound>| bound.map(|bound| bound.to_string());
        TimesShown {
            valid_from: text(self.valid_from),
            valid_until: text(self.valid_until),
            stale_after: text(self.stale_after),
            verified: text(self.verified),
            supersedes: self.supersedes.iter().map(ContentHash::to_string).collect(),
        }
    }
}

/// [`Times`] as programs get them: only the keys that a fact has.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TimesShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<String>,
}

/// The hashes in a list; items that are none are left out.
fn hashes(value: &Value) -> Vec<ContentHash> {
    let items = value.list().unwrap_or_default();
    let mut hashes: Vec<ContentHash> =
        items.iter().filter_map(|item| ContentHash::parse(item)).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Writes the hashes that a fact replaces; items that are no hashes stay in the list.
pub fn set_superseded(document: &mut Document, hashes: &[ContentHash]) {
    let kept = document.get(SUPERSEDES).and_then(Value::list).unwrap_or_default();
    let strange = kept.into_iter().filter(|item| ContentHash::parse(item).is_none());
    let items = hashes.iter().map(ContentHash::to_string).chain(strange).collect();
    document.set(SUPERSEDES, Value::List(items));
}

/// Whether each of the keys is absent, or written as co writes it.
pub(super) fn are_sound(document: &Document, times: Option<&Times>) -> bool {
    let is_sound = |key: &str| {
        given(document, key)
            .is_none_or(|value| value.as_text().and_then(|text| bound_of_co(&text)).is_some())
    };
    let in_order = || times.is_none_or(|times| !ends_too_early(times));
    BOUNDS.iter().all(|key| is_sound(key))
        && document.get(SUPERSEDES).is_none_or(are_hashes)
        && in_order()
}

/// The value of a key; one that is left empty says nothing.
fn given<'a>(document: &'a Document, key: &str) -> Option<&'a Value> {
    document.get(key).filter(|value| **value != Value::Null)
}

/// A bound that says which moment or day it is; a moment without a zone does not.
fn bound_of_co(text: &str) -> Option<Bound> {
    let bound = Bound::parse(text)?;
    let is_zoned = || Stamp::parse(text).is_some_and(|read| read.zoned);
    (matches!(bound, Bound::Day(_)) || is_zoned()).then_some(bound)
}

fn are_hashes(value: &Value) -> bool {
    value.list().is_some_and(|items| items.iter().all(|item| ContentHash::parse(item).is_some()))
}

/// In no zone does it hold for a moment. Of a day and a moment, only a person's zone says which
/// comes first where they are near.
fn ends_too_early(times: &Times) -> bool {
    let (Some(from), Some(until)) = (times.valid_from, times.valid_until) else { return false };
    let utc = Calendar::default();
    match (from, until) {
        (Bound::Day(_), Bound::Day(_)) | (Bound::At(_), Bound::At(_)) => {
            until.end(&utc) < from.start(&utc)
        }
        (from, until) => until.end(&utc) < from.start(&utc).plus(-FARTHEST_ZONE),
    }
}

/// No zone is farther from UTC than this, in microseconds.
const FARTHEST_ZONE: i64 = 15 * 3_600 * Stamp::SECOND;

/// What is wrong with the keys of one fact. [`are_sound`] says when nothing is.
pub(super) fn check(path: &RelPath, document: &Document) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        BOUNDS.iter().filter_map(|key| check_bound(path, document, key)).collect();
    let at = |code: Code, key: &str, message: String| {
        Finding::new(code, path, message).at(document.line_of(key)).field(key)
    };
    if let Some(times) = Times::read(document).filter(ends_too_early) {
        let [from, until] = [times.valid_from, times.valid_until]
            .map(|bound| bound.map_or_else(String::new, |bound| bound.to_string()));
        let message = format!("{VALID_UNTIL}: {until} is before {VALID_FROM}: {from}");
        findings.push(at(Code::EndsTooEarly, VALID_UNTIL, message));
    }
    if document.get(SUPERSEDES).is_some_and(|value| !are_hashes(value)) {
        let message = format!(
            "{SUPERSEDES}: {} is not a list of content hashes; write e.g. `{SUPERSEDES}: \
             [sha256:…]` with the hash that `co show --json` prints",
            document.shown(SUPERSEDES)
        );
        findings.push(at(Code::FieldType, SUPERSEDES, message));
    }
    findings
}

fn check_bound(path: &RelPath, document: &Document, key: &str) -> Option<Finding> {
    let value = given(document, key)?;
    let text = value.text().unwrap_or_else(|| document.shown(key));
    let (code, message) = match Bound::of_value(value) {
        None => (
            Code::StampInvalid,
            format!(
                "{key}: \"{text}\" is neither a day nor a timestamp; write e.g. 2026-11-20 or \
                 2026-11-20T09:00:00+01:00"
            ),
        ),
        Some(Bound::At(at)) if bound_of_co(&text).is_none() => (
            Code::StampNoZone,
            format!(
                "{key}: {text} has no time zone and is read as UTC; write {}",
                at.with_offset()
            ),
        ),
        Some(_) => return None,
    };
    Some(Finding::new(code, path, message).at(document.line_of(key)).field(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::{self, TimeZone};

    fn document(front: &str) -> Document {
        Document::read(format!("---\n{front}---\n\nText.\n").as_bytes()).expect("readable")
    }

    fn hash(text: &str) -> ContentHash {
        ContentHash::of_body(text)
    }

    #[test]
    fn keys_are_read_as_people_write_them() {
        assert_eq!(Times::read(&document("id: 1\n")), None);
        assert_eq!(Times::read(&document("valid_until: soon\nsupersedes: []\n")), None);
        let (a, b) = (hash("a"), hash("b"));
        let text = format!(
            "valid_from: 2026-02-14\nvalid_until: \"2028-02-29\"\nstale_after: 2026-02-14 \
             17:00\nverified: 2026-02-14T17:00:00+01:00\nsupersedes: [{b}, x, {}, {b}]\n",
            a.hex()
        );
        let times = Times::read(&document(&text)).expect("times");
        let stamp = |text: &str| Stamp::parse(text).expect("a stamp").stamp;
        assert_eq!(times.valid_from, Some(Bound::Day(stamp("2026-02-14"))));
        assert_eq!(times.valid_until, Some(Bound::Day(stamp("2028-02-29"))));
        assert_eq!(times.stale_after, Some(Bound::At(stamp("2026-02-14T17:00:00Z"))));
        assert_eq!(times.verified, Some(Bound::At(stamp("2026-02-14T16:00:00Z"))));
        let mut both = vec![a, b];
        both.sort_unstable();
        assert_eq!(times.supersedes, both);
        // A single hash is a list of one.
        let one = Times::read(&document(&format!("supersedes: {a}\n"))).expect("times");
        assert_eq!(one.supersedes, [a]);
    }

    #[test]
    fn a_day_ends_where_the_person_lives() {
        let hours = |hours: i8| Calendar::in_zone(TimeZone::fixed(tz::offset(hours)));
        let day = Bound::parse("2028-02-29").expect("a leap day");
        for (zone, start, end) in [
            (hours(0), "2028-02-29T00:00:00Z", "2028-02-29T23:59:59.999999Z"),
            (hours(-8), "2028-02-29T08:00:00Z", "2028-03-01T07:59:59.999999Z"),
            (hours(14), "2028-02-28T10:00:00Z", "2028-02-29T09:59:59.999999Z"),
        ] {
            assert_eq!(day.start(&zone).to_string(), start);
            assert_eq!(day.end(&zone).to_string(), end);
            assert_eq!(day.to_string(), "2028-02-29");
        }
        let moment = Bound::parse("2026-02-14T00:00:00Z").expect("a moment");
        assert_eq!(moment.start(&hours(-8)), moment.end(&hours(14)));
        assert_eq!(Bound::parse("2026-02-30"), None);
        assert_eq!(Bound::parse("2027-02-29"), None);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let found = |front: &str| -> Vec<(&str, String)> {
            let document = document(front);
            let findings = check(&RelPath::known("knowledge/memories/1.md"), &document);
            let is_sound = are_sound(&document, Times::read(&document).as_ref());
            assert_eq!(is_sound, findings.is_empty(), "{front}: {findings:?}");
            let named = |finding: Finding| (finding.code.as_str(), finding.field.expect("a key"));
            findings.into_iter().map(named).collect()
        };
        for sound in [
            "id: 1\n",
            "valid_from: 2026-02-14\nvalid_until: 2026-02-14\n",
            "valid_from: 2026-02-14T23:00:00Z\nvalid_until: 2026-02-14\n",
            "valid_from: 2026-02-15\nvalid_until: 2026-02-14T20:00:00Z\n",
            "verified: 2026-02-14T09:00:00Z\nstale_after: 2028-02-29\n",
            "supersedes: []\n",
            "supersedes:\nvalid_until:\n",
        ] {
            assert_eq!(found(sound), [], "{sound}");
        }
        for (front, code, key) in [
            ("valid_until: soon\n", "stamp-invalid", VALID_UNTIL),
            ("valid_from: 2027-02-29\n", "stamp-invalid", VALID_FROM),
            ("verified: [2026-02-14]\n", "stamp-invalid", VERIFIED),
            ("stale_after: 2026-02-14 17:00:00\n", "stamp-no-zone", STALE_AFTER),
            ("valid_from: 2026-02-14\nvalid_until: 2026-02-13\n", "ends-too-early", VALID_UNTIL),
            ("supersedes: [31]\n", "field-type", SUPERSEDES),
            ("supersedes: {a: 1}\n", "field-type", SUPERSEDES),
        ] {
            assert_eq!(found(front), [(code, key.to_owned())], "{front}");
        }
    }
}
