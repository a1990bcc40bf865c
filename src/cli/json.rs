//! The `--json` envelope: stdout is exactly one object, even on failure.

use crate::cli::failure::Failure;
use crate::foreign::is_seen;
use serde::Serialize;
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

/// The version of the envelope; within a version, fields are only added.
const SCHEMA: &str = "co/1";

#[derive(Serialize)]
struct Envelope<'a, D> {
    schema: &'static str,
    command: &'a str,
    ok: bool,
    data: D,
    warnings: &'a [String],
    error: Value,
}

pub fn success(command: &str, data: impl Serialize, warnings: &[String]) -> String {
    envelope(&Envelope { schema: SCHEMA, command, ok: true, data, warnings, error: Value::Null })
}

/// `data` may still contain what was found.
pub fn failure(
    command: &str,
    data: impl Serialize,
    warnings: &[String],
    failure: &Failure,
) -> String {
    let error = json!({ "code": failure.exit, "message": failure.message, "hints": failure.hints });
    envelope(&Envelope { schema: SCHEMA, command, ok: false, data, warnings, error })
}

/// What a verb reports, as it stands in the envelope; `null` if JSON has no form for it.
pub fn raw(data: &impl Serialize) -> Box<RawValue> {
    to_raw_value(data).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn envelope(envelope: &Envelope<'_, impl Serialize>) -> String {
    let text = serde_json::to_string(envelope).expect("because reports have names for all keys");
    as_line(text)
}

/// A value on a single line.
pub fn line(value: &Value) -> String {
    as_line(value.to_string())
}

fn as_line(mut json: String) -> String {
    if !json.chars().all(is_seen) {
        json = escaped(&json);
    }
    json.push('\n');
    json
}

/// Escapes control and invisible characters as `\u`: they could drive a terminal or hide text.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + 64);
    for letter in json.chars() {
        if is_seen(letter) {
            text.push(letter);
            continue;
        }
        let mut units = [0; 2];
        for unit in letter.encode_utf16(&mut units) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_stands_in_the_envelope_as_it_is() {
        let report = json!({ "count": 2, "rows": ["a\"b", "é\u{202e}", null], "b": { "a": 1 } });
        let warnings = ["careful".to_owned()];
        assert_eq!(success("x", &report, &warnings), success("x", raw(&report), &warnings));
        assert_eq!(raw(&Value::Null).get(), "null");
        // JSON has no keys that are lists.
        let unnamed = std::collections::BTreeMap::from([(vec![1], 1)]);
        assert_eq!(raw(&unnamed).get(), "null");
    }

    #[test]
    fn what_nobody_sees_is_written_out() {
        let json = serde_json::to_string("a\u{9b}2J\u{202e}b\u{e0041}c\u{1b}é").expect("JSON");
        let safe = escaped(&json);
        assert_eq!(safe, "\"a\\u009b2J\\u202eb\\udb40\\udc41c\\u001bé\"");
        assert_eq!(
            serde_json::from_str::<String>(&safe).ok().as_deref(),
            Some("a\u{9b}2J\u{202e}b\u{e0041}c\u{1b}é")
        );
    }
}
