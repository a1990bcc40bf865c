//! Tags that a text brings along on its first line: each is a tag, a sentence is none, and the verb
//! says what it took.

use crate::support::{Laptop, Said, World, client::Client, ready::named, whole::whole};
use serde_json::json;

/// First lines, and the tags that they are.
const TAGS: &[(&str, &[&str])] = &[
    ("Tags: #beer #wine", &["beer", "wine"]),
    ("tags: #beer, #wine", &["beer", "wine"]),
    ("TAGS: [#beer, #wine]", &["beer", "wine"]),
    ("tags: #beer #wine, ale", &["beer", "wine", "ale"]),
    ("tags:\n- #beer\n- #wine", &["beer", "wine"]),
    ("tags: \"#beer\", '#wine'", &["beer", "wine"]),
    ("tags: #food/beer #3d", &["food/beer", "3d"]),
    ("tags: #934, beer", &["#934", "beer"]),
    ("tags: 2026, 3d printing", &["2026", "3d printing"]),
    ("tags: [3 left]", &["3 left"]),
];

const SENTENCES: &[&str] = &[
    "Tags: 3 left",
    "tags: 12 bottles, wine",
    "Tags: 3.5 stars",
    "tags: 50% off",
    "tags:\n- 2 left\n- wine",
    "Tags: #beer rocks",
    "Tags: drink #beer",
];

/// The text and the tags of the newest fact, or of a document.
fn fact(a: &Laptop, id: usize) -> (String, Vec<String>) {
    let data = a.json(&["show", &id.to_string()])["data"].clone();
    let tags = serde_json::from_value(data["tags"].clone()).expect("tags");
    (data["content"].as_str().expect("a text").to_owned(), tags)
}

fn fine(said: &Said) {
    assert_eq!(said.code, 0, "{}", said.err);
}

#[test]
fn each_word_with_a_hash_is_a_tag() {
    let world = World::new();
    let a = named(&world);
    for (at, (labels, tags)) in TAGS.iter().enumerate() {
        let text = format!("{labels}\n\nPrice {at}");
        fine(&a.piped(&text, &["learn", "-"]));
        let (kept, own) = fact(&a, at + 1);
        assert_eq!(kept, format!("Price {at}"), "{labels}");
        assert_eq!(own, *tags, "{labels}");
        let topic = format!("price-{at}");
        fine(&a.piped(&text, &["knowledge", "write", &topic, "-"]));
        let file = a.read(&format!("knowledge/{topic}.md"));
        assert!(file.ends_with(&format!("\n\nPrice {at}\n")), "{labels}: {file}");
        let written = a.json(&["knowledge", "show", &topic])["data"]["tags"].clone();
        assert_eq!(written, json!(tags), "{labels}");
    }
}

#[test]
fn a_number_of_something_is_no_tag() {
    let world = World::new();
    let a = named(&world);
    for (at, sentence) in SENTENCES.iter().enumerate() {
        let text = format!("{sentence}\n\nmore {at}");
        let said = a.piped(&text, &["learn", "-"]);
        fine(&said);
        assert!(!said.out.contains("  tags "), "{sentence}: {}", said.out);
        assert_eq!(fact(&a, at + 1), (text.clone(), Vec::new()), "{sentence}");
        let topic = format!("more-{at}");
        fine(&a.piped(&text, &["knowledge", "write", &topic, "-"]));
        let file = a.read(&format!("knowledge/{topic}.md"));
        assert!(file.ends_with(&format!("\n\n{text}\n")), "{sentence}: {file}");
    }
}

#[test]
fn tags_taken_from_a_text_are_told() {
    let world = World::new();
    let a = named(&world);
    let labelled = [
        "Tags: beer, wine",
        "tags: #beer #wine",
        "tags:\n- beer\n- wine",
        "---\ntags: [beer, wine]\n---",
        "---\nTags:\n- beer\n- wine\n---",
    ];
    let mut client = Client::ready(&a, &["--tools", "save_memory"]);
    for (at, labels) in labelled.iter().enumerate() {
        let id = 2 * at + 1;
        let said = a.piped(&format!("{labels}\n\nPrice {at}"), &["learn", "-"]);
        fine(&said);
        let line = format!("  tags beer, wine, from the text; `co edit {id} --tag …` changes them");
        assert!(said.out.lines().any(|told| told == line), "{labels}: {}", said.out);
        let told = json!({ "content": format!("{labels}\n\nTold {at}") });
        let said = client.call_ok("save_memory", told);
        assert!(said.contains("Note: tags beer, wine, from the text\n"), "{labels}: {said}");
    }
    client.end();
    a.co(&["learn", "-t", "ale", "Something else"]);
    let id = (2 * labelled.len() + 1).to_string();
    let said = a.piped("tags: ale, #stout\n\nSomething new", &["edit", &id, "-"]);
    fine(&said);
    insta::assert_snapshot!(whole(&said.out), @"
    ✓ Edited fact 11: Something new
      was: Something else
      tags: ale → ale, stout
      tags stout, from the text; `co edit 11 --tag …` changes them
    ");
    // What was given by option, or is there already, was not taken from the text.
    let said = a.piped("tags: red\n\nA wine", &["learn", "-t", "red", "-"]);
    fine(&said);
    insta::assert_snapshot!(whole(&said.out), @"
    ✓ Saved memory 12: 012-a-wine.md
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/012-a-wine.md
    ");
    let said = a.piped("tags: [red, white]\n\nA wine", &["learn", "-"]);
    insta::assert_snapshot!(whole(&said.out), @"
    ✓ Already saved as fact 12: 012-a-wine.md; new tags: white
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/012-a-wine.md
    ");
    let said = a.piped("No tags at all", &["learn", "-t", "x", "-"]);
    fine(&said);
    insta::assert_snapshot!(whole(&said.out), @"
    ✓ Saved memory 13: 013-no-tags-at-all.md
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/013-no-tags-at-all.md
    ");
}
