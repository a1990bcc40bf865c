//! The memories in an entry of an export: a text with its labels, or several.
//!
//! Invariant: each text is a proposal of its own, with the labels of its entry. If several keys
//! give the text, the first counts, and whatever else the others say is left out by name. Entries
//! that their program marks as deleted, archived, replaced, switched off or expiring are left out,
//! and so are messages. The cost of a text does not depend on the size of its entry. Source: mem0's
//! OpenAPI description.

use super::{
    reading::{MAX_LEN, Place, Proposal, Reading, Reason},
    times::time,
};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, HashSet},
    iter, ptr,
};

/// The key of a memory's text.
pub(super) const MEMORY: &str = "memory";
/// The key of a list of memories.
pub(super) const MEMORIES: &str = "memories";
/// Alternative keys of an entry's text.
pub(super) const TEXTS: &[&str] = &[MEMORY, "content", "text"];
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
/// Keys of who said something in a conversation.
const SPEAKERS: &[&str] = &["sender", "author"];

/// Keys whose value names the state of an entry in one word.
const STATES: &[&str] = &["state", "status"];
/// Keys that switch an entry off.
const SWITCHES: &[&str] = &["enabled", "active", "is_active"];
/// Keys of an entry's tags.
const TAGS: &[&str] = &["categories", "tags"];
/// Keys of when an entry was made.
const TIMES: &[&str] = &["created_at", "createdAt", "timestamp"];

type Fields = Map<String, Value>;

/// What an entry says about its texts, or else what the entry around it says.
#[derive(Default)]
struct Labels<'a>(BTreeMap<&'static str, &'a Value>);

impl<'a> Labels<'a> {
    fn within(&self, own: &'a Fields) -> Labels<'a> {
        let keys = [STATES, SWITCHES, ENDS, UNTIL, TAGS, TIMES].into_iter().flatten().copied();
        let said = keys.filter_map(|key| Some((key, own.get(key).or_else(|| self.get(key))?)));
        Labels(said.collect())
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key).copied()
    }
}

/// Proposes what an entry says: a text, or a list of texts and entries, and the memories beside it.
/// False if it says nothing, or is a message.
pub(super) fn said(fields: &Fields, place: Place, reading: &mut Reading) -> bool {
    entry(fields, &Labels::default(), place, reading)
}

fn entry<'a>(fields: &'a Fields, around: &Labels<'a>, place: Place, reading: &mut Reading) -> bool {
    // A message has a text as well.
    if fields.contains_key("role") {
        return false;
    }
    let values = || TEXTS.iter().filter_map(move |key| fields.get(*key));
    let is_text = |value: &&Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    let says = |value: &&Value| match value {
        Value::String(_) => true,
        Value::Array(parts) => !parts.is_empty(),
        Value::Object(own) => !own.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    };
    let memories = fields.get(MEMORIES).filter(says);
    // Where memories are listed, an empty text beside them is none.
    let empty = || values().find(|value| value.is_string()).filter(|_| memories.is_none());
    let holds = |value: &&Value| !value.is_string() && says(value);
    let own = values().find(is_text).or_else(|| values().find(holds)).or_else(empty);
    let is_message = SPEAKERS.iter().any(|key| fields.contains_key(*key));
    if is_message && ![own, memories].into_iter().flatten().any(Value::is_string) {
        return false;
    }
    let labels = around.within(fields);
    let is_said = parts(own.into_iter().chain(memories), &labels, place, reading);
    if let Some(own) = own.filter(|_| is_said) {
        leave_others(fields, own, place, reading);
    }
    is_said
}

/// Leaves out, by name, what the other keys say besides: other texts, and what co finds no text in.
fn leave_others(fields: &Fields, own: &Value, place: Place, reading: &mut Reading) {
    let mut said = Contents::default();
    for key in TEXTS.iter().copied() {
        let Some(other) = fields.get(key).filter(|other| !ptr::eq(*other, own)) else { continue };
        if said.texts.is_empty() {
            said.add(own);
        }
        let known: HashSet<String> =
            said.texts.iter().map(|text| text.trim().to_lowercase()).collect();
        let is_within = |text: &str| match (own, other) {
            // Comparing every text of one list with every text of another would take long.
            (Value::String(own), Value::String(_)) if own.len() <= 4 * MAX_LEN => {
                own.to_lowercase().contains(&text.trim().to_lowercase())
            }
            _ => known.contains(&text.trim().to_lowercase()),
        };
        let mut others = Contents::default();
        others.add(other);
        for text in others.texts.into_iter().filter(|text| !is_within(text)) {
            reading.leave(place, text, Reason::Second(key));
        }
        for part in others.silent {
            reading.leave(place, &part.to_string(), Reason::Second(key));
        }
    }
}

