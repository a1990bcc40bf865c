//! A text is stored the same whichever way it comes in: without byte order mark, with LF line ends,
//! and with its labels taken from its frontmatter.

use crate::support::{
    Laptop, World, client::Client, ready::named, terminal::screen, tokens::token, web::Site,
    whole::whole,
};
use serde_json::json;
use std::fs;

const TEXTS: &[&str] = &[
    "Likes oolong tea",
    "First line\nsecond line\n\nlast line of it",
    "Issue #934 waits for Vec<T> and {{ name }}, see @ann and [x](https://e.org/a?b=c)",
    "---\n\nA rule of dashes, not labels\n\n---",
    "- [CRITICAL] never push on Fridays\n- [~] maybe later\n\n    indented four",
    "我喜欢在早上喝乌龙茶。\nמחר בבוקר\nNaïve café 👩‍👩‍👧",
    "type: user is only a word here\nand so is metadata: x",
    "tabs\tin the\tmiddle, \"quotes\" and `code` * stars _",
];

/// The same text as other programs save it.
fn saved(text: &str) -> [String; 5] {
    [
        text.to_owned(),
        format!("\u{feff}{text}\n"),
        text.replace('\n', "\r\n"),
        format!("\u{feff}\u{feff}{}\r\n", text.replace('\n', "\r\n")),
        text.replace('\n', "\r"),
    ]
}

/// The one memory, or the one document, behind its frontmatter.
fn body(a: &Laptop, path: &str) -> String {
    let text = a.read(path);
    let mut parts = text.splitn(3, "---\n");
    let body = parts.nth(2).unwrap_or_else(|| panic!("no frontmatter in {text}"));
    body.trim_matches('\n').to_owned()
}

fn only_memory(a: &Laptop) -> String {
    let mut names: Vec<String> = fs::read_dir(a.identity().join("knowledge/memories"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md"))
        .collect();
    assert_eq!(names.len(), 1, "one fact: {names:?}");
    body(a, &format!("knowledge/memories/{}", names.remove(0)))
}

#[test]
fn a_fact_is_one_fact_by_whatever_door_and_with_whatever_mark_it_comes() {
    let world = World::new();
    let a = named(&world);
    for text in TEXTS {
        for typed in saved(text) {
            let learned = a.piped(&typed, &["learn", "-"]);
            assert_eq!(learned.code, 0, "{}", learned.err);
            assert_eq!(only_memory(&a), *text, "learn -");
            assert!(a.co(&["learn", "--", &typed]).contains("Already saved"), "{typed:?}");
            assert_eq!(only_memory(&a), *text, "learn");
            let mut client = Client::ready(&a, &["--tools", "save_memory,knowledge_write"]);
            client.call_ok("save_memory", json!({ "content": typed }));
            client.end();
            assert_eq!(only_memory(&a), *text, "save_memory");
            let site = Site::entered(&a, &[]);
            site.data("learn", &json!({ "text": typed, "tags": [] }));
            drop(site);
            assert_eq!(only_memory(&a), *text, "the page");
            a.co(&["edit", "1", "Something else"]);
            a.piped(&typed, &["edit", "1", "-"]);
            assert_eq!(only_memory(&a), *text, "edit -");
            a.co(&["edit", "1", "Something else"]);
            let script = world.path("editor.sh");
            fs::write(world.path("typed"), &typed).expect("written");
            let copy = format!("cp '{}' \"$1\"\n", world.path("typed").display());
            fs::write(&script, copy).expect("written");
            let editor = world.laptop("a");
            let editor = editor.with_env("EDITOR", &format!("sh {}", script.display()));
            screen(&editor, 80, &["edit", "1"], &[]);
            assert_eq!(only_memory(&a), *text, "an editor");
            a.co(&["forget", "--yes", "1"]);
            fs::remove_dir_all(a.identity().join("knowledge/memories")).expect("removed");
            fs::remove_file(a.identity().join("knowledge/forgotten.md")).expect("removed");
        }
    }
}

#[test]
fn a_document_is_the_same_by_whatever_door() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "save_memory,knowledge_write"]);
    for (at, text) in TEXTS.iter().enumerate() {
        for (form, typed) in saved(text).iter().enumerate() {
            let name = |door: &str| format!("{door}-{at}-{form}");
            let path = |door: &str| format!("knowledge/{}.md", name(door));
            let whole = |said: crate::support::Said| assert_eq!(said.code, 0, "{}", said.err);
            whole(a.piped(typed, &["knowledge", "write", &name("pipe"), "-"]));
            whole(a.try_co(&["knowledge", "write", &name("word"), "--", typed]));
            let file = world.path("given.txt");
            fs::write(&file, typed).expect("written");
            let given = file.display().to_string();
            whole(a.try_co(&["knowledge", "write", &name("file"), "--file", &given]));
            client.call_ok("knowledge_write", json!({ "topic": name("tool"), "content": typed }));
            for door in ["pipe", "word", "file", "tool"] {
                assert_eq!(body(&a, &path(door)), *text, "{door}: {typed:?}");
            }
            for ending in ["md", "txt", "mdc", "mdx"] {
                let file = world.path(&format!("added.{ending}"));
                fs::write(&file, typed).expect("written");
                let topic = name(ending);
                let given = file.display().to_string();
                whole(a.try_co(&["knowledge", "add", &given, "--topic", &topic]));
                assert_eq!(body(&a, &path(ending)), *text, "{ending}: {typed:?}");
                a.co(&["knowledge", "delete", "--yes", &topic]);
            }
        }
    }
    client.end();
    a.co(&["check"]);
}

