//! Labels within a text: what is meant as labels is read, or named if it cannot be; a sentence and
//! ordinary Markdown stay text.

use crate::support::{
    Laptop, Said, World, body, client::Client, in_process::ran_apart, ready::named, whole::whole,
};
use serde_json::json;
use std::fs;

/// Blocks that are no YAML mapping, with labels that their writer would miss.
const UNREADABLE: &[&str] = &[
    "! x\ntitle: Tea\ntags: [a]",
    "> folded\ntitle: Tea",
    "[a, b\ntitle: Tea",
    "A plain line\ntags: [a]",
    "|\n  x\ntitle: Tea",
    "- a\n- b\ntitle: Tea",
    "%YAML 1.2\ntitle: Tea",
    "`x`\nname: tea\nmood: calm",
    "{\n  \"title\": \"Tea\",\n  \"tags\": [\"a\"]\n}",
    "{\"title\": \"Tea\", \"tags\": [\"a\"]}",
    "{title: Tea}",
];
/// Blocks that are one, and do not look like it at first.
const READABLE: &[&str] = &[
    "# a comment\ntitle: Green tea",
    "? title\n: Green tea",
    "\ntitle: Green tea\n",
    "!!map\ntitle: Green tea",
    "\"title\" : Green tea",
    "...\ntitle: Green tea",
    "title: Green tea\nmore: |\n  --- x\n  text",
];
const SAYS: &str = "the text begins with a `---` block, which was kept as text";

/// The file of the fact with this text.
fn fact(a: &Laptop, text: &str) -> Option<(String, String)> {
    let files = a.tree().into_iter().filter(|(path, _)| path.contains("knowledge/memories/"));
    files
        .map(|(path, bytes)| (path, String::from_utf8(bytes).expect("text")))
        .find(|(_, file)| file.starts_with("---\n") && body(file) == text)
}

fn is_named(a: &Laptop, path: &str) -> bool {
    let found = a.checked()["findings"].clone();
    let is_it = |finding: &serde_json::Value| {
        let at = finding["path"].as_str().is_some_and(|at| at.contains(path));
        at && finding["code"] == "second-frontmatter"
    };
    found.as_array().expect("findings").iter().any(is_it)
}

#[test]
fn a_block_that_is_no_mapping_is_kept_as_text_and_named() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "save_memory,knowledge_write"]);
    let fine = |said: Said, what: &str| {
        assert_eq!(said.code, 0, "{what}: {}", said.err);
        assert!(said.err.contains(SAYS), "{what}: {}", said.err);
    };
    for (at, block) in UNREADABLE.iter().enumerate() {
        let text = format!("---\n{block}\n---\n\nSteep at {at}.");
        let kept = |topic: &str| {
            let path = format!("knowledge/{topic}.md");
            assert_eq!(body(&a.read(&path)), text, "{topic}");
            assert!(is_named(&a, &path), "{topic}: {text}");
        };
        let topic = format!("pipe-{at}");
        fine(a.piped(&text, &["knowledge", "write", &topic, "-"]), &text);
        kept(&topic);
        let topic = format!("tool-{at}");
        let said = client.call_ok("knowledge_write", json!({ "topic": topic, "content": text }));
        assert!(said.contains(SAYS), "{said}");
        kept(&topic);
        for ending in ["md", "mdc", "mdx", "txt"] {
            let file = world.path(&format!("given-{at}.{ending}"));
            fs::write(&file, format!("{text}\n")).expect("written");
            let topic = format!("{ending}-{at}");
            let told = a.added(&file, &topic).oddities.kept_block;
            assert!(told.is_some_and(|told| told.contains(SAYS)), "{topic}: {told:?}");
            kept(&topic);
            a.deleted(&topic);
        }
        fine(a.piped(&text, &["learn", "-"]), &text);
        let (path, _) = fact(&a, &text).unwrap_or_else(|| panic!("no fact {text}"));
        assert!(is_named(&a, path.rsplit('/').next().expect("a name")), "{path}: {text}");
        let told = format!("{text} Told by an agent.");
        let said = client.call_ok("save_memory", json!({ "content": told }));
        assert!(said.contains(SAYS) && fact(&a, &told).is_some(), "{said}");
    }
    client.end();
    // One of them, by the program.
    let given = world.path("given-0.md").display().to_string();
    fine(a.try_co(&["knowledge", "add", &given, "--topic", "md-0"]), &given);
    a.co(&["knowledge", "delete", "--yes", "md-0"]);
    a.co(&["learn", "Something else"]);
    let (path, _) = fact(&a, "Something else").expect("a fact");
    let id = path.rsplit('/').next().expect("a name")[..3].trim_start_matches('0').to_owned();
    let edited = "---\n! x\ntitle: Tea\n---\n\nSteep at 90.";
    fine(a.try_co(&["edit", &id, "--", edited]), "edit");
    assert!(fact(&a, edited).is_some());
}

