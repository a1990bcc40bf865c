//! What people do with an identity in generated stories: one list of acts, for laptops that are
//! played in process and for those on which the built program runs.
//!
//! Invariant: an act says what somebody does, never how it is carried out or what must come of it.

use super::Laptop;

/// The keys of a fact in time that are a day.
pub const FROM: &str = "valid_from";
pub const UNTIL: &str = "valid_until";
pub const CHECK_AFTER: &str = "stale_after";
pub const VERIFIED: &str = "verified";

/// What a person does: `F` is a fact, and `T` a text. Before they are chosen there is neither, only
/// what kind of act it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act<F = (), T = ()> {
    Learn(T, Option<Label<F, T>>),
    /// What several people learn.
    Shared,
    /// What is known, with another tag.
    Again(F),
    Edit(F, Label<F, T>),
    Confirm(F),
    Pin(F),
    /// One fact, or two.
    Forget(F, Option<F>),
    /// A document: its topic, and its text.
    Write(T, T),
    Delete(T),
    /// A document gets another topic.
    Move(T, T),
    /// A page that lies in this file, and its text.
    Add(T, T),
    /// An archive; whether it replaces what is there.
    Import(T, bool),
    Mend,
    Undo,
    Sync,
    /// A sync that is killed after so many milliseconds; before it is chosen, at most so many.
    Killed(usize),
    /// All laptops sync at once.
    Together,
    Rotate,
    Repack,
    // With an editor or a shell.
    /// A fact gets another text.
    Retype(F, T),
    Retag(F, T),
    /// A copy of a fact's file in this place.
    Copy(F, T),
    /// One of the versions that a laptop once had is put back.
    Restore(usize),
    Remove(F),
    /// A file of a fact, as another tool writes it.
    Note(T),
    /// A document has a word in one of its places.
    Word(T, usize, T),
    /// A line more in the journal.
    Append(T),
    /// One of the rules for git that match what co writes.
    Rule(usize),
    Commit,
}

/// What is said of a fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label<F = (), T = ()> {
    Text(T),
    Tag(T),
    /// A key, and its day; none, and it has none any more.
    Day(&'static str, Option<T>),
    Replaces(F),
}

/// A fact, as somebody in a story knows it.
pub trait Fact: Clone {
    fn text(&self) -> String;
    fn path(&self) -> String;
}

/// A fact as it is listed at a terminal.
#[derive(Clone, Debug)]
pub struct Listed {
    pub handle: String,
    pub text: String,
    pub path: String,
}

impl Listed {
    /// A fact that co finds by its text.
    pub fn by_text(text: String) -> Listed {
        Listed { handle: text.clone(), text, path: String::new() }
    }

    /// All that are seen from where somebody stands, which is `-C` and a folder or nothing.
    pub fn all(laptop: &Laptop, standing: &[&str]) -> Vec<Listed> {
        let listed = laptop.json(&[standing, &["list"]].concat());
        let rows = listed["data"]["memories"].as_array().cloned().unwrap_or_default();
        let fact = |row: &serde_json::Value| {
            let value = |key: &str| row[key].as_str().map(str::to_owned);
            Some(Listed { handle: value("handle")?, text: value("summary")?, path: value("path")? })
        };
        rows.iter().filter_map(fact).collect()
    }
}

impl Fact for Listed {
    fn text(&self) -> String {
        self.text.clone()
    }

    fn path(&self) -> String {
        self.path.clone()
    }
}

/// An act at a terminal.
pub type Typed = Act<Listed, String>;

impl Label<Listed, String> {
    fn words(&self) -> Vec<&str> {
        match self {
            Label::Text(text) => vec![text.as_str()],
            Label::Tag(tag) => vec!["--tag", tag],
            Label::Day(key, day) => {
                let option = match *key {
                    FROM => "--from",
                    UNTIL => "--until",
                    CHECK_AFTER => "--check-after",
                    key => unreachable!("{key} has no option"),
                };
                vec![option, day.as_deref().unwrap_or("none")]
            }
            Label::Replaces(fact) => vec!["--replaces", &fact.handle],
        }
    }
}

impl Typed {
    /// What a person types.
    pub fn words(&self) -> Vec<&str> {
        match self {
            Act::Learn(text, None) => vec!["learn", text],
            Act::Learn(text, Some(label)) => [vec!["learn", text], label.words()].concat(),
            Act::Edit(fact, label) => [vec!["edit", &fact.handle], label.words()].concat(),
            Act::Confirm(fact) => vec!["confirm", &fact.handle],
            Act::Pin(fact) => vec!["memory", "pin", &fact.handle],
            Act::Forget(fact, None) => vec!["forget", "--yes", "--", &fact.handle],
            Act::Forget(fact, Some(other)) => {
                vec!["forget", "--yes", "--", &fact.handle, &other.handle]
            }
            Act::Write(topic, text) => vec!["knowledge", "write", topic, text],
            Act::Delete(topic) => vec!["knowledge", "delete", topic, "--yes"],
            Act::Move(topic, to) => vec!["knowledge", "move", topic, to, "--yes"],
            Act::Add(page, _) => vec!["knowledge", "add", page],
            Act::Import(archive, false) => vec!["identity", "import", archive, "--yes"],
            Act::Import(archive, true) => {
                vec!["identity", "import", archive, "--yes", "--replace"]
            }
            Act::Mend => vec!["check", "--fix"],
            Act::Undo => vec!["undo"],
            Act::Sync => vec!["sync"],
            Act::Rotate => vec!["seal", "rotate"],
            Act::Repack => vec!["seal", "repack"],
            by_hand => unreachable!("{by_hand:?} is nothing that a person types"),
        }
    }

    /// The facts that it takes away.
    pub fn forgotten(&self) -> Vec<&Listed> {
        match self {
            Act::Forget(fact, other) => [fact].into_iter().chain(other).collect(),
            _ => Vec::new(),
        }
    }
}
