//! Exports: lists of entries in JSON, one value or one object per line.
//!
//! Invariant: an entry that cannot be read is left out, and the others are read. One entry is held
//! as values at a time, and none that is too large. What its program marks as deleted, archived,
//! replaced, switched off or expiring is left out. Source: mem0's OpenAPI description.

use super::{Place, Proposal, Reading, Reason, Unreadable, services, stamp};
use crate::identity::Stamp;
use serde::{
    Deserializer as _,
    de::{SeqAccess, Visitor},
};
use serde_json::{Deserializer, Map, Value, value::RawValue};
use std::{collections::BTreeMap, fmt};

/// The largest entry in MiB; as values, it takes up to forty times as much.
const MAX_ENTRY: usize = 16;
/// Keys of an entry's text.
const TEXTS: &[&str] = &["memory", "content", "text"];
/// Words for an entry that no longer holds.
const ENDED: &[&str] = &[
    "deleted",
    "archived",
    "paused",
    "disabled",
    "inactive",
    "expired",
    "superseded",
    "replaced",
    "removed",
    "forgotten",
    "trashed",
    "obsolete",
    "rejected",
];
/// Keys whose truth, or whose date or other entry, ends an entry.
const ENDS: &[&str] = &[
    "deleted",
    "is_deleted",
    "deleted_at",
    "archived",
    "is_archived",
    "archived_at",
    "disabled",
    "replaced_by",
    "superseded_by",
    "expired_at",
];
/// Keys of the date until which an entry holds, past or to come.
const UNTIL: &[&str] = &["expiration_date", "expires_at", "invalid_at"];

/// Keys that contain a list of entries.
const LISTS: &[&str] = &["results", "memories", "items"];

pub(super) fn read(text: &str) -> Result<Reading, Unreadable> {
    let text = text.trim();
    let parts: serde_json::Result<BTreeMap<String, &RawValue>> =
        if text.starts_with('{') { serde_json::from_str(text) } else { Ok(BTreeMap::new()) };
    let mut parts = parts.map_err(|error| broken(&error))?;
    let is_list = |key: &&&str| parts.get(**key).is_some_and(|raw| raw.get().starts_with('['));
    let listed = LISTS.iter().find(is_list).and_then(|key| parts.remove(*key));
    let list = listed.map_or(text, RawValue::get);
    let mut found = Entries::default();
    if list.starts_with('[') {
        let mut json = Deserializer::from_str(list);
        json.deserialize_seq(&mut found).map_err(|error| broken(&error))?;
        json.end().map_err(|error| broken(&error))?;
    } else {
        let whole: &RawValue = serde_json::from_str(text).map_err(|error| broken(&error))?;
        found.entry(whole.get(), Place::Entry(1));
    }
    if listed.is_some() {
        parts.iter().for_each(|(key, raw)| beside(key, raw.get(), &mut found.reading));
    }
    found.reading()
}

/// What is beside the list of entries: the relations of mem0's graph, and anything else that
/// is more than a number.
fn beside(key: &str, json: &str, reading: &mut Reading) {
    if json.len() > MAX_ENTRY * 1024 * 1024 {
        return reading.leave(Place::Entry(1), key, Reason::OtherPart);
    }
    let values = match serde_json::from_str(json) {
        Ok(Value::Array(values)) => values,
        Ok(Value::Object(fields)) if !fields.is_empty() => vec![Value::Object(fields)],
        _ => Vec::new(),
    };
    for (at, value) in values.iter().enumerate() {
        let (text, reason) = match key {
            "relations" => (relation(value), Reason::Graph),
            _ => (format!("{key}: {value}"), Reason::OtherPart),
        };
        reading.leave(Place::Entry(at + 1), &text, reason);
    }
}

/// `ada works_at acme`
fn relation(value: &Value) -> String {
    let said = |keys: &[&str]| keys.iter().find_map(|key| value.get(*key)?.as_str());
    let parts =
        [said(&["source"]), said(&["relationship", "relation"]), said(&["target", "destination"])];
    let parts: Option<Vec<&str>> = parts.into_iter().collect();
    parts.map_or_else(|| value.to_string(), |parts| parts.join(" "))
}

fn broken(error: &serde_json::Error) -> Unreadable {
    Unreadable::Json(error.to_string())
}

/// Reads one entry of a list after the other.
impl<'de> Visitor<'de> for &mut Entries {
    type Value = ();

    fn expecting(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str("a list of entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut at = 0;
        while let Some(raw) = list.next_element::<&'de RawValue>()? {
            at += 1;
            self.entry(raw.get(), Place::Entry(at));
        }
        Ok(())
    }
}

/// One entry per line.
pub(super) fn records(text: &str) -> Result<Reading, Unreadable> {
    let mut found = Entries::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        found.entry(line.trim(), Place::Lines(at + 1, at + 1));
    }
    found.reading()
}