#[test]
fn a_block_that_is_a_mapping_gives_its_labels() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = named(&world);
    for (at, block) in READABLE.iter().enumerate() {
        for (form, before) in ["", "\n\n", " \n\t\n", "\u{feff}"].into_iter().enumerate() {
            let text = format!("{before}---\n{block}\n---\n\nSteep at {at}.\n");
            let topic = format!("pipe-{at}-{form}");
            let told = a.wrote(&topic, &text, &[]).oddities.kept_block;
            assert_eq!(told, None, "{text}");
            let path = format!("knowledge/{topic}.md");
            assert_eq!(body(&a.read(&path)), format!("Steep at {at}."), "{text}");
            let file = a.read(&path);
            assert!(file.contains("title: Green tea\n"), "{text}: {file}");
            assert!(!is_named(&a, &path), "{text}");
        }
    }
    // By the program.
    a.piped("---\n---\n\nSteep at 70.\n", &["knowledge", "write", "empty", "-"]);
    assert_eq!(body(&a.read("knowledge/empty.md")), "Steep at 70.");
    let text = "\u{feff}---\n# a comment\ntitle: Green tea\n---\n\nSteep at 70.\n";
    let said = a.piped(text, &["knowledge", "write", "whole", "-"]);
    assert!(said.code == 0 && !said.err.contains("block"), "{}", said.err);
    assert!(a.read("knowledge/whole.md").contains("title: Green tea\n"));
}

#[test]
fn rules_with_prose_between_them_are_ordinary_markdown() {
    let world = World::new();
    let a = named(&world);
    let prose = [
        "---\n\nSome prose.\n\n---\n\nMore of it.",
        "---\n# A heading\n---\n\nText.",
        "---\n- one\n- two\n---\n\nText.",
        "---\n> a quote\n---\n\nText.",
        "---\nA heading below a rule\n---\n\nText.",
        "---\n\nSome prose.\n\ntitle: a word of it\n\n---\n\nText.",
        "---\n```yaml\ntitle: Tea\n```\n---\n\nText.",
        "---\n! x\n---\n\nText.",
        "---\n\nOne rule only.\n\ntitle: Tea",
    ];
    for (at, text) in prose.iter().enumerate() {
        let topic = format!("pipe-{at}");
        let said = a.piped(text, &["knowledge", "write", &topic, "-"]);
        assert!(said.code == 0 && !said.err.contains("block"), "{text}: {}", said.err);
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), *text);
        let said = a.piped(text, &["learn", "-"]);
        assert!(said.code == 0 && !said.err.contains("block"), "{text}: {}", said.err);
        assert!(fact(&a, text).is_some(), "{text}");
    }
    a.write(
        "knowledge/note.md",
        "---\ntitle: X\n---\n\n---\n\nNote: on tea, steep at 70\n\n---\n\nText.\n",
    );
    insta::assert_snapshot!(whole(&a.try_co(&["check"]).out), @"✓ 25 files, nothing wrong.");
    let joined = "---\ntitle: X\n---\n\n---\ntitle: Y\ntags: [a]\n---\n\nText.\n";
    a.write("knowledge/joined.md", joined);
    insta::assert_snapshot!(whole(&a.try_co(&["check"]).out), @"
    identity/knowledge/joined.md:5  warning [second-frontmatter]
        a second `---` block follows the first, and co reads it as text; keep one, with the keys of both, each as `key: value` on its own line
    1 problem in 26 files.
    ");
}

