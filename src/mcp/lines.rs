//! Reads the protocol's lines before the SDK does, and writes those of the SDK.
//!
//! Invariant: every request gets a response: malformed lines are answered here with a JSON-RPC
//! error. Lone surrogates are replaced instead of rejected. A byte order mark is skipped only where
//! a program may put one: before the first line. Output is written in whole lines, so that two
//! answers never mix.

use crate::foreign::Foreign;
use crate::machine::pipes::{self, Line};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, transport::Transport};
use serde_json::{Value, json};
use std::{mem, thread};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf},
    task::JoinHandle,
};

/// Maximum bytes of a message.
const MAX: u64 = 16 * 1024 * 1024;
/// Size of the buffer between here and the SDK, in bytes.
const BUFFER: usize = 64 * 1024;

/// The byte order mark, which programs on Windows put before UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What a request says of itself since 2026-07-28, when there is no hello any more.
const STANDS_ALONE: &str = "io.modelcontextprotocol/protocolVersion";

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// Standard input and output, where invalid messages are answered. Must run in a runtime. Also
/// returns the task that ends when everything is written.
pub fn transport() -> (impl Transport<RoleServer>, JoinHandle<()>) {
    let (near, far) = tokio::io::duplex(BUFFER);
    let (far_input, far_output) = tokio::io::split(far);
    let runtime = tokio::runtime::Handle::current();
    thread::spawn(move || {
        let mut to_server = far_output;
        let mut place = LinePlace::First;
        pipes::each_line(MAX, |line| {
            match judged(mem::replace(&mut place, LinePlace::Later), line) {
                Judged::Pass(line) => runtime.block_on(to_server.write_all(&line)).is_ok(),
                Judged::Answer(error) => pipes::write(format!("{error}\n").as_bytes()).is_ok(),
                Judged::Nothing => true,
            }
        });
        let _ = runtime.block_on(to_server.shutdown());
    });
    let writer = tokio::spawn(written(far_input));
    let (input, output): (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>) = tokio::io::split(near);
    (AsyncRwTransport::new(input, output), writer)
}

/// Writes the SDK's output, a whole line at a time.
async fn written(mut from: ReadHalf<DuplexStream>) {
    let mut line = Vec::new();
    let mut buffer = vec![0; BUFFER];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        line.extend_from_slice(&buffer[..count]);
        let Some(end) = memchr::memrchr(b'\n', &line) else { continue };
        if pipes::write(&line[..=end]).is_err() {
            return;
        }
        line.drain(..=end);
    }
}

/// Where in the input a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LinePlace {
    First,
    Later,
}

enum Judged {
    Pass(Vec<u8>),
    Answer(Value),
    Nothing,
}

fn judged(place: LinePlace, line: Line) -> Judged {
    let Line::Text(bytes) = line else {
        let message = format!("a message can be at most {} MiB", MAX / 1024 / 1024);
        return Judged::Answer(error(&Value::Null, INVALID_REQUEST, &message));
    };
    let begins = bytes.strip_prefix(BOM).filter(|_| place == LinePlace::First);
    let bytes = begins.unwrap_or(&bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Judged::Nothing;
    }
    let text = mended(&String::from_utf8_lossy(bytes));
    let message: Value = match serde_json::from_str(text.trim()) {
        Ok(message) => message,
        Err(why) => return Judged::Answer(error(&Value::Null, PARSE_ERROR, &why.to_string())),
    };
    match wrong_with(&message) {
        None => Judged::Pass(format!("{}\n", text.trim()).into_bytes()),
        // A notification gets no response.
        Some(_) if message.get("method").is_some() && message.get("id").is_none() => {
            Judged::Nothing
        }
        Some((code, why)) => Judged::Answer(error(&id_of(&message), code, why)),
    }
}

