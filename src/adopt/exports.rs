//! Exports of mem0, ChatGPT and Claude.
//!
//! Invariant: memories that a program marks as replaced, disabled or expiring are not proposed.
//! Sources: mem0's OpenAPI description; stored exports of the other two.

use super::{Proposal, Unreadable, markdown};
use crate::identity::Stamp;
use serde_json::Value;

pub fn read(text: &str) -> Result<Vec<Proposal>, Unreadable> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| Unreadable::Json(error.to_string()))?;
    let readers = [memories, claude, chatgpt];
    readers.iter().find_map(|read| read(&value)).ok_or(Unreadable::Export)
}

/// mem0's memories, and lists in a similar form: `[{"id", "memory", "created_at", …}]`.
fn memories(value: &Value) -> Option<Vec<Proposal>> {
    let items =
        value.get("results").or_else(|| value.get("memories")).unwrap_or(value).as_array()?;
    let text = |item: &Value| {
        let text = item.get("memory").or_else(|| item.get("content"))?;
        text.as_str().map(str::to_owned)
    };
    if items.is_empty() || !items.iter().all(|item| text(item).is_some()) {
        return None;
    }
    let counts = |item: &&Value| {
        item.get("replaced_by").is_none_or(Value::is_null)
            && item.get("expiration_date").is_none_or(Value::is_null)
            && item.get("enabled") != Some(&Value::Bool(false))
    };
    let proposal = |item: &Value| {
        let tags = item.get("categories").and_then(Value::as_array).into_iter().flatten();
        let tags = tags.filter_map(Value::as_str).map(str::to_owned).collect();
        let at = item.get("created_at").and_then(Value::as_str).and_then(stamp);
        Some(Proposal { tags, at, ..Proposal::fact(text(item)?) })
    };
    Some(items.iter().filter(counts).filter_map(proposal).collect())
}

/// Claude's `memories.json`: texts in markdown.
fn claude(value: &Value) -> Option<Vec<Proposal>> {
    let records = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let is_ours = |record: &Value| {
        record.get("conversations_memory").is_some() || record.get("memory_files").is_some()
    };
    if records.is_empty() || !records.iter().all(is_ours) {
        return None;
    }
    let mut found = Vec::new();
    for record in &records {
        let whole = record.get("conversations_memory").and_then(Value::as_str);
        let projects = record.get("project_memories").and_then(Value::as_object);
        let projects = projects.into_iter().flat_map(|projects| projects.values());
        for text in whole.into_iter().chain(projects.filter_map(Value::as_str)) {
            found.extend(markdown::read(text));
        }
        for file in record.get("memory_files").and_then(Value::as_array).into_iter().flatten() {
            let at = file.get("updated_at").and_then(Value::as_str).and_then(stamp);
            let text = file.get("content").and_then(Value::as_str).unwrap_or_default();
            let read = markdown::read(text).into_iter();
            found.extend(read.map(|proposal| Proposal { at, ..proposal }));
        }
    }
    Some(found)
}

/// ChatGPT's `conversations.json`: what was written to `bio`.
fn chatgpt(value: &Value) -> Option<Vec<Proposal>> {
    let conversations = value.as_array()?;
    if conversations.is_empty() || conversations.iter().any(|one| one.get("mapping").is_none()) {
        return None;
    }
    let nodes = conversations.iter().filter_map(|one| one["mapping"].as_object());
    let messages = nodes.flat_map(|nodes| nodes.values()).map(|node| &node["message"]);
    let written = messages.filter(|message| message["recipient"] == "bio");
    let proposal = |message: &Value| {
        let parts = message["content"]["parts"].as_array()?;
        let text: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
        let seconds = message["author"].get("create_time").or_else(|| message.get("create_time"));
        let at = seconds.and_then(Value::as_f64).map(|at| Stamp::from_micros((at * 1e6) as i64));
        Some(Proposal { at, ..Proposal::fact(text.join("\n")) })
    };
    Some(written.filter_map(proposal).collect())
}

fn stamp(text: &str) -> Option<Stamp> {
    Stamp::parse(text).map(|read| read.stamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(json: &str) -> Vec<String> {
        read(json).expect("an export").into_iter().map(|one| one.text).collect()
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
            ["Work", "Writes Rust at work", "Uses uv there"]
        );
        assert_eq!(
            texts(
                r#"[{"title":"x","mapping":{"a":{"message":{"author":{"role":"assistant"},"recipient":"bio","create_time":1767225600.0,"content":{"parts":["User prefers Python."]}}},"b":{"message":null},"c":{"message":{"recipient":"all","content":{"parts":["no"]}}}}}]"#
            ),
            ["User prefers Python."]
        );
    }

    #[test]
    fn anything_else_is_refused() {
        assert_eq!(read("{\"a\": 1}"), Err(Unreadable::Export));
        assert!(matches!(read("{"), Err(Unreadable::Json(_))));
    }
}