#[test]
fn a_line_of_tags_is_a_label_in_whatever_form() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = named(&world);
    let labelled = [
        "tags: green, hot",
        "Tags: green, hot",
        "TAGS: [green, hot]",
        "tags:\n- green\n- hot",
        "Tags:\n  - green\n  - \"hot\"",
        "tags: 'green', \"hot\"",
        "---\nTags: [green, hot]\n---",
        "---\nTags:\n- green\n- hot\n---",
    ];
    for (at, labels) in labelled.iter().enumerate() {
        let plain = format!("Steep at {at}.");
        let text = format!("{labels}\n\n{plain}\n");
        let is_tagged = |file: &str| {
            assert_eq!(body(file), plain, "{labels}");
            assert!(file.contains("tags: [green, hot]\n"), "{labels}: {file}");
            assert_eq!(file.to_lowercase().matches("tags:").count(), 1, "{labels}: {file}");
        };
        let topic = format!("pipe-{at}");
        assert_eq!(a.piped(&text, &["knowledge", "write", &topic, "-"]).code, 0);
        is_tagged(&a.read(&format!("knowledge/{topic}.md")));
        for ending in ["md", "txt"] {
            let file = world.path(&format!("given-{at}.{ending}"));
            fs::write(&file, &text).expect("written");
            let topic = format!("{ending}-{at}");
            a.added(&file, &topic);
            is_tagged(&a.read(&format!("knowledge/{topic}.md")));
            a.deleted(&topic);
        }
        assert_eq!(a.piped(&text, &["learn", "-"]).code, 0);
        let (_, file) = fact(&a, &plain).unwrap_or_else(|| panic!("no fact of {text}"));
        is_tagged(&file);
    }
}

#[test]
fn tags_stand_right_above_a_document_that_is_no_sentence() {
    let world = World::new();
    let a = named(&world);
    for (at, (labels, below)) in [
        ("tags: green, hot", "# Tea"),
        ("tags: green,hot", "Steep at 70."),
        ("Tags: green, hot", "- Steep at 70."),
        ("tags: [green, hot]", "steep at 70."),
        ("tags: 'green', \"hot\"", "steep at 70."),
        ("tags:\n- green\n- hot", "Steep at 70."),
        ("TAGS: green, hot", "1. Steep at 70."),
    ]
    .into_iter()
    .enumerate()
    {
        let topic = format!("pipe-{at}");
        let text = format!("{labels}\n{below}");
        assert_eq!(a.piped(&text, &["knowledge", "write", &topic, "-"]).code, 0);
        let file = a.read(&format!("knowledge/{topic}.md"));
        assert_eq!(body(&file), below, "{labels}");
        assert!(file.contains("tags: [green, hot]\n"), "{labels}: {file}");
    }
}

#[test]
fn every_spelling_of_tags_gives_its_tags() {
    let world = World::new();
    let a = named(&world);
    let spellings = [
        ("Tags: [green]\ntags: [hot]", "green hot"),
        ("tags: [green]\nTags: [hot]", "green hot"),
        ("Tags:\n  - green\ntags: hot", "green hot"),
        ("TAGS: [green, hot]\ntags: [hot]", "green hot"),
        ("Tags: green\ntitle: Tea\nTAGS: hot", "green hot"),
        ("tags:\nTags: [green, hot]", "green hot"),
        ("Tags: []\ntags: [hot]\nTAGS: [green]", "green hot"),
    ];
    for (at, (labels, wanted)) in spellings.into_iter().enumerate() {
        let plain = format!("Steep at {at}.");
        let text = format!("---\n{labels}\n---\n\n{plain}\n");
        let is_tagged = |file: &str| {
            assert_eq!(body(file), plain, "{labels}");
            let line = file.lines().find(|line| line.to_lowercase().starts_with("tags:"));
            let line = line.unwrap_or_else(|| panic!("{labels}: {file}"));
            let listed = line.strip_prefix("tags: [").and_then(|rest| rest.strip_suffix(']'));
            let mut tags: Vec<&str> = listed.expect("a list").split(", ").collect();
            tags.sort_unstable();
            assert_eq!(tags.join(" "), wanted, "{labels}: {file}");
            assert_eq!(file.to_lowercase().matches("tags:").count(), 1, "{labels}: {file}");
        };
        let topic = format!("pipe-{at}");
        assert_eq!(a.piped(&text, &["knowledge", "write", &topic, "-"]).code, 0);
        is_tagged(&a.read(&format!("knowledge/{topic}.md")));
        let said = a.piped(&text, &["learn", "-"]);
        assert!(said.code == 0 && !said.err.contains("`Tags`"), "{labels}: {}", said.err);
        let (_, file) = fact(&a, &plain).unwrap_or_else(|| panic!("no fact of {text}"));
        is_tagged(&file);
    }
}

