//! A laptop with many facts, questions about them, and its answers with the index and without.

use super::{Laptop, World, index::beside};
use rusqlite::Connection;
use std::{fs, path::PathBuf};

pub const SUBJECTS: [&str; 8] =
    ["pytest", "neovim", "oolong tea", "Berlin", "global warming", "fly.io", "trains", "我的猫"];

pub const VERBS: [&str; 5] = ["prefers", "moved to", "reads about", "deploys with", "fears"];

/// Some facts, compared by their words and the static table: vectors of the encoder have a test of
/// their own.
pub fn laptop(world: &World, name: &str) -> Laptop {
    let a = world.laptop(name);
    a.co(&["init", "--yes"]);
    let settings = r#"{"recall": {"encoder": "off"}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    for (at, subject) in SUBJECTS.iter().enumerate() {
        for (n, verb) in VERBS.iter().enumerate() {
            write_fact(&a, at * VERBS.len() + n + 1, &format!("{verb} {subject}"));
        }
    }
    a
}

/// As in an identity of many facts, the index is compared by its folders.
pub fn with_a_large_store(world: &World) -> Laptop {
    let a = laptop(world, "a");
    let settings = r#"{"recall": {"encoder": "off", "look_at": 5}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    a
}

pub fn path_of(number: usize) -> String {
    format!("knowledge/memories/{number:03}-fact.md")
}

pub fn write_fact(a: &Laptop, number: usize, text: &str) {
    let front = format!(
        "---\nid: {number}\ncreated: 2026-01-{:02}T08:{:02}:00Z\ntags: [t{}]\nsource: user-told\n---\n",
        number % 28 + 1,
        number % 60,
        number % 3
    );
    a.write(&path_of(number), &format!("{front}\n{text}\n"));
}

pub const QUESTIONS: &[&str] = &[
    "pytest",
    "climate change",
    "what does the user prefer?",
    "prefers oolong",
    "\"moved to\" -berlin",
    "nevim",
    "猫",
    "deploy trains in january 2026",
    "fears OR reads",
    "xylophone quartet",
    "reads about fl",
];

/// The answers to all questions, as they are printed; fails on another exit or on more than one
/// warning.
pub fn answers(a: &Laptop) -> String {
    let asked: String = QUESTIONS
        .iter()
        .map(|question| format!("{}\n", serde_json::json!({ "query": question })))
        .collect();
    let said = a.piped(&asked, &["recall", "--batch", "--limit", "7"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.lines().count() <= 1, "{}", said.err);
    assert_eq!(said.out.lines().count(), QUESTIONS.len());
    said.out
}

/// What reading all files answers.
pub fn scanned(a: &Laptop) -> String {
    without_index(a, || answers(a))
}

pub fn without_index(a: &Laptop, ask: impl Fn() -> String) -> String {
    let settings = a.config().join("settings.json");
    let before = fs::read(&settings).expect("settings");
    fs::write(&settings, r#"{"recall": {"encoder": "off", "catalog": false}}"#).expect("written");
    let answer = ask();
    fs::write(&settings, before).expect("written");
    answer
}

/// Removes the index, with its log.
pub fn remove_index(a: &Laptop) {
    let beside: Vec<PathBuf> = ["-wal", "-shm"].iter().map(|end| beside(a, end)).collect();
    fs::remove_file(a.index()).expect("removed");
    beside.iter().for_each(|file| drop(fs::remove_file(file)));
}

/// Brings the log of changes to the index itself, so that damage to its file is damage.
pub fn in_one_file(a: &Laptop) {
    let connection = Connection::open(a.index()).expect("SQLite");
    connection.execute_batch("pragma wal_checkpoint(truncate)").expect("in one file");
}

/// Which rung answers now.
pub fn rung(a: &Laptop) -> String {
    a.json(&["recall", "pytest"])["data"]["rung"].as_str().expect("a rung").to_owned()
}
