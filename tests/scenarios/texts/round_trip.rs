//! Random texts through every way by which a text comes in: each comes out as it was written.
//!
//! `CO_TEXTS=200 cargo test --test it made_up_texts` tries more of them, `CO_TEXTS_FROM=17
//! CO_TEXTS=1` repeats one.

use crate::support::{
    Laptop, World, client::Client, dice::Dice, stories::number, terminal::screen, web::Site,
};
use serde_json::json;
use std::fs;

/// Pieces of lines: what editors, models, chats and shells write.
const PIECES: &[&str] = &[
    "tea",
    "我喜欢乌龙茶。",
    "שלום עולם",
    "café",
    "cafe\u{301}",
    "👩‍👩‍👧",
    "Vec<T>",
    "{{ name }}",
    "@ann",
    "#934",
    "[x](https://e.org/a?b=c&d=%20)",
    "`code`",
    "**bold**",
    "<br>",
    "a\tb",
    "\"quoted\"",
    "it's",
    "50%",
    "C:\\temp",
    "--yes",
    "key: value",
    "type: user",
    "~",
    "…",
    "\u{a0}",
    "x  y",
    "\u{ad}",
    "|",
    "$HOME",
    "&amp;",
];
/// How a line may begin.
const STARTS: &[&str] =
    &["", "", "", "", "- ", "* ", "1. ", "> ", "    ", "## ", "- [CRITICAL] ", "\t"];
/// Lines of their own.
const LINES: &[&str] =
    &["", "", "---", "***", "```", "<rules>", "</rules>", "tags: a, b", "| a | b |"];

fn words(dice: &mut Dice) -> String {
    let count = 1 + dice.below(5);
    (0..count).map(|_| dice.one_of(PIECES)).collect::<Vec<_>>().join(" ")
}

/// No label, and no blank at either end.
fn made_up(dice: &mut Dice, at: u64) -> String {
    let mut lines = vec![format!("Text {at} of {}.", words(dice))];
    for _ in 0..dice.below(9) {
        let line = if dice.below(4) == 0 {
            dice.one_of(LINES).to_owned()
        } else {
            format!("{}{}", dice.one_of(STARTS), words(dice))
        };
        lines.push(line);
    }
    lines.push(format!("And so it ends{}", dice.one_of(&[".", "!", "", " 茶", " `x`"])));
    lines.join("\n")
}

/// As some program saves it.
fn saved(dice: &mut Dice, text: &str) -> String {
    let ended = match dice.below(3) {
        0 => text.replace('\n', "\r\n"),
        1 if dice.below(3) == 0 => text.replace('\n', "\r"),
        _ => text.to_owned(),
    };
    let mark = dice.one_of(&["", "", "\u{feff}", "\u{feff}\u{feff}"]);
    format!("{mark}{ended}{}", dice.one_of(&["", "\n", "\r\n"]))
}

/// What follows the frontmatter.
fn body(text: &str) -> String {
    let behind = text.splitn(3, "---\n").nth(2).unwrap_or(text);
    behind.trim_matches('\n').to_owned()
}

/// The facts as their files have them.
fn facts(a: &Laptop) -> Vec<String> {
    let is_fact = |path: &str| path.starts_with("knowledge/memories/") && path.ends_with(".md");
    let files = a.tree().into_iter().filter(|(path, _)| is_fact(path));
    files.map(|(_, bytes)| body(&String::from_utf8(bytes).expect("text"))).collect()
}

struct Doors<'a> {
    a: &'a Laptop,
    world: &'a World,
    expected: &'a str,
    broken: Vec<String>,
}

impl Doors<'_> {
    fn note(&mut self, door: &str, found: &[String]) {
        if found != [self.expected] {
            self.broken.push(format!("{door}: {found:?}"));
        }
    }

    /// One fact comes in, is looked at and forgotten for good.
    fn fact(&mut self, door: &str, comes: impl FnOnce(&Laptop)) {
        comes(self.a);
        let found = facts(self.a);
        self.note(door, &found);
        fs::remove_dir_all(self.a.identity().join("knowledge/memories")).ok();
        fs::remove_file(self.a.identity().join("knowledge/forgotten.md")).ok();
    }

    fn document(&mut self, door: &str, comes: impl FnOnce(&Laptop, &str)) {
        let topic = format!("notes/{}", door.replace([' ', '.', '-', '_'], ""));
        comes(self.a, &topic);
        let file = self.a.identity().join(format!("knowledge/{topic}.md"));
        let found: Vec<String> = fs::read_to_string(file).iter().map(|text| body(text)).collect();
        self.note(door, &found);
    }

    fn file(&self, name: &str, text: &str) -> String {
        let file = self.world.path(name);
        fs::write(&file, text).expect("written");
        file.display().to_string()
    }
}

