//! `co forget`: by a handle or by words, several at once, and what is never guessed.

use crate::support::{World, ready::laptop, whole::whole};

#[test]
fn forgetting_takes_a_handle_or_words_and_never_guesses() {
    let world = World::new();
    let a = laptop(&world, "a");
    for text in ["Prefers tabs over spaces", "Prefers tabs in Makefiles", "Lives in Seattle"] {
        a.co(&["learn", text]);
    }
    insta::assert_snapshot!(whole(&a.fails(3, &["forget", "tabs"])), @"
    error: `tabs` matches several facts
    hint: 1-3566  Prefers tabs over spaces
    hint: 2-61d6  Prefers tabs in Makefiles
    hint: name one by its handle
    ");
    assert_eq!(a.facts().len(), 3);
    a.fails(5, &["forget", "zebra"]);
    a.fails(5, &["forget", "99"]);
    assert_eq!(a.co(&["forget", "3"]), "✓ Forgot fact 3: Lives in Seattle\n");
    insta::assert_snapshot!(whole(&a.fails(3, &["forget", "Makefiles"])), @r#"
    error: "Prefers tabs in Makefiles" would be forgotten, but there is no terminal to ask on
    hint: name it with `co forget 2`, or use `--yes` to confirm
    "#);
    a.fails(5, &["forget", "akefil", "--yes"]);
    assert_eq!(
        a.co(&["forget", "Makefiles", "--yes"]),
        "✓ Forgot fact 2: Prefers tabs in Makefiles\n"
    );
    assert_eq!(
        a.read("knowledge/forgotten.md").lines().filter(|line| line.starts_with("- ")).count(),
        2
    );
    assert!(!a.read("knowledge/forgotten.md").contains("Seattle"));
    let again = a.json(&["learn", "Lives in Seattle"]);
    assert_eq!(again["data"]["known"], false);
    assert_eq!(a.facts(), ["Lives in Seattle", "Prefers tabs over spaces"]);
}

#[test]
fn a_fact_whose_name_is_a_secret_can_be_forgotten() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Likes tea"]);
    let text = "---\nid: 9\ncreated: 2026-01-01T00:00:00+00:00\n---\n\nLikes coffee\n";
    let name = ["009-AKIA", "Z7Q3MXT2PLWVB4KD.md"].concat();
    a.write(&format!("knowledge/memories/{name}"), text);
    a.co(&["list"]);
    assert!(a.co(&["show", "9"]).contains("Likes coffee"));
    a.co(&["forget", "9"]);
    assert_eq!(a.facts(), ["Likes tea"]);
}

#[test]
fn several_facts_are_forgotten_and_brought_back_at_once() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["One thing", "Another matter", "A third"] {
        a.co(&["learn", fact]);
    }
    a.co(&["forget", "1", "3", "--yes"]);
    assert_eq!(a.facts(), ["Another matter"]);
    a.co(&["undo", "--yes"]);
    assert_eq!(a.facts().len(), 3);
    // What a person did not change is no operation of theirs.
    a.co(&["sync"]);
    let log = a.co(&["log"]);
    assert!(!log.contains("by hand"), "{log}");
}
