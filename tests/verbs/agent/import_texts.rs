//! `co agent import`: every text of an export is proposed as it was saved, or listed.

use crate::support::{Laptop, World};
use serde_json::{Value, json};
use std::fs;

/// Imports a file into an identity of its own: its facts, and what was left out with the reason.
fn imported(text: &str) -> (Laptop, World, Vec<(String, String)>) {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    fs::write(a.home.join("m.json"), text).expect("written");
    let plan = a.json(&["agent", "import", "--from", "m.json", "--similar", "--dry-run"]);
    a.co(&["agent", "import", "--from", "m.json", "--similar", "--yes"]);
    let said = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    let left = plan["data"]["left"].as_array().expect("a list").iter();
    let left = left.map(|one| (said(one, "text"), said(one, "why"))).collect();
    (a, world, left)
}

/// Asserts that a file gives one fact, and which others are left out as second texts of it.
fn assert_left_as_second(json: &Value, fact: &str, others: &[&str]) {
    let (a, _world, left) = imported(&json.to_string());
    assert_eq!(a.facts(), [fact], "{json}");
    let shown = |(text, why): &(String, String)| {
        let key = why.strip_prefix("a second text of the same memory ");
        format!("{text} {}", key.unwrap_or_else(|| panic!("{json}: {why}")))
    };
    assert_eq!(left.iter().map(shown).collect::<Vec<_>>(), others, "{json}");
}

#[test]
fn a_second_text_of_a_memory_is_listed() {
    for (json, fact, others) in [
        (
            json!([{"memory": "One", "content": "Two different", "text": "Three"}]),
            "One",
            &["Two different (content)", "Three (text)"][..],
        ),
        (
            json!({"memory": "One", "content": "Two different", "text": "Three"}),
            "One",
            &["Two different (content)", "Three (text)"],
        ),
        (json!([{"text": "One", "content": ["Two", " one "]}]), "One", &["Two (content)"]),
        (json!([{"memory": {"text": "Two", "content": "One"}}]), "One", &["Two (text)"]),
        (
            json!([{"memory": "One", "content": {"text": "Two", "memory": "Three"}}]),
            "One",
            &["Three (content)", "Two (content)"],
        ),
        (
            json!({"results": [{"memory": " ", "content": "One", "text": "Two"}]}),
            "One",
            &["Two (text)"],
        ),
        // The same, and a part of it, say nothing more.
        (
            json!([{"memory": "Likes tea", "content": " likes tea\n", "text": "Tea"}]),
            "Likes tea",
            &[],
        ),
        (json!([{"memory": "One", "content": "", "text": null}]), "One", &[]),
    ] {
        assert_left_as_second(&json, fact, others);
    }
    let (a, _world, _) = imported(r#"{"memory":"One","memories":["Two","Three"]}"#);
    assert_eq!(a.facts(), ["One", "Three", "Two"]);
    let (a, _world, left) = imported(r#"{"results":[{"memory":"One"}],"content":"Two"}"#);
    assert_eq!((a.facts(), left.len()), (vec!["One".to_owned()], 1), "{left:?}");
}

#[test]
fn what_co_finds_no_text_in_under_a_second_key_is_listed() {
    for (json, fact, others) in [
        (
            json!([{"memory": "One", "content": {"summary": "Two"}}]),
            "One",
            &[r#"{"summary":"Two"} (content)"#][..],
        ),
        (
            json!([{"memory": "One", "text": ["x", {"value": "Two"}]}]),
            "One",
            &["x (text)", r#"{"value":"Two"} (text)"#],
        ),
        (
            json!({"memory": "One", "content": [[{"parts": ["Two"]}], 7]}),
            "One",
            &[r#"{"parts":["Two"]} (content)"#, "7 (content)"],
        ),
        (
            json!({"results": [{"memory": ["One"], "text": {"text": {"note": "Two"}}}]}),
            "One",
            &[r#"{"note":"Two"} (text)"#],
        ),
        (json!([{"content": "One", "text": true}]), "One", &["true (text)"]),
        // Nothing, and messages.
        (json!([{"memory": "One", "content": [[], {}, {"summary": " "}], "text": {}}]), "One", &[]),
        (
            json!([{"memory": "One", "content": {"text": [{"role": "user", "content": "hi"}]}}]),
            "One",
            &[],
        ),
    ] {
        assert_left_as_second(&json, fact, others);
    }
    let (a, _world, left) = imported(
        r#"[{"id":"1","memory":"Likes green tea","content":{"summary":"Allergic to peanuts"}},
            {"id":"2","memory":"Has a red bicycle","text":["x",{"value":"Lives in Rome"}]}]"#,
    );
    assert_eq!(a.facts(), ["Has a red bicycle", "Likes green tea"]);
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn a_memory_stays_whole_whoever_saved_it() {
    let text = "Likes tea.\nLives in Oslo.\n- Has two dogs\n- Plays chess";
    for json in [
        json!([{ "memory": text }]),
        json!({ "memories": [text] }),
        json!({ "results": [{ "memory": text, "id": "1" }] }),
        json!([{"title": "x", "mapping": {"a": {"message":
            {"recipient": "bio", "content": {"parts": [text]}}}}}]),
    ] {
        let (a, _world, _) = imported(&json.to_string());
        let fact = a.json(&["show", "1"])["data"]["content"].clone();
        assert_eq!(fact, text, "{json}");
    }
}