/// Nobody can answer a warning about what a fact says.
#[test]
fn a_fact_may_begin_with_rules_and_lines_that_look_like_labels() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = named(&world);
    for (at, (block, is_hinted)) in [
        ("Note: remember\nOther: thing", true),
        ("\nNote: x", false),
        ("Note: x", false),
        ("Who: Ann\nWhen: at noon\n\nWhere: the station", true),
        ("# Plan\nFirst: tea\nThen: toast", true),
        ("Monday: tea\nTuesday: coffee\nand water", true),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("---\n{block}\n---\nthing {at}");
        let said = a.piped(&text, &["learn", "-"]);
        assert_eq!((said.code, said.err.contains(SAYS)), (0, is_hinted), "{text}: {}", said.err);
        let (path, _) = fact(&a, &text).unwrap_or_else(|| panic!("no fact {text}"));
        assert!(!is_named(&a, path.rsplit('/').next().expect("a name")), "{text}");
    }
    let text = "---\nA plain line\ntags: [a]\n---\nthing";
    a.piped(text, &["learn", "-"]);
    let (path, _) = fact(&a, text).expect("a fact");
    assert!(is_named(&a, path.rsplit('/').next().expect("a name")), "{text}");
    // In a document, a second block is most likely that of another file.
    a.write("knowledge/two.md", "---\ntitle: X\n---\n\n---\nmood: calm\nsize: 2\n---\n\nText.\n");
    a.write("knowledge/one.md", "---\ntitle: X\n---\n\n---\nNote: x\n---\n\nText.\n");
    assert!(is_named(&a, "two.md") && !is_named(&a, "one.md"));
}

#[test]
fn a_sentence_that_begins_with_tags_stays_text() {
    if ran_apart() {
        return;
    }
    let world = World::new();
    let a = named(&world);
    for (at, sentence) in [
        "tags: are how git marks releases, and I never move them",
        "Tags: signed ones only, please.",
        "tags: we sign them",
        "tags:\n- are never moved by anyone\n- are signed by me",
        "tags: sure!",
        "Tags: see the list at https://e.org/a",
        "tags:\nthe way git marks releases",
        "Tags: signed,\nannotated ones only are what I use.",
        "tags: rolling releases\nare what I prefer, whatever they say.",
        "tags: rolling, stable\nand nothing between them",
        "Tags: signed,\nI use no others.",
        "tags: signed\n`git tag -s` makes them",
        "tags: long sentences\nBroken in the middle",
        "tags:\n- signed\n- annotated\nare what I use",
        "Tags: none",
        "tags: N/A",
        "Tags: -",
    ]
    .iter()
    .enumerate()
    {
        let text = format!("{sentence}\n\nAnd more, {at}.");
        let topic = format!("pipe-{at}");
        a.wrote(&topic, &text, &[]);
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), text);
        let file = world.path(&format!("given-{at}.md"));
        fs::write(&file, &text).expect("written");
        let topic = format!("md-{at}");
        a.added(&file, &topic);
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), text);
        assert_eq!(a.piped(&text, &["learn", "-"]).code, 0);
        assert!(fact(&a, &text).is_some(), "{text}");
    }
}