/// Errors that the SDK would not answer, or would answer without the request's id.
fn wrong_with(message: &Value) -> Option<(i32, &'static str)> {
    let Some(object) = message.as_object() else {
        return Some((
            INVALID_REQUEST,
            "a message must be a single object; batches are not supported",
        ));
    };
    let Some(method) = object.get("method") else {
        // A response to a request by the server.
        let is_answer = object.contains_key("result") || object.contains_key("error");
        return (!is_answer).then_some((INVALID_REQUEST, "the message has no method"));
    };
    if object.get("jsonrpc") != Some(&json!("2.0")) {
        return Some((INVALID_REQUEST, "jsonrpc must be \"2.0\""));
    }
    if !method.is_string() {
        return Some((INVALID_REQUEST, "method must be a string"));
    }
    if object.get("id").is_some_and(|id| !id.is_string() && !id.is_i64()) {
        return Some((INVALID_REQUEST, "id must be a string or an integer"));
    }
    let params = object.get("params");
    if params.is_some_and(|params| !params.is_object() && !params.is_null()) {
        return Some((INVALID_PARAMS, "params must be an object"));
    }
    let inside = |key: &str| params.and_then(|params| params.get(key));
    if inside("_meta").is_some_and(|meta| !meta.is_object()) {
        return Some((INVALID_PARAMS, "_meta must be an object"));
    }
    if method != "initialize" || inside("protocolVersion").is_some_and(Value::is_string) {
        return None;
    }
    // Otherwise the session would end with its first message.
    Some(match inside("_meta").and_then(|meta| meta.get(STANDS_ALONE)) {
        Some(_) => (METHOD_NOT_FOUND, "this server has no method \"initialize\" any more"),
        None => (INVALID_PARAMS, "initialize must have a protocolVersion string"),
    })
}

fn id_of(message: &Value) -> Value {
    let id = message.get("id").filter(|id| id.is_string() || id.is_i64());
    id.cloned().unwrap_or(Value::Null)
}

fn error(id: &Value, code: i32, why: &str) -> Value {
    let why: String = Foreign(why).line().chars().take(200).collect();
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
}

/// Replaces half a surrogate pair, which programs write when they cut an emoji, with the
/// replacement character.
fn mended(text: &str) -> String {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let (taken, written) = match (unit(tail), unit(tail.get(6..).unwrap_or_default())) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, &tail[..12]),
            (Some(0xd800..=0xdfff), _) => (6, "\\ufffd"),
            // A single-character escape: what it escapes does not start another one.
            _ => {
                let end = tail.char_indices().nth(2).map_or(tail.len(), |(at, _)| at);
                (end, &tail[..end])
            }
        };
        out.push_str(written);
        rest = &tail[taken..];
    }
    out + rest
}

/// The code unit of `\uXXXX` at the start of a text.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_letter_is_mended_and_a_whole_one_stays() {
        assert_eq!(mended(r#""a \ud83d b""#), r#""a \ufffd b""#);
        assert_eq!(mended(r#""\ude00""#), r#""\ufffd""#);
        assert_eq!(mended(r#""\ud83d\ude00 \n""#), r#""\ud83d\ude00 \n""#);
        assert_eq!(mended(r#""\\ud83d""#), r#""\\ud83d""#);
    }

    #[test]
    fn who_asks_is_answered() {
        let text = |line: &str| Line::Text(line.as_bytes().to_vec());
        let answer = |line: &str| match judged(LinePlace::Later, text(line)) {
            Judged::Answer(error) => Some((error["id"].clone(), error["error"]["code"].clone())),
            _ => None,
        };
        assert_eq!(answer("{"), Some((Value::Null, json!(PARSE_ERROR))));
        assert_eq!(answer("[]"), Some((Value::Null, json!(INVALID_REQUEST))));
        let bad = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}"#;
        assert_eq!(answer(bad), Some((json!(7), json!(INVALID_PARAMS))));
        let bad =
            r#"{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":5}}"#;
        assert_eq!(answer(bad), Some((json!("x"), json!(INVALID_PARAMS))));
        let alone = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"_meta": {STANDS_ALONE: "2026-07-28"}}});
        assert_eq!(answer(&alone.to_string()), Some((json!(1), json!(METHOD_NOT_FOUND))));
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), None);
        assert_eq!(answer(&"[".repeat(5_000)), Some((Value::Null, json!(PARSE_ERROR))));
    }

    #[test]
    fn a_byte_order_mark_is_skipped_once_and_at_the_start_only() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let passes = |place, line: &str| {
            let judged = judged(place, Line::Text(line.as_bytes().to_vec()));
            matches!(judged, Judged::Pass(line) if line == format!("{ping}\n").into_bytes())
        };
        for line in [ping.to_owned(), format!("\u{feff}{ping}"), format!("\u{feff} {ping}\r\n")] {
            assert!(passes(LinePlace::First, &line), "{line:?}");
        }
        assert!(!passes(LinePlace::First, &format!("\u{feff}\u{feff}{ping}")));
        assert!(!passes(LinePlace::First, &format!(" \u{feff}{ping}")));
        assert!(!passes(LinePlace::Later, &format!("\u{feff}{ping}")));
        let alone = Line::Text("\u{feff}\n".as_bytes().to_vec());
        assert!(matches!(judged(LinePlace::First, alone), Judged::Nothing));
    }
}