#[derive(Default)]
struct Entries {
    reading: Reading,
    /// How many entries are of a program that co knows.
    known: usize,
    conversations: usize,
    /// How many are too large to be read.
    large: usize,
}

impl Entries {
    fn entry(&mut self, json: &str, place: Place) {
        if json.len() > MAX_ENTRY * 1024 * 1024 {
            self.large += 1;
            return self.broken("", place, format!("it is larger than {MAX_ENTRY} MiB"));
        }
        let fields = match serde_json::from_str(json) {
            Ok(Value::Object(fields)) => fields,
            Ok(Value::Null) => return self.broken(json, place, "it is null"),
            Ok(_) => return self.broken(json, place, "it is not an object"),
            Err(error) => return self.broken(json, place, error.to_string()),
        };
        self.known += 1;
        self.of_program(&fields, json, place);
    }

    fn of_program(&mut self, fields: &Map<String, Value>, json: &str, place: Place) {
        match () {
            () if fields.contains_key("mapping") || fields.contains_key("chat_messages") => {
                self.conversations += 1;
                services::conversation(fields, place, &mut self.reading);
            }
            () if services::is_claudes(fields) => {
                services::claude(fields, place, &mut self.reading);
            }
            () if services::is_activity(fields) => {
                services::activity(fields, place, &mut self.reading);
            }
            () => match text_of(fields) {
                Some(text) => memory(fields, text, place, &mut self.reading),
                None => {
                    self.known -= 1;
                    self.broken(json, place, "it has no text");
                }
            },
        }
    }

    fn broken(&mut self, json: &str, place: Place, why: impl Into<String>) {
        self.reading.leave(place, json, Reason::Broken(why.into()));
    }

    fn reading(mut self) -> Result<Reading, Unreadable> {
        match (self.known, self.large) {
            (0, 0) => return Err(Unreadable::Export),
            (0, _) => return Err(Unreadable::LargeEntries(MAX_ENTRY)),
            _ => {}
        }
        if self.conversations > 0 && self.reading.proposals.is_empty() {
            let text = format!("{} conversations", self.conversations);
            self.reading.leave(Place::Entry(1), &text, Reason::NothingSaved);
        }
        Ok(self.reading)
    }
}

/// A message has a text as well, and is no memory.
fn text_of(fields: &Map<String, Value>) -> Option<&str> {
    let text = TEXTS.iter().find_map(|key| fields.get(*key)?.as_str())?;
    (!fields.contains_key("role")).then_some(text)
}

/// mem0's memories, and lists in a similar form: `[{"id", "memory", "created_at", …}]`.
fn memory(fields: &Map<String, Value>, text: &str, place: Place, reading: &mut Reading) {
    if let Some(why) = ended(fields) {
        return reading.leave(place, text, why);
    }
    let tags = ["categories", "tags"].iter().find_map(|key| fields.get(*key)?.as_array());
    let tags = tags.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let at =
        ["created_at", "createdAt", "timestamp"].iter().find_map(|key| time(fields.get(*key)?));
    reading.propose(Proposal { tags, at, ..Proposal::fact(text, place) });
}

/// The part of an entry that says that it no longer holds, or holds only for a time.
fn ended(fields: &Map<String, Value>) -> Option<Reason> {
    let word = |key: &&str| {
        let value = fields.get(*key)?.as_str()?;
        ENDED.contains(&value.to_lowercase().as_str()).then(|| format!("{key}: {value}"))
    };
    let off = |key: &&str| {
        (fields.get(*key) == Some(&Value::Bool(false))).then(|| format!("{key}: false"))
    };
    let end = |key: &&str| match fields.get(*key)? {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(format!("{key}: {text}")),
        value => Some(format!("{key}: {value}")),
    };
    let words = ["state", "status"].iter().find_map(word);
    let words = words.or_else(|| ["enabled", "active", "is_active"].iter().find_map(off));
    let ended = words.or_else(|| ENDS.iter().find_map(end)).map(Reason::Ended);
    ended.or_else(|| UNTIL.iter().find_map(end).map(Reason::Expires))
}

