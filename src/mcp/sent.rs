//! Arguments as models send them, made what a tool's schema says.
//!
//! Invariant: the one place for what a schema tells, for every tool: `3.0` and "3" for 3, a list as
//! JSON text or with commas, "true" for true, `null` or an empty text for nothing, other names and
//! spellings of an argument. What cannot be meant is refused with the argument's name. Must not
//! know: what a tool does, or which texts are handles.

use super::failure::Failure;
use crate::workspace::ErrorKind;
use rmcp::model::JsonObject;
use serde_json::Value;

/// Names that models use instead, in a tool that has the second argument and not the first.
const ALIASES: &[(&str, &str)] = &[
    ("fact", "content"),
    ("text", "content"),
    ("memory", "content"),
    ("limit", "max_results"),
    ("id", "memory"),
    ("memory_id", "memory"),
    ("query", "memory"),
    ("question", "query"),
    ("open_questions", "questions"),
    ("path", "topic"),
    ("url", "source"),
    ("labels", "tags"),
];
/// Texts of several lines, which models also write as a list.
const LINES: &[&str] = &["done", "next", "questions"];
/// Words for nothing, where no text is asked for.
const NOTHING: &[&str] = &["", "null", "none"];

/// The arguments by their own names and in their own types. Those that the schema does not have
/// stay as they are, for the tool to refuse.
pub fn taken(schema: &JsonObject, sent: JsonObject) -> Result<JsonObject, Failure> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Ok(sent);
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let given: Vec<String> = sent.keys().cloned().collect();
    let mut taken = JsonObject::new();
    for (name, value) in sent {
        let is_free =
            |meant: &&str| !given.iter().any(|one| one == meant) && !taken.contains_key(*meant);
        let meant = meant(&name, properties).filter(is_free);
        let name = meant.map_or(name, str::to_owned);
        let Some(wanted) = properties.get(&name) else {
            taken.insert(name, value);
            continue;
        };
        if value.is_null() || (!is_required(&name) && is_nothing(&value, wanted)) {
            continue;
        }
        let value = as_wanted(&name, wanted, value)?;
        taken.insert(name, value);
    }
    Ok(taken)
}

/// The argument of the tool that another name, or another spelling of its own, stands for.
fn meant<'a>(name: &str, properties: &'a JsonObject) -> Option<&'a str> {
    if properties.contains_key(name) {
        return None;
    }
    let plain = in_plain_spelling(name);
    let named = ALIASES.iter().filter(|(alias, _)| *alias == plain).map(|(_, meant)| *meant);
    let mut meant = std::iter::once(plain.as_str()).chain(named);
    meant.find_map(|meant| properties.get_key_value(meant)).map(|(known, _)| known.as_str())
}

/// `maxResults`, `Max-Results` and `MAX_RESULTS` as `max_results`.
fn in_plain_spelling(name: &str) -> String {
    let mut plain = String::with_capacity(name.len() + 2);
    let mut before = None;
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_some_and(char::is_lowercase) {
            plain.push('_');
        }
        before = Some(letter);
        let letter = if matches!(letter, '-' | ' ') { '_' } else { letter };
        plain.extend(letter.to_lowercase());
    }
    plain
}

fn is_text(wanted: &Value) -> bool {
    wanted["type"] == "string" && wanted.get("enum").is_none()
}

fn is_nothing(value: &Value, wanted: &Value) -> bool {
    let Some(text) = value.as_str().map(str::trim) else { return false };
    text.is_empty() || (!is_text(wanted) && NOTHING.contains(&text.to_lowercase().as_str()))
}

