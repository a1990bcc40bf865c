//! Words that say what a text is about.
//!
//! Invariant: lower case; a word is in one row of each table. A row of a table is `topic: word, word`.

use std::sync::LazyLock;

/// A topic, and the words that stand for it.
pub(super) type Table = Vec<(&'static str, Vec<&'static str>)>;

fn table(text: &'static str) -> Table {
    let row = |line: &'static str| {
        let (topic, words) = line.split_once(": ")?;
        Some((topic, words.split(", ").collect()))
    };
    text.lines().filter_map(row).collect()
}

/// A topic, with the names of things that belong to it: these are entities as well. Those without
/// a topic are entities only.
pub(super) static THINGS: LazyLock<Table> =
    LazyLock::new(|| table(include_str!("words/things.txt")));

/// A topic, with the common words that stand for it.
pub(super) static WORDS: LazyLock<Table> = LazyLock::new(|| table(include_str!("words/words.txt")));

/// A type, with beginnings and turns of phrase that give it away.
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

/// Capitalised words that name nobody.
pub(super) static NO_NAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/no_names.txt").split_whitespace().collect());