/// What a value holds, however deep, apart from messages.
#[derive(Default)]
struct Contents<'a> {
    texts: Vec<&'a str>,
    /// The parts that hold something, but no text where co looks for one.
    silent: Vec<&'a Value>,
}

impl<'a> Contents<'a> {
    /// False if the value holds nothing, not even a message.
    fn add(&mut self, value: &'a Value) -> bool {
        match value {
            _ if is_empty(value) => return false,
            Value::String(text) => self.texts.push(text),
            Value::Array(parts) => return self.add_all(parts),
            Value::Object(own) if own.contains_key("role") => {}
            Value::Object(own) => {
                let keys = TEXTS.iter().chain(iter::once(&MEMORIES));
                if !self.add_all(keys.filter_map(|key| own.get(*key))) {
                    self.silent.push(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => self.silent.push(value),
        }
        true
    }

    fn add_all(&mut self, parts: impl IntoIterator<Item = &'a Value>) -> bool {
        let mut holds = false;
        for part in parts {
            holds |= self.add(part);
        }
        holds
    }
}

/// Whether a value holds nothing, however deep.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(parts) => parts.iter().all(is_empty),
        Value::Object(own) => own.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Proposes each part that is a text or says one. If any does, those that do not are left out by
/// name.
fn parts<'a>(
    parts: impl Iterator<Item = &'a Value>,
    labels: &Labels<'a>,
    place: Place,
    reading: &mut Reading,
) -> bool {
    let (mut is_said, mut silent) = (false, Vec::new());
    for part in parts {
        if self::part(part, labels, place, reading) {
            is_said = true;
        } else {
            silent.push(part);
        }
    }
    for part in silent.into_iter().filter(|_| is_said) {
        reading.leave(place, &part.to_string(), Reason::Broken("it has no text".to_owned()));
    }
    is_said
}

fn part<'a>(part: &'a Value, labels: &Labels<'a>, place: Place, reading: &mut Reading) -> bool {
    match part {
        Value::String(text) => memory(labels, text, place, reading),
        Value::Object(own) => return entry(own, labels, place, reading),
        Value::Array(all) => return parts(all.iter(), labels, place, reading),
        Value::Null | Value::Bool(_) | Value::Number(_) => return false,
    }
    true
}

/// The texts in a part of a message: the part itself, or what it holds.
pub(super) fn text_in(part: &Value) -> Option<&str> {
    let mut keys = TEXTS.iter().chain(iter::once(&MEMORIES));
    part.as_str().or_else(|| keys.find_map(|key| part.get(*key)?.as_str()))
}

/// mem0's memories, and lists in a similar form: `[{"id", "memory", "created_at", …}]`.
fn memory(labels: &Labels<'_>, text: &str, place: Place, reading: &mut Reading) {
    if let Some(why) = ended(labels) {
        return reading.leave(place, text, why);
    }
    let tags = TAGS.iter().find_map(|key| labels.get(key)?.as_array());
    let tags = tags.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let at = TIMES.iter().find_map(|key| time(labels.get(key)?));
    reading.propose(Proposal { tags, at, ..Proposal::fact(text, place) });
}

/// The part of an entry that says that it no longer holds, or holds only for a time.
fn ended(labels: &Labels<'_>) -> Option<Reason> {
    let word = |key: &&str| {
        let value = labels.get(key)?.as_str()?;
        ENDED.contains(&value.to_lowercase().as_str()).then(|| format!("{key}: {value}"))
    };
    let off = |key: &&str| {
        (labels.get(key) == Some(&Value::Bool(false))).then(|| format!("{key}: false"))
    };
    let end = |key: &&str| match labels.get(key)? {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(format!("{key}: {text}")),
        value => Some(format!("{key}: {value}")),
    };
    let words = STATES.iter().find_map(word);
    let words = words.or_else(|| SWITCHES.iter().find_map(off));
    let ended = words.or_else(|| ENDS.iter().find_map(end)).map(Reason::Ended);
    ended.or_else(|| UNTIL.iter().find_map(end).map(Reason::Expires))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Reading {
        let entry: Value = serde_json::from_str(json).expect("JSON");
        let mut reading = Reading::default();
        said(entry.as_object().expect("an object"), Place::Entry(1), &mut reading);
        reading
    }

    fn texts(reading: &Reading) -> Vec<&str> {
        reading.proposals.iter().map(|one| one.text.as_str()).collect()
    }

    #[test]
    fn memories_beside_a_text_are_read_as_well() {
        for json in [
            r#"{"memory":"Likes tea","memories":["Lives in Rome","Has a dog"]}"#,
            r#"{"content":"Likes tea","memories":[{"text":"Lives in Rome"},["Has a dog"]]}"#,
            r#"{"memory":["Likes tea"],"memories":["Lives in Rome","Has a dog"]}"#,
            r#"{"memory":["Likes tea","Lives in Rome"],"memories":"Has a dog"}"#,
            r#"{"memory":{"text":"Likes tea","memories":["Lives in Rome"]},"memories":["Has a dog"]}"#,
            r#"{"memory":"","memories":["Likes tea","Lives in Rome","Has a dog"]}"#,
            r#"{"memory":" ","content":"Likes tea","memories":["Lives in Rome","Has a dog"]}"#,
            r#"{"memories":["Likes tea",{"memory":"Lives in Rome","memories":["Has a dog"]}]}"#,
        ] {
            let reading = read(json);
            assert_eq!(texts(&reading), ["Likes tea", "Lives in Rome", "Has a dog"], "{json}");
            assert!(reading.left.is_empty(), "{json}");
        }
        let reading =
            read(r#"{"memory":"Likes tea","memories":[7,{"text":"Old","deleted":true}]}"#);
        assert_eq!((texts(&reading), reading.left.len()), (vec!["Likes tea"], 2));
        // Of keys that say the same, one; what another says besides is named.
        for (json, left) in [
            (r#"{"memory":"One","content":"Two different","text":"Three"}"#, "Two different|Three"),
            (r#"{"text":"One","content":["Two","one",{"text":"Four"}]}"#, "Two|Four"),
            (r#"{"memory":["One","Two"],"content":["two"],"text":[" ","Three"]}"#, "Three"),
            (r#"{"memory":"Tea","content":"Tea, and cake"}"#, "Tea, and cake"),
            (r#"{"memory":{"text":"Two","content":"One"}}"#, "Two"),
            (r#"{"memory":" ","content":"One","text":"Two"}"#, "Two"),
            (r#"{"memory":"One","content":[{"role":"user","content":"hi"}]}"#, ""),
            (r#"{"memory":"One","content":{"text":[{"role":"user","content":"hi"}]}}"#, ""),
            (r#"{"memory":"One","content":[[],{},{"a":[""]},null," "]}"#, ""),
            (r#"{"memory":"One","content":{"summary":"Two"}}"#, r#"{"summary":"Two"}"#),
            (r#"{"memory":"One","text":["x",{"value":"Two"}]}"#, r#"x|{"value":"Two"}"#),
            (r#"{"memory":"One","text":{"text":{"a":"Two"}}}"#, r#"{"a":"Two"}"#),
            (r#"{"memory":"One","text":[7,[{"text":"","a":"b"}]]}"#, r#"7|{"text":"","a":"b"}"#),
            (r#"{"memory":["One"],"content":true}"#, "true"),
        ] {
            let found = read(json);
            let others: Vec<&str> = found.left.iter().map(|one| one.text.as_str()).collect();
            assert_eq!(others.join("|"), left, "{json}");
            assert!(found.left.iter().all(|one| matches!(one.reason, Reason::Second(_))), "{json}");
        }
        // The same in other letters, and a part of it, are no second text.
        for json in [
            r#"{"memory":"Likes tea","content":"likes tea","text":"Tea"}"#,
            r#"{"memory":"Likes tea","memories":[]}"#,
            r#"{"memory":"Likes tea","memories":null}"#,
        ] {
            assert_eq!(
                (texts(&read(json)), read(json).left.len()),
                (vec!["Likes tea"], 0),
                "{json}"
            );
        }
    }

    #[test]
    fn a_text_has_the_labels_of_its_entry_unless_it_has_its_own() {
        let reading = read(
            r#"{"state":"deleted","tags":["x"],"memories":["A b",{"memories":[
            {"state":"active","memory":"C d"},{"tags":["y"],"state":null,"text":["E f"]}]}]}"#,
        );
        assert_eq!(texts(&reading), ["C d", "E f"]);
        let tags: Vec<&str> = reading.proposals.iter().map(|one| one.tags[0].as_str()).collect();
        assert_eq!((tags, reading.left.len()), (vec!["x", "y"], 1));
    }
}
