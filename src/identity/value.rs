//! Values of frontmatter keys: a line reader for the usual forms, and how values are written.
//!
//! Invariant: what the line reader accepts, a YAML parser reads the same way (held by a test); everything else is left to the parser.

use serde_json::Value as Json;

/// A frontmatter value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// Text; also stamps, which YAML leaves as text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
    /// Anything else that YAML can say.
    Other(Json),
}

impl Value {
    /// From what a YAML parser read.
    pub fn from_json(json: Json) -> Value {
        match json {
            Json::String(text) => Value::Text(text),
            Json::Number(number) if number.as_i64().is_some() => Value::Int(number.as_i64().unwrap_or_default()),
            Json::Array(items) if items.iter().all(is_scalar) => Value::List(items.iter().map(scalar_text).collect()),
            other => Value::Other(other),
        }
    }

    /// The text form of a scalar.
    pub fn text(&self) -> Option<String> {
        match self {
            Value::Int(number) => Some(number.to_string()),
            Value::Text(text) => Some(text.clone()),
            Value::List(_) => None,
            Value::Other(json) => is_scalar(json).then(|| scalar_text(json)),
        }
    }

    /// A list; also from `a, b` in one text, as people write tags.
    pub fn list(&self) -> Option<Vec<String>> {
        match self {
            Value::List(items) => Some(items.clone()),
            Value::Other(Json::Null) => Some(Vec::new()),
            Value::Other(_) => None,
            scalar => {
                let text = scalar.text()?;
                Some(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
            }
        }
    }

    /// How co writes the value behind `key: `.
    pub fn written(&self) -> String {
        match self {
            Value::Int(number) => number.to_string(),
            Value::Text(text) => written_text(text, usual_scalar),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|item| written_text(item, usual_item)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Other(json) => json.to_string(),
        }
    }
}

fn is_scalar(json: &Json) -> bool {
    matches!(json, Json::String(_) | Json::Number(_) | Json::Bool(_))
}

fn scalar_text(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

fn written_text(text: &str, usual: fn(&str) -> Option<Value>) -> String {
    match usual(text) {
        Some(Value::Text(read)) if read == text => text.to_owned(),
        _ => Json::String(text.to_owned()).to_string(),
    }
}

/// The value behind a key on one line, when it has one of the usual forms; a trailing comment is skipped.
pub fn usual(raw: &str) -> Option<Value> {
    let text = without_comment(raw.trim());
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        if inner.trim().is_empty() {
            return Some(Value::List(Vec::new()));
        }
        let items = inner.split(',').map(|item| match usual_item(item.trim())? {
            Value::Text(text) => Some(text),
            Value::Int(number) => Some(number.to_string()),
            _ => None,
        });
        return items.collect::<Option<Vec<_>>>().map(Value::List);
    }
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['"', '\\', '\n', '\r'])).then(|| Value::Text(inner.to_owned()));
    }
    usual_scalar(text)
}

/// The comment that follows a value on its line, with the blanks before it.
pub fn trailing_comment(raw: &str) -> &str {
    &raw[without_comment(raw).trim_end().len()..]
}

fn without_comment(text: &str) -> &str {
    if text.starts_with(['"', '\'']) {
        // A quoted text may hold ` #`; only what follows the closing quote can be a comment.
        let quote = &text[..1];
        let end = text[1..].find(quote).map_or(text.len(), |at| at + 2);
        return match text[end..].find(" #") {
            Some(at) => text[..end + at].trim_end(),
            None => text,
        };
    }
    text.find(" #").map_or(text, |at| text[..at].trim_end())
}

fn usual_scalar(text: &str) -> Option<Value> {
    let letters = |c: char| c.is_alphanumeric() || " _-./+,@=;()'!?&*%$^~<>|".contains(c);
    plain(text, letters)
}

fn usual_item(text: &str) -> Option<Value> {
    plain(text, |c: char| c.is_alphanumeric() || " _-./+@=;()'!?".contains(c))
}