fn as_wanted(name: &str, wanted: &Value, value: Value) -> Result<Value, Failure> {
    let (taken, what) = match wanted["type"].as_str() {
        Some("integer") => (whole(&value).map(Value::from), "a whole number, e.g. 5".to_owned()),
        Some("boolean") => (truth(&value).map(Value::from), "true or false".to_owned()),
        Some("array") => (list(&value).map(Value::from), "a list, e.g. [\"a\", \"b\"]".to_owned()),
        Some("string") if LINES.contains(&name) && value.is_array() => {
            (lines(&value), "a text".to_owned())
        }
        Some("string") if is_text(wanted) => (text(value), "a text".to_owned()),
        Some("string") => one_of(wanted, value),
        _ => return Ok(value),
    };
    taken.ok_or_else(|| {
        let message = format!("invalid arguments: `{name}` must be {what}");
        Failure::new(ErrorKind::Invalid, message)
            .hint("call it again with arguments that match its schema")
    })
}

/// One of the words that there are, in any case, and all of them in words.
fn one_of(wanted: &Value, value: Value) -> (Option<Value>, String) {
    let words = wanted["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let words: Vec<&str> = words.collect();
    let said = text(value).and_then(|said| Some(said.as_str()?.trim().to_lowercase()));
    let said = said.filter(|said| words.contains(&said.as_str()));
    (said.map(Value::String), words.join(" or "))
}

/// A list of texts as one, with a line for each.
fn lines(value: &Value) -> Option<Value> {
    let all = value.as_array()?.iter().filter(|item| !item.is_null());
    let all = all.map(|item| as_word(item).map(|line| format!("- {}", line.trim())));
    Some(Value::String(all.collect::<Option<Vec<String>>>()?.join("\n")))
}

/// A text, or a number, as models write the numbers of facts.
fn text(value: Value) -> Option<Value> {
    match value {
        Value::String(_) => Some(value),
        Value::Number(ref number) => {
            let whole = whole(&value).map(|whole| whole.to_string());
            Some(Value::String(whole.unwrap_or_else(|| number.to_string())))
        }
        _ => None,
    }
}

/// `5`, and as models also write it: `5.0`, `"5"`, `"5.0"`.
fn whole(value: &Value) -> Option<u64> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let whole = text.parse::<u64>().ok();
    whole.or_else(|| {
        let number = text.parse::<f64>().ok()?;
        let is_whole = number >= 0.0 && number.fract() == 0.0;
        if is_whole { format!("{number:.0}").parse().ok() } else { None }
    })
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => text.trim().to_lowercase().parse().ok(),
        Value::Number(_) => match whole(value) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// A list, or one text: with commas, or a list as JSON.
fn list(value: &Value) -> Option<Vec<String>> {
    let item = |item: &Value| match item {
        Value::String(text) if text.trim_start().starts_with('[') => Some(words_of(text)),
        Value::String(text) => Some(vec![text.clone()]),
        Value::Number(_) => as_word(item).map(|word| vec![word]),
        _ => None,
    };
    match value {
        Value::String(text) => Some(words_of(text)),
        Value::Number(_) => item(value),
        Value::Array(items) => {
            let items = items.iter().filter(|item| !item.is_null());
            items.map(item).collect::<Option<Vec<Vec<String>>>>().map(|all| all.concat())
        }
        _ => None,
    }
}

fn as_word(value: &Value) -> Option<String> {
    text(value.clone())?.as_str().map(str::to_owned)
}

fn words_of(text: &str) -> Vec<String> {
    if let Ok(items) = serde_json::from_str::<Vec<Value>>(text)
        && let Some(words) = items.iter().map(as_word).collect::<Option<Vec<String>>>()
    {
        return words;
    }
    let inner = text.trim();
    let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
    let bare = |word: &str| word.trim().trim_matches(['"', '\'']).to_owned();
    inner.split(',').map(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> JsonObject {
        let schema = json!({
            "type": "object",
            "required": ["content"],
            "properties": {
                "content": { "type": "string" },
                "title": { "type": "string" },
                "scope": { "type": "string", "enum": ["identity", "project"] },
                "tags": { "type": "array", "items": { "type": "string" } },
                "max_results": { "type": "integer" },
                "sure": { "type": "boolean" },
                "next": { "type": "string" },
            },
        });
        schema.as_object().expect("an object").clone()
    }

    fn sent(arguments: &Value) -> Result<Value, String> {
        let sent = arguments.as_object().expect("an object").clone();
        taken(&schema(), sent).map(Value::Object).map_err(|failure| failure.message)
    }

    #[test]
    fn what_is_meant_is_taken() {
        for (arguments, meant) in [
            (json!({"max_results": 3.0}), json!({"max_results": 3})),
            (json!({"max_results": " 3 "}), json!({"max_results": 3})),
            (json!({"limit": "3.0"}), json!({"max_results": 3})),
            (json!({"max_results": 1e3}), json!({"max_results": 1000})),
            (json!({"max_results": "null", "tags": "None"}), json!({})),
            (json!({"max_results": null, "tags": null, "scope": null}), json!({})),
            (json!({"scope": " Identity"}), json!({"scope": "identity"})),
            (json!({"scope": "", "title": ""}), json!({})),
            (json!({"title": "null"}), json!({"title": "null"})),
            (json!({"title": 2024}), json!({"title": "2024"})),
            (json!({"title": 2.0}), json!({"title": "2"})),
            (json!({"title": 2.5}), json!({"title": "2.5"})),
            (json!({"tags": "[\"a\", 2]"}), json!({"tags": ["a", "2"]})),
            (json!({"tags": ["[\"a\",\"b\"]", 3.0]}), json!({"tags": ["a", "b", "3"]})),
            (json!({"tags": 12}), json!({"tags": ["12"]})),
            (json!({"tags": "[]"}), json!({"tags": []})),
            (json!({"sure": "True"}), json!({"sure": true})),
            (json!({"sure": "false"}), json!({"sure": false})),
            (json!({"sure": 1}), json!({"sure": true})),
            (json!({"fact": "a", "text": "b"}), json!({"content": "a", "text": "b"})),
            (json!({"content": "a", "fact": "b"}), json!({"content": "a", "fact": "b"})),
            (json!({"Content": "a"}), json!({"content": "a"})),
            (json!({"CONTENT": "a", "Tags": "b"}), json!({"content": "a", "tags": ["b"]})),
            (json!({"maxResults": "3"}), json!({"max_results": 3})),
            (json!({"max-results": 3.0}), json!({"max_results": 3})),
            (json!({"Max Results": 3}), json!({"max_results": 3})),
            (json!({"memory": "a"}), json!({"content": "a"})),
            (json!({"Content": "a", "content": "b"}), json!({"Content": "a", "content": "b"})),
            (
                json!({"tags": [null, "a"], "labels": ["b"]}),
                json!({"tags": ["a"], "labels": ["b"]}),
            ),
            (json!({"tags": [null]}), json!({"tags": []})),
            (json!({"next": ["a", 2, null]}), json!({"next": "- a\n- 2"})),
            (json!({"next": "[\"a\"]"}), json!({"next": "[\"a\"]"})),
            (json!({"content": "", "other": null}), json!({"content": "", "other": null})),
        ] {
            assert_eq!(sent(&arguments), Ok(meant), "{arguments}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_name() {
        for (arguments, name) in [
            (json!({"max_results": -1}), "max_results"),
            (json!({"max_results": 2.5}), "max_results"),
            (json!({"max_results": true}), "max_results"),
            (json!({"limit": "two"}), "max_results"),
            (json!({"max_results": "inf"}), "max_results"),
            (json!({"sure": "perhaps"}), "sure"),
            (json!({"sure": 2}), "sure"),
            (json!({"tags": {"a": 1}}), "tags"),
            (json!({"tags": [["a"]]}), "tags"),
            (json!({"content": ["a"]}), "content"),
            (json!({"content": true}), "content"),
            (json!({"scope": "user"}), "scope"),
            (json!({"scope": ["identity"]}), "scope"),
            (json!({"next": {"a": 1}}), "next"),
            (json!({"next": [["a"]]}), "next"),
            (json!({"title": ["a"]}), "title"),
        ] {
            let why = sent(&arguments).expect_err("refused");
            assert!(why.contains(&format!("`{name}` must be")), "{arguments}: {why}");
        }
    }
}
