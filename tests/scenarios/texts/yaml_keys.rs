//! Frontmatter keys that co does not know are kept byte for byte, and an edit of one key touches no
//! other.

use crate::support::{World, in_process::ran_apart, ready::laptop};
use co_cli::tested::facts::pin::Pin;
use std::fs;

/// Blocks of a person's own, as other programs write them.
const OWN: &[&str] = &[
    "Rating (1-5): 4",
    "😀: yes",
    "dc:title: Tea",
    "a/b: 1",
    "it's: 1",
    "done?: true",
    "50%: 1",
    "x, y: 1",
    "\"a: b\": 1",
    "'it''s': 1",
    "~: 1",
    "$price: 1",
    "+1: 1",
    "a#b: 1",
    "mood : calm",
    "\"mood\" : calm",
    "naïve café: 1",
    "a.b.c: 1",
    "? long\n: value",
    "[a, b]: 1",
    "{a: b}: 1",
    "tab:\tvalue",
    "own: &own [1, 2]\nsame: *own",
    "own: !mine {x: 1}",
    "own: {b: 1,\n  c: 2}",
    "text: |\n  one\n  two: three",
    "text: \"two\n  lines\"",
];

#[test]
fn a_memory_with_any_key_is_read_edited_and_pinned() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = laptop(&world, "a");
    let stamps = "id: 900\ncreated: 2026-01-01T00:00:00.000001Z\n";
    for own in OWN {
        for block in [format!("{stamps}{own}\n"), format!("{own}\n{stamps}")] {
            let path = "knowledge/memories/900-tea.md";
            a.write(path, &format!("---\n{block}---\n\nLikes tea\n"));
            assert_eq!(a.listed(), ["Likes tea"], "{block}");
            let check = a.checked().to_string();
            assert!(!check.contains("frontmatter-invalid"), "{block}: {check}");
            a.tagged("900", "z");
            a.pinned("900", Pin::On);
            let text = a.read(path);
            assert!(text.contains(own), "carried byte for byte: {text}");
            for line in ["tags: [z]\n", "pinned: true\n", "id: 900\n"] {
                assert_eq!(text.matches(line).count(), 1, "{line}: {text}");
            }
            assert_eq!(a.shown("900").tags, ["z"], "{text}");
            a.pinned("900", Pin::Off);
            assert!(a.read(path).contains("pinned: false\n"), "{}", a.read(path));
        }
    }
    // The last of them, by the program.
    assert_eq!(a.facts(), ["Likes tea"]);
    assert!(!a.try_co(&["check"]).out.contains("frontmatter-invalid"));
    a.co(&["edit", "900", "-t", "y"]);
    a.co(&["pin", "900"]);
    assert!(a.json(&["show", "900"]).to_string().contains("\"y\""));
    a.co(&["pin", "900", "--off"]);
    assert!(a.read("knowledge/memories/900-tea.md").contains("pinned: false\n"));
}

#[test]
fn a_document_with_any_key_keeps_its_title_and_tags() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = laptop(&world, "a");
    for own in OWN {
        let file = world.path("given.md");
        let text = format!("---\ntitle: Green tea\ntags: [a, b]\n{own}\n---\n\nSteep at 70.\n");
        fs::write(&file, text).expect("written");
        a.added(&file, "tea");
        let text = a.read("knowledge/tea.md");
        for part in ["title: Green tea", "tags: [a, b]", own] {
            assert_eq!(text.matches(part).count(), 1, "{part}: {text}");
        }
        assert_eq!(text.matches("\n---\n").count(), 1, "one block: {text}");
        a.wrote("tea", "Steep at 80.", &["c"]);
        let text = a.read("knowledge/tea.md");
        assert!(text.contains(own) && text.contains("tags: [c]"), "{text}");
        let check = a.checked().to_string();
        assert!(!check.contains("frontmatter"), "{own}: {check}");
        a.deleted("tea");
    }
    // The last of them, by the program.
    let file = world.path("given.md");
    a.co(&["knowledge", "add", &file.display().to_string(), "--topic", "tea"]);
    a.co(&["knowledge", "write", "tea", "Steep at 80.", "-t", "c"]);
    let (text, own) = (a.read("knowledge/tea.md"), OWN.last().expect("one"));
    assert!(text.contains(own) && text.contains("tags: [c]"), "{text}");
    assert!(!a.try_co(&["check"]).out.contains("frontmatter"));
    a.co(&["knowledge", "delete", "--yes", "tea"]);
}

#[test]
fn words_for_true_and_false_are_booleans_and_an_end_mark_stays_last() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = laptop(&world, "a");
    let path = "knowledge/memories/900-tea.md";
    let write = |block: &str| {
        let stamps = "id: 900\ncreated: 2026-01-01T00:00:00.000001Z";
        a.write(path, &format!("---\n{stamps}\n{block}\n---\n\nLikes tea\n"));
    };
    for (word, is) in [
        ("true", true),
        ("True", true),
        ("TRUE", true),
        ("yes", true),
        ("\"true\"", true),
        ("false", false),
        ("False", false),
        ("FALSE", false),
        ("no", false),
    ] {
        write(&format!("pinned: {word}"));
        let check = a.checked().to_string();
        assert!(!check.contains("neither true nor false"), "{word}: {check}");
        assert_eq!(a.shown("900").pinned, is, "{word}");
        if is {
            a.pinned("900", Pin::Off);
            assert!(a.read(path).contains("pinned: false\n"), "{word}");
        } else {
            a.pinned("900", Pin::On);
            assert!(a.read(path).contains("pinned: true\n"), "{word}");
        }
    }
    write("pinned: perhaps");
    assert!(a.try_co(&["check"]).out.contains("neither true nor false"));
    // A block may end with `...`: new keys go before it.
    write("mood: calm\n...");
    a.co(&["pin", "900"]);
    let text = a.read(path);
    assert!(text.contains("pinned: true\n") && text.contains("...\n---\n"), "{text}");
    assert!(text.find("pinned") < text.find("...\n"), "{text}");
    // Two keys that are one key, and what is not YAML, are still named.
    for broken in ["\"mood\": a\nmood: b", "a: [", "- a", "a: b: c", "{x: 1}"] {
        write(broken);
        let check = a.checked().to_string();
        assert!(check.contains("\"code\":\"frontmatter-"), "{broken}: {check}");
    }
}