#[test]
fn labels_that_a_text_brings_along_become_those_of_the_document() {
    let world = World::new();
    let a = named(&world);
    let mut client = Client::ready(&a, &["--tools", "save_memory,knowledge_write"]);
    let text =
        "---\ntitle: Green tea\ntags: [drinks, \"two words\"]\nmood: calm\n---\n\nSteep at 70.\n";
    for (at, typed) in saved(text.trim_end()).iter().enumerate() {
        let given = |ending: &str| {
            let file = world.path(&format!("given.{ending}"));
            fs::write(&file, typed).expect("written");
            file.display().to_string()
        };
        let topic = |door: &str| format!("{door}-{at}");
        a.piped(typed, &["knowledge", "write", &topic("pipe"), "-"]);
        a.co(&["knowledge", "write", &topic("file"), "--file", &given("md")]);
        client.call_ok("knowledge_write", json!({ "topic": topic("tool"), "content": typed }));
        for ending in ["md", "mdc", "mdx", "txt"] {
            a.co(&["knowledge", "add", &given(ending), "--topic", &topic(ending)]);
        }
        for door in ["pipe", "file", "tool", "md", "mdc", "mdx", "txt"] {
            let path = format!("knowledge/{}.md", topic(door));
            let whole = a.read(&path);
            assert_eq!(body(&a, &path), "Steep at 70.", "{door}: {whole}");
            for label in ["title: Green tea", "drinks", "two words", "mood: calm"] {
                assert_eq!(whole.matches(label).count(), 1, "{door}, {label}: {whole}");
            }
            let shown = a.json(&["knowledge", "list", "-t", "two words"]).to_string();
            assert!(shown.contains(&topic(door)), "{door}");
        }
        for door in ["md", "mdc", "mdx", "txt"] {
            a.co(&["knowledge", "delete", "--yes", &topic(door)]);
        }
        // Sent back, a document is itself.
        let before = a.read(&format!("knowledge/{}.md", topic("tool")));
        let said =
            client.call_ok("knowledge_write", json!({ "topic": topic("tool"), "content": before }));
        assert_eq!(a.read(&format!("knowledge/{}.md", topic("tool"))), before, "{said}");
    }
    client.end();
    // A fact keeps the tags, and says what it has no place for.
    let said = a.piped(text, &["learn", "-"]);
    assert!(said.err.contains("`title`, `mood`"), "{}", said.err);
    let fact = a.json(&["list"]).to_string();
    assert!(fact.contains("Steep at 70.") && fact.contains("two words"), "{fact}");
    a.co(&["check"]);
    // What is meant as labels and cannot be read is not kept as text.
    for broken in ["---\ntitle: [x\n---\n\nText\n", "---\ntitle: x\ntitle: y\n---\nText\n"] {
        let said = a.piped(broken, &["knowledge", "write", "broken", "-"]);
        assert_eq!(said.code, 2, "{}", said.err);
        assert!(said.err.contains("frontmatter cannot be read: line "), "{}", said.err);
        let file = world.path("broken.md");
        fs::write(&file, broken).expect("written");
        assert_ne!(a.try_co(&["knowledge", "add", &file.display().to_string()]).code, 0);
        assert!(!a.identity().join("knowledge/broken.md").exists());
    }
    // A secret is found wherever it is in what is carried.
    let token = token();
    for label in
        [format!("mood: {token}"), format!("mood: calm # {token}"), format!("m: [{token}]")]
    {
        let typed = format!("---\ntitle: x\n{label}\n---\n\nText\n");
        let said = a.piped(&typed, &["knowledge", "write", "secret", "-"]);
        assert_eq!(said.code, 6, "{label}: {}", said.err);
        assert!(!a.texts().contains(&token), "{label}");
    }
    // A first line of tags, as in folders of Skynet.
    let skynet = world.path("skynet.txt");
    fs::write(&skynet, "tags: tea, green\n\nSteep at 70.\n").expect("written");
    a.co(&["knowledge", "add", &skynet.display().to_string(), "--topic", "skynet"]);
    assert_eq!(body(&a, "knowledge/skynet.md"), "Steep at 70.");
    assert!(a.read("knowledge/skynet.md").contains("tags: [tea, green]"));
}

/// Edits the fact by one of the doors, with the text as another program saves it.
fn edit(a: &Laptop, world: &World, door: &str, typed: &str) -> String {
    match door {
        "word" => {
            let said = a.try_co(&["edit", "1", "--", typed]);
            said.out + &said.err
        }
        "pipe" => {
            let said = a.piped(typed, &["edit", "1", "-"]);
            said.out + &said.err
        }
        _ => {
            let script = world.path("editor.sh");
            fs::write(world.path("typed"), typed).expect("written");
            let copy = format!("cp '{}' \"$1\"\n", world.path("typed").display());
            fs::write(&script, copy).expect("written");
            let editor = a.with_env("EDITOR", &format!("sh {}", script.display()));
            screen(&editor, 80, &["edit", "1"], &[])
        }
    }
}

