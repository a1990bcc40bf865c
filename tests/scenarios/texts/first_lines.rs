//! What a fact is shown as, in lists, tools, contexts and messages: its first line with a word in
//! it.

use crate::support::{World, client::Client, whole::whole};
use serde_json::json;

/// Texts, and what each is called.
const NAMED: &[(&str, &str)] = &[
    ("---\nFridays are for deploys", "Fridays are for deploys"),
    ("---\n\nOolong in the morning\n\n---\n\nGreen at noon.", "Oolong in the morning …"),
    ("```sh\nmake release\n```", "make release …"),
    ("~~~\nuv sync --locked\n~~~", "uv sync --locked …"),
    (">\n> Keep it short, he said", "> Keep it short, he said"),
    ("***\n* * *\nThe harbour opens at six", "The harbour opens at six"),
    ("═══════\n\n我喜欢乌龙茶", "我喜欢乌龙茶"),
    ("---\nNote: Ann has a cat\nOther: a dog\n---\nBoth live in Rome", "Note: Ann has a cat …"),
    ("- Plays chess\n- Sings", "- Plays chess …"),
];

#[test]
fn a_fact_is_called_by_its_first_line_with_a_word() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    for (text, _) in NAMED {
        assert_eq!(a.piped(text, &["learn", "-"]).code, 0, "{text}");
    }
    let mut client = Client::ready(&a, &["--tools", "list_memories"]);
    let listed = client.call_ok("list_memories", json!({}));
    client.end();
    let memories = a.json(&["list"])["data"]["memories"].clone();
    let summaries: Vec<&str> = memories
        .as_array()
        .expect("facts")
        .iter()
        .filter_map(|it| it["summary"].as_str())
        .collect();
    assert_eq!(summaries.len(), NAMED.len());
    let (list, context) = (a.co(&["list"]), a.co(&["context"]));
    for (text, name) in NAMED {
        assert!(summaries.contains(name), "{text}: {summaries:?}");
        for (place, said) in [("list", &list), ("the tool", &listed), ("the context", &context)] {
            let is_named = said.lines().any(|line| line.ends_with(&format!(": {name}")));
            assert!(is_named, "{place}: {text}: {said}");
        }
    }
}

#[test]
fn a_similar_fact_and_a_forgotten_one_are_named_by_their_words() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    let text = "---\nWe deploy on Fridays at noon, with Ann present\n---";
    assert_eq!(a.piped(text, &["learn", "-"]).code, 0);
    let said = a.piped(&format!("{text}\nmore"), &["learn", "-"]).out;
    insta::assert_snapshot!(whole(&said), @r#"
    ✓ Saved memory 2: 002-we-deploy-on-fridays-at-noon-with-ann-present.md
    It is similar to 1 "We deploy on Fridays at noon, with Ann present …"; if it is the same fact: `co forget 2`.
    Location: [world]/a/.config/co-cli/identity/knowledge/memories/002-we-deploy-on-fridays-at-noon-with-ann-present.md
    "#);
    insta::assert_snapshot!(whole(&a.co(&["forget", "--yes", "1"])), @"✓ Forgot fact 1: We deploy on Fridays at noon, with Ann present …");
}
