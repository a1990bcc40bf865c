//! Labels within a text: what is meant as labels is read, or named if it cannot be; a sentence and
//! ordinary Markdown stay text.

use crate::support::{Laptop, Said, World, client::Client};
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

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Ada"]);
    a
}

fn body(text: &str) -> String {
    let behind = text.splitn(3, "---\n").nth(2);
    behind.unwrap_or_else(|| panic!("no frontmatter in {text}")).trim_matches('\n').to_owned()
}

/// The file of the fact with this text.
fn fact(a: &Laptop, text: &str) -> Option<(String, String)> {
    let files = a.tree().into_iter().filter(|(path, _)| path.contains("knowledge/memories/"));
    files
        .map(|(path, bytes)| (path, String::from_utf8(bytes).expect("text")))
        .find(|(_, file)| file.starts_with("---\n") && body(file) == text)
}

fn is_named(a: &Laptop, path: &str) -> bool {
    let found = a.json(&["check"])["data"]["findings"].clone();
    let is_it = |finding: &serde_json::Value| {
        let at = finding["path"].as_str().is_some_and(|at| at.contains(path));
        at && finding["code"] == "second-frontmatter"
    };
    found.as_array().expect("findings").iter().any(is_it)
}

#[test]
fn a_block_that_is_no_mapping_is_kept_as_text_and_named() {
    let world = World::new();
    let a = laptop(&world);
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
            let (topic, given) = (format!("{ending}-{at}"), file.display().to_string());
            fine(a.try_co(&["knowledge", "add", &given, "--topic", &topic]), &given);
            kept(&topic);
            a.co(&["knowledge", "delete", "--yes", &topic]);
        }
        fine(a.piped(&text, &["learn", "-"]), &text);
        let (path, _) = fact(&a, &text).unwrap_or_else(|| panic!("no fact {text}"));
        assert!(is_named(&a, path.rsplit('/').next().expect("a name")), "{path}: {text}");
        let told = format!("{text} Told by an agent.");
        let said = client.call_ok("save_memory", json!({ "content": told }));
        assert!(said.contains(SAYS) && fact(&a, &told).is_some(), "{said}");
    }
    client.end();
    a.co(&["learn", "Something else"]);
    let (path, _) = fact(&a, "Something else").expect("a fact");
    let id = path.rsplit('/').next().expect("a name")[..3].trim_start_matches('0').to_owned();
    let edited = "---\n! x\ntitle: Tea\n---\n\nSteep at 90.";
    fine(a.try_co(&["edit", &id, "--", edited]), "edit");
    assert!(fact(&a, edited).is_some());
}

#[test]
fn a_block_that_is_a_mapping_gives_its_labels() {
    let world = World::new();
    let a = laptop(&world);
    for (at, block) in READABLE.iter().enumerate() {
        for (form, before) in ["", "\n\n", " \n\t\n", "\u{feff}"].into_iter().enumerate() {
            let text = format!("{before}---\n{block}\n---\n\nSteep at {at}.\n");
            let topic = format!("pipe-{at}-{form}");
            let said = a.piped(&text, &["knowledge", "write", &topic, "-"]);
            assert!(said.code == 0 && !said.err.contains("block"), "{text}: {}", said.err);
            let path = format!("knowledge/{topic}.md");
            assert_eq!(body(&a.read(&path)), format!("Steep at {at}."), "{text}");
            let file = a.read(&path);
            assert!(file.contains("title: Green tea\n"), "{text}: {file}");
            assert!(!is_named(&a, &path), "{text}");
        }
    }
    a.piped("---\n---\n\nSteep at 70.\n", &["knowledge", "write", "empty", "-"]);
    assert_eq!(body(&a.read("knowledge/empty.md")), "Steep at 70.");
}

#[test]
fn rules_with_prose_between_them_are_ordinary_markdown() {
    let world = World::new();
    let a = laptop(&world);
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
    let check = a.try_co(&["check"]).out;
    assert!(!check.contains("second-frontmatter"), "{check}");
    let joined = "---\ntitle: X\n---\n\n---\ntitle: Y\ntags: [a]\n---\n\nText.\n";
    a.write("knowledge/joined.md", joined);
    let check = a.try_co(&["check"]).out;
    assert!(check.contains("joined.md:5") && check.contains("second-frontmatter"), "{check}");
}

#[test]
fn a_line_of_tags_is_a_label_in_whatever_form() {
    let world = World::new();
    let a = laptop(&world);
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
            a.co(&["knowledge", "add", &file.display().to_string(), "--topic", &topic]);
            is_tagged(&a.read(&format!("knowledge/{topic}.md")));
            a.co(&["knowledge", "delete", "--yes", &topic]);
        }
        assert_eq!(a.piped(&text, &["learn", "-"]).code, 0);
        let (_, file) = fact(&a, &plain).unwrap_or_else(|| panic!("no fact of {text}"));
        is_tagged(&file);
    }
}

#[test]
fn a_sentence_that_begins_with_tags_stays_text() {
    let world = World::new();
    let a = laptop(&world);
    for (at, sentence) in [
        "tags: are how git marks releases, and I never move them",
        "Tags: signed ones only, please.",
        "tags: we sign them",
        "tags:\n- are never moved by anyone\n- are signed by me",
        "tags: sure!",
        "Tags: see the list at https://e.org/a",
        "tags:\nthe way git marks releases",
    ]
    .iter()
    .enumerate()
    {
        let text = format!("{sentence}\n\nAnd more, {at}.");
        let topic = format!("pipe-{at}");
        assert_eq!(a.piped(&text, &["knowledge", "write", &topic, "-"]).code, 0);
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), text);
        let file = world.path(&format!("given-{at}.md"));
        fs::write(&file, &text).expect("written");
        let topic = format!("md-{at}");
        a.co(&["knowledge", "add", &file.display().to_string(), "--topic", &topic]);
        assert_eq!(body(&a.read(&format!("knowledge/{topic}.md"))), text);
        assert_eq!(a.piped(&text, &["learn", "-"]).code, 0);
        assert!(fact(&a, &text).is_some(), "{text}");
    }
}
