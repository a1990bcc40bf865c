//! The memories in an entry of an export: a text with its labels, or several.
//!
//! Invariant: each text is a proposal of its own, with the labels of its entry. What its program
//! marks as deleted, archived, replaced, switched off or expiring is left out, and so are messages.
//! Source: mem0's OpenAPI description.

use super::{Place, Proposal, Reading, Reason, exports::time};
use serde_json::{Map, Value};
use std::slice;

/// The key of a memory's text.
pub(super) const MEMORY: &str = "memory";
/// The key of a list of memories.
pub(super) const MEMORIES: &str = "memories";
/// Keys of an entry's text, or of several.
const TEXTS: &[&str] = &[MEMORY, "content", "text", MEMORIES];
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

/// Proposes what an entry says: a text, or a list of texts and entries. False if it says nothing, or
/// is a message.
pub(super) fn said(fields: &Map<String, Value>, place: Place, reading: &mut Reading) -> bool {
    // A message has a text as well.
    if fields.contains_key("role") {
        return false;
    }
    let values = || TEXTS.iter().filter_map(move |key| fields.get(*key));
    if let Some(text) = values().find_map(Value::as_str) {
        memory(fields, text, place, reading);
        return true;
    }
    let holds = |value: &&Value| matches!(value, Value::Array(_) | Value::Object(_));
    let is_message = SPEAKERS.iter().any(|key| fields.contains_key(*key));
    let Some(value) = values().find(holds).filter(|_| !is_message) else { return false };
    let labels = fields.iter().filter(|(key, _)| !TEXTS.contains(&key.as_str()));
    let labels: Map<String, Value> =
        labels.map(|(key, value)| (key.clone(), value.clone())).collect();
    let parts = value.as_array().map_or(slice::from_ref(value), Vec::as_slice);
    let (mut is_said, mut silent) = (false, Vec::new());
    for part in parts {
        let mut entry = labels.clone();
        match part {
            Value::Object(own) => entry.extend(own.clone()),
            other => entry.extend([(MEMORY.to_owned(), other.clone())]),
        }
        if said(&entry, place, reading) {
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

/// The texts in a part of a message: the part itself, or what it holds.
pub(super) fn text_in(part: &Value) -> Option<&str> {
    part.as_str().or_else(|| TEXTS.iter().find_map(|key| part.get(*key)?.as_str()))
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