/// A date, or seconds or milliseconds since 1970.
pub(super) fn time(value: &Value) -> Option<Stamp> {
    const LATEST_SECOND: f64 = 1e11;
    if let Some(text) = value.as_str() {
        return stamp(text);
    }
    let number = value.as_f64()?;
    let seconds = if number > LATEST_SECOND { number / 1e3 } else { number };
    Some(Stamp::from_micros((seconds * 1e6) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(json: &str) -> Vec<String> {
        read(json).expect("an export").proposals.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn each_program_is_read() {
        assert_eq!(
            texts(
                r#"{"results":[{"id":"1","memory":"Likes tea","categories":["food"]},{"id":"2","memory":"Old","replaced_by":"1"}]}"#
            ),
            ["Likes tea"]
        );
        assert_eq!(
            texts(
                r#"[{"conversations_memory":"**Work**\n\n- Writes Rust at work\n","project_memories":{"x":"- Uses uv there"}}]"#
            ),
            ["Writes Rust at work", "Uses uv there"]
        );
        assert_eq!(
            texts(
                r#"[{"title":"x","mapping":{"a":{"message":{"author":{"role":"assistant"},"recipient":"bio","create_time":1767225600.0,"content":{"parts":["User prefers Python."]}}},"b":{"message":null},"c":{"message":{"recipient":"all","content":{"parts":["no"]}}}}}]"#
            ),
            ["User prefers Python."]
        );
        assert_eq!(
            texts(
                r#"[{"header":"Gemini Apps","title":"Prompted Remember that I drink tea","time":"2026-01-02T03:04:05Z"},{"header":"Gemini Apps","title":"Prompted what is tea"}]"#
            ),
            ["I drink tea"]
        );
    }

    #[test]
    fn one_entry_is_one_entry() {
        let found = read(
            r#"[null,{"memory":"A b","state":"deleted"},{"memory":"Use tabs","state":"active"},7,{"id":1},{"content":"x y","is_archived":true}]"#,
        );
        let found = found.expect("an export");
        assert_eq!(found.proposals.len(), 1);
        let reasons: Vec<String> = found.left.iter().map(|left| left.reason.to_string()).collect();
        assert_eq!(
            found.left.iter().map(|left| left.place).collect::<Vec<_>>(),
            [Place::Entry(1), Place::Entry(2), Place::Entry(4), Place::Entry(5), Place::Entry(6),]
        );
        assert!(reasons[0].contains("null") && reasons[1].contains("state: deleted"));
    }

    #[test]
    fn an_end_to_come_is_none_yet() {
        for (end, why) in [
            ("\"expiration_date\":\"2030-01-01\"", "expiration_date: 2030-01-01"),
            ("\"expires_at\":1893456000", "expires_at: 1893456000"),
            ("\"invalid_at\":\"2020-01-01\",\"deleted_at\":null", "invalid_at: 2020-01-01"),
        ] {
            let found = read(&format!("[{{\"memory\":\"Use tabs\",{end}}}]")).expect("an export");
            assert_eq!(found.left[0].reason, Reason::Expires(why.to_owned()));
            let said = found.left[0].reason.to_string();
            assert!(!said.contains("no longer") && said.contains(why), "{said}");
        }
        assert_eq!(texts(r#"[{"memory":"Use tabs","expiration_date":null}]"#), ["Use tabs"]);
    }

    #[test]
    fn an_entry_that_is_too_large_is_left_out_alone() {
        let large = format!("{{\"memory\":\"{}\"}}", "x".repeat(MAX_ENTRY * 1024 * 1024));
        for (json, left) in [
            (format!("[{large},{{\"memory\":\"Use tabs\"}}]"), 1),
            // What is beside the list is named as well.
            (format!("{{\"a\":[[[7]]],\"results\":[{large} , {{\"memory\":\"Use tabs\"}}]}}"), 2),
        ] {
            let found = read(&json).expect("an export");
            assert_eq!((found.proposals.len(), found.left.len()), (1, left));
            assert_eq!(found.left[0].place, Place::Entry(1));
            assert!(found.left[0].reason.to_string().contains("larger than 16 MiB"));
        }
        assert_eq!(read(&large), Err(Unreadable::LargeEntries(MAX_ENTRY)));
        // What is broken after it is still broken.
        assert!(matches!(read("[{\"memory\":\"Use tabs\"},"), Err(Unreadable::Json(_))));
        assert!(matches!(read("[{\"memory\":\"Use tabs\"}] x"), Err(Unreadable::Json(_))));
    }

    #[test]
    fn a_line_is_an_entry() {
        let found = records("{\"memory\":\"Use tabs\"}\n\n{broken\n{\"memory\":\"Drink tea\"}\n");
        let found = found.expect("records");
        assert_eq!((found.proposals.len(), found.left.len()), (2, 1));
        assert_eq!(found.left[0].place, Place::Lines(3, 3));
        assert_eq!(found.proposals[1].place, Place::Lines(4, 4));
    }

    #[test]
    fn anything_else_is_refused() {
        assert_eq!(read("{\"a\": 1}"), Err(Unreadable::Export));
        assert_eq!(read(r#"[{"role":"user","content":"hi"}]"#), Err(Unreadable::Export));
        assert_eq!(records("{\"a\": 1}\n"), Err(Unreadable::Export));
        assert!(matches!(read("{"), Err(Unreadable::Json(_))));
    }
}
