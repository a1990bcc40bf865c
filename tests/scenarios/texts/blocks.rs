//! A text that begins with a rule of dashes: what reads as a sentence stays text by whatever door
//! it comes, labels that co does not know are told, and a block that nothing closes is one only if
//! it begins as one.

use crate::support::{Laptop, Said, World, body, client::Client, ready::named};
use serde_json::json;
use std::fs;

fn fine(said: &Said) {
    assert_eq!(said.code, 0, "{}", said.err);
}

/// Adds the text as a file with this ending, and deletes the document again: its file, and what
/// was said.
fn added(a: &Laptop, world: &World, ending: &str, text: &str) -> (String, String) {
    let file = world.path(&format!("given.{ending}"));
    fs::write(&file, text).expect("written");
    let said = a.try_co(&["knowledge", "add", &file.display().to_string(), "--topic", "given"]);
    fine(&said);
    let whole = a.read("knowledge/given.md");
    a.co(&["knowledge", "delete", "--yes", "given"]);
    (whole, said.out)
}

#[test]
fn a_sentence_between_rules_stays_text_by_whatever_door() {
    let world = World::new();
    let a = named(&world);
    let texts = [
        "---\nNote: prose with colon.\n---\nBody",
        "---\nRemember: the tea is hot\n---\n\nBody",
        "---\nWarning: do not touch!\n---\nBody",
        "---\nTo do: call Ann about it\n---\nBody",
        "---\n备注: 我喜欢，乌龙茶。\n---\nBody",
        "---\n\nSome prose without an end\n\nBody",
        "---\nSome prose, see here: it goes on\n\nBody",
        "---\n\nNote: a rule above a note\n\nBody",
        "---\n10:30 we meet\nBody",
    ];
    let mut client = Client::ready(&a, &["--tools", "knowledge_write"]);
    for (at, text) in texts.iter().enumerate() {
        let text = format!("{text} {at}");
        let topic = format!("pipe-{at}");
        fine(&a.piped(&text, &["knowledge", "write", &topic, "-"]));
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), text);
        let topic = format!("tool-{at}");
        client.call_ok("knowledge_write", json!({ "topic": topic, "content": text }));
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), text);
        for ending in ["md", "txt", "mdx"] {
            let (whole, said) = added(&a, &world, ending, &text);
            assert_eq!(body(&whole), text, "{ending}");
            assert!(!said.contains("  labels "), "{ending}: {said}");
        }
        fine(&a.piped(&text, &["learn", "-"]));
        assert_eq!(a.json(&["show", &(at + 1).to_string()])["data"]["content"], json!(text));
    }
    client.end();
}

#[test]
fn labels_that_co_does_not_know_are_told() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "knowledge_write"]);
    for (at, (labels, told)) in [
        ("mood: calm", Some("mood")),
        ("Note: x\nOther: a thing of the past", Some("Note, Other")),
        ("title: Tea\nmood: calm\ntags: [a]", Some("mood")),
        ("author: Ada King Lovelace", Some("author")),
        ("Note: 3", Some("Note")),
        ("title: Tea\ntags: [a]\nstatus: active", None),
        ("description: One line on tea.", None),
        ("Tags: [a, b]", None),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("---\n{labels}\n---\n\nBody {at}\n");
        let line = told.map(|keys| format!("labels {keys} (from its `---` block)"));
        let is_told = |said: &str| match &line {
            Some(line) => assert!(said.contains(line), "{labels}: {said}"),
            None => assert!(!said.contains("labels "), "{labels}: {said}"),
        };
        let topic = format!("pipe-{at}");
        let said = a.piped(&text, &["knowledge", "write", &topic, "-"]);
        fine(&said);
        is_told(&said.out);
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), format!("Body {at}"));
        let given = json!({ "topic": format!("tool-{at}"), "content": text });
        is_told(&client.call_ok("knowledge_write", given));
        for ending in ["md", "txt"] {
            let (whole, said) = added(&a, &world, ending, &text);
            is_told(&said);
            assert_eq!(body(&whole), format!("Body {at}"), "{ending}: {labels}");
        }
        // Sent back, a document has no new label.
        let before = a.read(&format!("knowledge/{topic}.md"));
        let said = a.piped(&before, &["knowledge", "write", &topic, "-"]);
        assert!(said.code == 0 && !said.out.contains("labels "), "{labels}: {}", said.out);
    }
    client.end();
}

#[test]
fn labels_that_nothing_closes_are_told_as_such() {
    let world = World::new();
    let a = named(&world);
    let why = "it begins with `---` as if labels followed, but no second `---` closes them";
    for (at, text) in [
        "---\ntitle: Tea\n\nBody",
        "---\nNote: x\nBody",
        "---\ntags:\n  - a\n\nBody",
        "---\n\ntitle: Tea\n\nBody",
        "---\n# mine\ntags: [a]\n\nBody",
    ]
    .into_iter()
    .enumerate()
    {
        let said = a.piped(text, &["knowledge", "write", "open", "-"]);
        assert_eq!(said.code, 2, "{text}: {}", said.out);
        assert!(said.err.contains(why), "{text}: {}", said.err);
        fine(&a.piped(text, &["learn", "-"]));
        assert_eq!(a.json(&["show", &(at + 1).to_string()])["data"]["content"], json!(text));
    }
    assert!(!a.identity().join("knowledge/open.md").exists());
}

#[test]
fn labels_in_braces_are_kept_and_named_by_every_verb() {
    let world = World::new();
    let a = named(&world);
    let says = "the text begins with a `---` block, which was kept as text";
    for (at, block) in [
        "{\"title\": \"Tea\", \"tags\": [\"a\"]}",
        "{\"mood\":\"calm\"}",
        "{\n  \"mood\": \"calm\",\n  \"size\": 2\n}",
        "{title: Tea}",
        "{ \"a\": { \"b\": 1 } }",
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("---\n{block}\n---\n\nBody {at}");
        let topic = format!("pipe-{at}");
        for said in
            [a.piped(&text, &["knowledge", "write", &topic, "-"]), a.piped(&text, &["learn", "-"])]
        {
            assert!(said.code == 0 && said.err.contains(says), "{text}: {}", said.err);
        }
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), text);
        assert_eq!(a.json(&["show", &(at + 1).to_string()])["data"]["content"], json!(text));
    }
    let said = a.piped("---\n{a placeholder}\n---\n\nBody", &["learn", "-"]);
    assert!(said.code == 0 && !said.err.contains(says), "{}", said.err);
}