fn plain(text: &str, allowed: impl Fn(char) -> bool) -> Option<Value> {
    let first = text.chars().next()?;
    if !first.is_alphanumeric() || text.trim() != text {
        return None;
    }
    let bytes = text.as_bytes();
    for (at, letter) in text.char_indices() {
        let colon_inside = letter == ':' && bytes.get(at + 1).is_some_and(|next| !matches!(next, b' ' | b'\t' | b',' | b'[' | b']' | b'{' | b'}'));
        if !allowed(letter) && !colon_inside {
            return None;
        }
    }
    if bytes.iter().all(u8::is_ascii_digit) {
        let leading_zero = bytes.len() > 1 && bytes[0] == b'0';
        return (!leading_zero && bytes.len() < 18).then(|| Value::Int(text.parse().unwrap_or_default()));
    }
    if looks_typed(text) { None } else { Some(Value::Text(text.to_owned())) }
}

/// Texts that some YAML version reads as a number, a truth value or nothing.
fn looks_typed(text: &str) -> bool {
    let numeric = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_hexdigit() || "._+-xoXOeE:".contains(c))
        && Stampish::not_a_date(text);
    let word = text.to_ascii_lowercase();
    numeric || matches!(word.as_str(), "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "nan" | "inf")
}

/// Dates look numeric but are text in the YAML core schema, and every memory has one.
struct Stampish;

impl Stampish {
    fn not_a_date(text: &str) -> bool {
        let bytes = text.as_bytes();
        let date = bytes.len() >= 10
            && bytes[..4].iter().all(u8::is_ascii_digit)
            && bytes[4] == b'-'
            && bytes[5..7].iter().all(u8::is_ascii_digit)
            && bytes[7] == b'-'
            && bytes[8..10].iter().all(u8::is_ascii_digit);
        !date
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_yaml(raw: &str) -> Option<Value> {
        let json: Json = serde_yaml::from_str(&format!("key: {raw}\n")).ok()?;
        Some(Value::from_json(json.get("key")?.clone()))
    }

    #[test]
    fn usual_forms() {
        assert_eq!(usual("12"), Some(Value::Int(12)));
        assert_eq!(usual("2026-02-09T14:30:00Z"), Some(Value::Text("2026-02-09T14:30:00Z".into())));
        assert_eq!(usual("[python, c++] # two"), Some(Value::List(vec!["python".into(), "c++".into()])));
        assert_eq!(usual("\"930\""), Some(Value::Text("930".into())));
        assert_eq!(usual("[]"), Some(Value::List(vec![])));
        assert_eq!(usual("yes"), None);
        assert_eq!(usual("012"), None);
        assert_eq!(usual("a: b"), None);
        assert_eq!(usual("|"), None);
        assert_eq!(trailing_comment("12  # old"), "  # old");
    }

    #[test]
    fn written_values_are_quoted_where_needed() {
        assert_eq!(Value::Text("yes".into()).written(), "\"yes\"");
        assert_eq!(Value::Text("a: b".into()).written(), "\"a: b\"");
        assert_eq!(Value::List(vec!["a".into(), "b, c".into(), "7".into()]).written(), "[a, \"b, c\", \"7\"]");
    }

    proptest! {
        #[test]
        fn the_line_reader_agrees_with_yaml(raw in r#"[ -~äß]{0,24}|[0-9xoe._:-]{1,12}|\[[a-z0-9, '#+.-]{0,16}\]|"[a-z0-9 #:']{0,12}"( #x)?"#) {
            if let Some(value) = usual(&raw) {
                prop_assert_eq!(by_yaml(&raw), Some(value), "{}", raw);
            }
        }

        #[test]
        fn what_is_written_is_read_back(text in any::<String>(), items in prop::collection::vec("[ -~ä]{0,10}", 0..4)) {
            let clean: String = text.chars().filter(|c| !c.is_control() && *c != '\u{feff}' && *c != '\u{2028}' && *c != '\u{2029}').collect();
            let value = Value::Text(clean);
            prop_assert_eq!(by_yaml(&value.written()), Some(value));
            let list = Value::List(items);
            prop_assert_eq!(by_yaml(&list.written()).and_then(|v| v.list()), list.list());
        }
    }
}