#[test]
fn an_edited_fact_keeps_the_tags_of_its_new_text_as_well() {
    let world = World::new();
    let a = named(&world);
    let tags = |a: &Laptop| {
        let all = a.json(&["list"])["data"]["memories"][0]["tags"].clone();
        serde_json::from_value::<Vec<String>>(all).expect("tags")
    };
    let texts = [
        ("---\ntags: [green, \"two words\"]\n---\n\nSteep at 70.", ""),
        ("---\ntitle: Tea\ntags: [green, two words]\nmood: calm\n---\nSteep at 70.", "title mood"),
        ("---\nid: 9\ntags:\n  - green\n  - two words\n---\n\nSteep at 70.\n", "id"),
        ("---\ntags: green, two words\ntype: memory\n---\nSteep at 70.", "type"),
        ("\n\n---\nname: tea\ntags: [two words, green, hot]\n---\nSteep at 70.", "name"),
    ];
    for (text, left_out) in texts {
        for typed in saved(text) {
            for door in ["word", "pipe", "editor"] {
                a.co(&["learn", "-t", "hot", "Something else"]);
                let said = edit(&a, &world, door, &typed);
                assert_eq!(only_memory(&a), "Steep at 70.", "{door}: {said}");
                let mut all = tags(&a);
                assert_eq!(all.first().map(String::as_str), Some("hot"), "{door}: {all:?}");
                all.sort();
                assert_eq!(all, ["green", "hot", "two words"], "{door}: {said}");
                for key in left_out.split_whitespace() {
                    assert!(said.contains(&format!("`{key}`")), "{door}, {key}: {said}");
                }
                assert_eq!(said.contains("left out"), !left_out.is_empty(), "{door}: {said}");
                a.co(&["forget", "--yes", "1"]);
                fs::remove_dir_all(a.identity().join("knowledge/memories")).expect("removed");
                fs::remove_file(a.identity().join("knowledge/forgotten.md")).expect("removed");
            }
        }
    }
    // Tags that are named replace the old ones, and the text's own come with them.
    a.co(&["learn", "-t", "hot", "Something else"]);
    a.co(&["edit", "1", "-t", "cold", "--", "---\ntags: [green]\n---\nSteep at 70."]);
    assert_eq!(tags(&a), ["cold", "green"]);
    // Without frontmatter, and without tags in it, the tags stay.
    for text in ["Steep at 80.", "---\ntitle: x\n---\nSteep at 90.", "---\n\nA rule\n\n---"] {
        a.co(&["edit", "1", "--", text]);
        assert_eq!(tags(&a), ["cold", "green"], "{text}");
    }
    assert_eq!(only_memory(&a), "---\n\nA rule\n\n---");
}

#[test]
fn what_is_left_out_of_a_fact_is_told_as_it_is() {
    let world = World::new();
    let a = named(&world);
    let mut told = String::new();
    for (at, labels) in [
        "id: 9\ntags: [a]",
        "id: 9\ncreated: 2026-01-01\nchecksum: x\ntags: [a]",
        "pinned: true\ntags: [a]",
        "pinned: false\ntags: [a]",
        "mood: calm\ntags: [a]",
        "title: Tea\nmood: calm\ntags: [a]",
        "source: Sarah\npinned: yes\nmood: calm\ntags: [a]",
        "tags: [a]",
    ]
    .into_iter()
    .enumerate()
    {
        let said = a.piped(&format!("---\n{labels}\n---\nSteep at {at}."), &["learn", "-"]).err;
        told += &format!("== {}\n{said}", labels.replace('\n', ", "));
    }
    insta::assert_snapshot!(whole(&told), @"
    == id: 9, tags: [a]
    warning: left out: `id` (co sets it)
    == id: 9, created: 2026-01-01, checksum: x, tags: [a]
    warning: left out: `id`, `created`, `checksum` (co sets them)
    == pinned: true, tags: [a]
    warning: left out: `pinned` (`co pin 3` pins it)
    == pinned: false, tags: [a]
    == mood: calm, tags: [a]
    warning: a fact has only tags: left out `mood`
    == title: Tea, mood: calm, tags: [a]
    warning: a fact has only tags: left out `title`, `mood`
    == source: Sarah, pinned: yes, mood: calm, tags: [a]
    warning: left out: `source` (co sets it), `pinned` (`co pin 7` pins it); a fact has only tags: left out `mood`
    == tags: [a]
    ");
    // One that is pinned stays so.
    a.co(&["pin", "1"]);
    let said = a.piped("---\npinned: true\ntags: [b]\n---\nSteep at 95.", &["edit", "1", "-"]);
    assert!(said.code == 0 && !said.err.contains("left out"), "{}", said.err);
    assert_eq!(a.json(&["show", "1"])["data"]["pinned"], true);
}
