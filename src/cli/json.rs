//! The `--json` envelope: stdout is exactly one object, on failure too.

use crate::ops::Failure;
use serde::Serialize;
use serde_json::{Value, json};

/// The version of the envelope; within it fields are only added.
pub const SCHEMA: &str = "co/1";

/// A success.
pub fn success(command: &str, data: impl Serialize, warnings: &[String]) -> String {
    let data = serde_json::to_value(data).unwrap_or(Value::Null);
    envelope(command, true, &data, warnings, &Value::Null)
}

/// A failure. `data` may still tell what was found.
pub fn failure(command: &str, data: &Value, warnings: &[String], failure: &Failure) -> String {
    let error = json!({ "code": failure.exit, "message": failure.message, "hints": failure.hints });
    envelope(command, false, data, warnings, &error)
}

fn envelope(command: &str, ok: bool, data: &Value, warnings: &[String], error: &Value) -> String {
    let envelope = json!({ "schema": SCHEMA, "command": command, "ok": ok, "data": data, "warnings": warnings, "error": error });
    format!("{envelope}\n")
}
