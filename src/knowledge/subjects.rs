//! Words that indicate what a text is about.
//!
//! Invariant: lower case; a word is in only one row per table. A row is `topic: word, word`.

use std::sync::LazyLock;

/// A topic, and the words that indicate it.
pub(super) type Table = Vec<(&'static str, Vec<&'static str>)>;

fn table(text: &'static str) -> Table {
    let row = |line: &'static str| {
        let (topic, words) = line.split_once(": ")?;
        Some((topic, words.split(", ").collect()))
    };
    text.lines().filter_map(row).collect()
}

/// A topic, with the names of things that belong to it: these are also entities. Those without a
/// topic are only entities.
pub(super) static THINGS: LazyLock<Table> =
    LazyLock::new(|| table(include_str!("words/things.txt")));

/// A topic, with the common words that indicate it.
pub(super) static WORDS: LazyLock<Table> = LazyLock::new(|| table(include_str!("words/words.txt")));

/// A type, with the openings and phrases that indicate it.
pub(super) const SIGNS: &[(&str, &[&str])] = &[
    (
        "meeting",
        &[
            "meeting",
            "stand-up",
            "standup",
            "retrospective",
            "attendees",
            "minutes of",
            "agenda",
            "1:1",
        ],
    ),
    (
        "decision",
        &[
            "decision",
            "we decided",
            "decided to",
            "we chose",
            "chosen over",
            " instead of ",
            "rationale",
        ],
    ),
    ("preference", &["prefers ", "preference", "preferences", "i like ", "likes to "]),
    (
        "person",
        &[
            "is the tech lead",
            "is a colleague",
            "birthday",
            "is my ",
            "works at ",
            "works as ",
            "product manager",
            "advisor",
        ],
    ),
    (
        "project",
        &["project overview", "project summary", "this project", "roadmap", "the project is"],
    ),
    (
        "reference",
        &[
            "how to",
            "guide",
            "checklist",
            "setup",
            "set up",
            "install",
            "steps",
            "cheat sheet",
            "reference",
            "workflow",
            "pricing",
        ],
    ),
];

/// Capitalised words that are not names.
pub(super) static NO_NAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/no_names.txt").split_whitespace().collect());