fn ran(said: &crate::support::Said) {
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

fn facts_come_in(doors: &mut Doors<'_>, typed: &str) {
    let a = doors.a;
    doors.fact("learn", |a| ran(&a.try_co(&["learn", "--", typed])));
    doors.fact("learn -", |a| ran(&a.piped(typed, &["learn", "-"])));
    doors.fact("edit", |a| {
        a.co(&["learn", "Another text"]);
        ran(&a.try_co(&["edit", "1", "--", typed]));
    });
    doors.fact("edit -", |a| {
        a.co(&["learn", "Another text"]);
        ran(&a.piped(typed, &["edit", "1", "-"]));
    });
    let given = doors.file("typed", typed);
    let script = doors.file("editor.sh", &format!("cp '{given}' \"$1\"\n"));
    doors.fact("an editor", |a| {
        a.co(&["learn", "Another text"]);
        screen(&a.with_env("EDITOR", &format!("sh {script}")), 80, &["edit", "1"], &[]);
    });
    doors.fact("save_memory", |a| {
        let mut client = Client::ready(a, &["--tools", "save_memory"]);
        client.call_ok("save_memory", json!({ "content": typed }));
        client.end();
    });
    doors.fact("the page", |a| {
        Site::entered(a, &[]).data("learn", &json!({ "text": typed, "tags": [] }));
    });
    let entry = json!({ "memory": typed, "id": "x" });
    for (door, name, text) in [
        ("import of JSON", "export.json", json!([entry]).to_string()),
        ("import of JSON lines", "export.jsonl", format!("{entry}\n")),
    ] {
        let file = doors.file(name, &text);
        doors.fact(door, |a| {
            ran(&a.try_co(&["agent", "import", "--from", &file, "--similar", "--yes"]));
        });
    }
    // What another identity has.
    let b = doors.world.laptop("b");
    if !b.identity().exists() {
        b.co(&["init", "--yes", "--name", "Bo"]);
    }
    b.piped(typed, &["learn", "-"]);
    let archive = doors.world.path("b.tar.gz").display().to_string();
    fs::remove_file(&archive).ok();
    b.co(&["export", &archive]);
    b.co(&["forget", "--yes", "1"]);
    fs::remove_dir_all(b.identity().join("knowledge/memories")).ok();
    fs::remove_file(b.identity().join("knowledge/forgotten.md")).ok();
    doors.fact("import of an archive", |_| ran(&a.try_co(&["import", "--yes", &archive])));
}

fn documents_come_in(doors: &mut Doors<'_>, typed: &str) {
    doors.document("knowledge write -", |a, topic| {
        ran(&a.piped(typed, &["knowledge", "write", topic, "-"]));
    });
    doors.document("knowledge_write", |a, topic| {
        let mut client = Client::ready(a, &["--tools", "knowledge_write"]);
        client.call_ok("knowledge_write", json!({ "topic": topic, "content": typed }));
        client.end();
    });
    for ending in ["md", "txt", "mdc"] {
        let file = doors.file(&format!("added.{ending}"), typed);
        doors.document(&format!("add .{ending}"), |a, topic| {
            ran(&a.try_co(&["knowledge", "add", &file, "--topic", topic]));
        });
        doors.a.co(&["knowledge", "delete", "--yes", "--in", "notes"]);
    }
    let before = doors.a.tree();
    let mut client = Client::ready(doors.a, &["--tools", "save_knowledge"]);
    client.call_ok("save_knowledge", json!({ "content": typed, "title": "Given" }));
    client.end();
    let came: Vec<String> = doors
        .a
        .tree()
        .into_iter()
        .filter(|file| {
            file.0.ends_with(".md") && file.0.contains("given") && !before.contains(file)
        })
        .map(|(_, bytes)| body(&String::from_utf8(bytes).expect("text")))
        .collect();
    doors.note("save_knowledge", &came);
}

#[test]
fn made_up_texts_come_out_of_every_door_as_they_were_written() {
    let (from, count) = (number("CO_TEXTS_FROM", 0), number("CO_TEXTS", 3));
    let mut broken = String::new();
    for at in from..from + count {
        let mut dice = Dice::new(at);
        let text = made_up(&mut dice, at);
        let typed = saved(&mut dice, &text);
        let world = World::new();
        let a = world.laptop("a");
        a.co(&["init", "--yes", "--name", "Ada"]);
        let mut doors = Doors { a: &a, world: &world, expected: &text, broken: Vec::new() };
        facts_come_in(&mut doors, &typed);
        documents_come_in(&mut doors, &typed);
        if !doors.broken.is_empty() {
            broken.push_str(&format!("\n{at}: {typed:?}\n  {}", doors.broken.join("\n  ")));
        }
    }
    assert!(broken.is_empty(), "{broken}");
}
