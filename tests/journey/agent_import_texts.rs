//! `co agent import`: every text of an export is proposed or listed, and one with a list gives the
//! same facts whichever program saved it.

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
        let (a, _world, left) = imported(&json.to_string());
        assert_eq!(a.facts(), [fact], "{json}");
        let whys: Vec<String> = left
            .iter()
            .map(|(text, why)| {
                let key = why.strip_prefix("a second text of the same memory ");
                format!("{text} {}", key.unwrap_or_else(|| panic!("{json}: {why}")))
            })
            .collect();
        assert_eq!(whys, others, "{json}");
    }
    let (a, _world, _) = imported(r#"{"memory":"One","memories":["Two","Three"]}"#);
    assert_eq!(a.facts(), ["One", "Three", "Two"]);
    let (a, _world, left) = imported(r#"{"results":[{"memory":"One"}],"content":"Two"}"#);
    assert_eq!((a.facts(), left.len()), (vec!["One".to_owned()], 1), "{left:?}");
}

#[test]
fn a_memory_with_a_list_is_split_the_same_way_whoever_saved_it() {
    for (text, facts) in [
        (
            "Likes tea.\nLives in Oslo.\n- Has two dogs\n- Plays chess",
            &["Has two dogs", "Likes tea. Lives in Oslo.", "Plays chess"][..],
        ),
        ("- Has two dogs\n- Plays chess", &["Has two dogs", "Plays chess"]),
        ("* Has two dogs\n\n* Plays chess\n", &["Has two dogs", "Plays chess"]),
        ("1. Has two dogs\n2. Plays chess", &["Has two dogs", "Plays chess"]),
        ("- Has two dogs", &["Has two dogs"]),
        (
            "- Pets in the house:\n  - two dogs\n  - a cat",
            &["Pets in the house: a cat", "Pets in the house: two dogs"],
        ),
        ("Has two dogs", &["Has two dogs"]),
    ] {
        for json in [
            json!([{ "conversations_memory": text }]),
            json!([{ "memory": text }]),
            json!({ "memories": [text] }),
            json!({ "results": [{ "memory": text, "id": "1" }] }),
            json!([{"title": "x", "mapping": {"a": {"message":
                {"recipient": "bio", "content": {"parts": [text]}}}}}]),
            json!([{"header": "Gemini Apps", "title": format!("Prompted Remember: {text}")}]),
        ] {
            let (a, _world, _) = imported(&json.to_string());
            assert_eq!(a.facts(), facts, "{json}");
        }
    }
    // Without a list, a memory is one fact, as it was saved.
    let text = "Likes tea.\nLives in Oslo.";
    let (a, _world, _) = imported(&json!([{ "memory": text }]).to_string());
    assert_eq!(a.facts(), ["Likes tea. …"]);
    // Each part has the labels of its entry.
    let json = json!([{"memory": "- Has two dogs\n- Plays chess", "categories": ["home"]}]);
    let (a, _world, _) = imported(&json.to_string());
    let tagged = a.json(&["list", "-t", "home"])["data"]["count"].clone();
    assert_eq!(tagged, 2);
}
