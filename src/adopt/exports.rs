//! Exports: lists of entries in JSON, one value or one object per line.
//!
//! Invariant: an entry that cannot be read is left out, and the others are read. One entry is held
//! as values at a time, and none that is too large.

use super::{
    reading::{Place, Reading, Reason, Unreadable},
    saved, services,
};
use serde::{
    Deserializer as _,
    de::{SeqAccess, Visitor},
};
use serde_json::{Deserializer, Map, Value, value::RawValue};
use std::{collections::BTreeMap, fmt};

/// The largest entry in MiB; as values, it takes up to forty times as much.
const MAX_ENTRY: usize = 16;
/// Keys that contain a list of entries.
const LISTS: &[&str] = &["results", saved::MEMORIES, "items"];

pub(super) fn read(text: &str) -> Result<Reading, Unreadable> {
    let text = text.trim();
    let parts: serde_json::Result<BTreeMap<String, &RawValue>> =
        if text.starts_with('{') { serde_json::from_str(text) } else { Ok(BTreeMap::new()) };
    let mut parts = parts.map_err(|error| broken(&error))?;
    let is_list = |key: &&&str| parts.get(**key).is_some_and(|raw| raw.get().starts_with('['));
    let key = LISTS.iter().find(is_list).copied();
    let listed = key.and_then(|key| parts.remove(key));
    let list = listed.map_or(text, RawValue::get);
    let mut found = Entries { holds_texts: key == Some(saved::MEMORIES), ..Entries::default() };
    if list.starts_with('[') {
        let mut json = Deserializer::from_str(list);
        json.deserialize_seq(&mut found).map_err(|error| broken(&error))?;
        json.end().map_err(|error| broken(&error))?;
    } else {
        let whole: &RawValue = serde_json::from_str(text).map_err(|error| broken(&error))?;
        found.entry(whole.get(), Place::Entry(1));
    }
    if listed.is_some() {
        found.text_beside(&mut parts);
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
        Ok(Value::String(text)) if saved::TEXTS.contains(&key) && !text.trim().is_empty() => {
            vec![Value::String(text)]
        }
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
    /// Whether it is a list of memories, so that a bare text in it is a memory.
    holds_texts: bool,
}

impl Entries {
    /// Reads the text that an entry may have beside its list of memories, and removes its keys.
    fn text_beside(&mut self, parts: &mut BTreeMap<String, &RawValue>) {
        let size: usize = parts.values().map(|raw| raw.get().len()).sum();
        if !self.holds_texts || size > MAX_ENTRY * 1024 * 1024 {
            return;
        }
        let read = |(key, raw): (&String, &&RawValue)| {
            Some((key.clone(), serde_json::from_str::<Value>(raw.get()).ok()?))
        };
        let mut fields: Map<String, Value> = parts.iter().filter_map(read).collect();
        let is_blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        fields.retain(|_, value| !is_blank(value));
        let has_text = saved::TEXTS.iter().any(|key| fields.contains_key(*key));
        if has_text && saved::said(&fields, Place::Entry(1), &mut self.reading) {
            self.known += 1;
            parts.retain(|key, _| !saved::TEXTS.contains(&key.as_str()));
        }
    }

    fn entry(&mut self, json: &str, place: Place) {
        if json.len() > MAX_ENTRY * 1024 * 1024 {
            self.large += 1;
            return self.broken("", place, format!("it is larger than {MAX_ENTRY} MiB"));
        }
        let fields = match serde_json::from_str(json) {
            Ok(Value::Object(fields)) => fields,
            Ok(value @ (Value::String(_) | Value::Array(_))) if self.holds_texts => {
                Map::from_iter([(saved::MEMORY.to_owned(), value)])
            }
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
            () if saved::said(fields, place, &mut self.reading) => {}
            () => {
                self.known -= 1;
                self.broken(json, place, "it has no text");
            }
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
            let text = match self.conversations {
                1 => "1 conversation".to_owned(),
                several => format!("{several} conversations"),
            };
            self.reading.leave(Place::Entry(1), &text, Reason::NothingSaved);
        }
        Ok(self.reading)
    }
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
    fn each_text_of_an_entry_is_a_fact() {
        let both = ["Likes tea", "Lives in Rome"];
        for json in [
            r#"[{"memory":["Likes tea","Lives in Rome"]}]"#,
            r#"{"memory":["Likes tea","Lives in Rome"]}"#,
            r#"{"memories":["Likes tea","Lives in Rome"]}"#,
            r#"{"memories":[["Likes tea","Lives in Rome"]]}"#,
            r#"[{"id":1,"memories":["Likes tea",{"text":"Lives in Rome"}]}]"#,
            r#"{"results":[{"memories":[{"content":"Likes tea"},{"memory":"Lives in Rome"}]}]}"#,
            r#"[{"content":["Likes tea"]},{"text":["Lives in Rome",7,null]}]"#,
            r#"[{"memory":[{"memory":"Likes tea"},{"memory":"No","state":"deleted"},"Lives in Rome"]}]"#,
            r#"[{"mapping":{"a":{"message":{"recipient":"bio","content":{"parts":["Likes tea","","Lives in Rome"]}}}}}]"#,
            r#"[{"mapping":{"a":{"message":{"recipient":"bio","content":{"parts":["Likes tea",{"text":"Lives in Rome"},"Forget the dog"]}}}}}]"#,
        ] {
            assert_eq!(texts(json), both, "{json}");
        }
        let dated = r#"[{"created_at":"2026-01-02T03:04:05Z","tags":["x"],"memory":["A b",{"text":"C d","tags":["y"]}]}]"#;
        let found = read(dated).expect("an export").proposals;
        assert!(found.iter().all(|one| one.at.is_some()));
        assert_eq!((&found[0].tags[0], &found[1].tags[0]), (&"x".to_owned(), &"y".to_owned()));
        // What was said in a conversation, and any other list, is no memory.
        for other in [
            r#"[{"sender":"human","content":["hi"]}]"#,
            r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
            r#"{"items":["milk","eggs"]}"#,
            r#"["milk","eggs"]"#,
            r#"[{"memory":[]},{"memory":[7]}]"#,
        ] {
            assert_eq!(read(other), Err(Unreadable::Export), "{other}");
        }
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
