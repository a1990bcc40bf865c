//! What an operation did: an enum, whose words stand in the log.
//!
//! Invariant: each verb has one word, which never changes; a word of another version of co is
//! carried as it is.

use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Verb {
    Save,
    SaveAgain,
    Forget,
    Edit,
    Pin,
    Unpin,
    Import,
    Restore,
    Fix,
    /// Documents.
    Write,
    Add,
    Delete,
    Move,
    Migrate,
    Seed,
    /// What an agent noted by itself.
    Notes,
    /// A person's answers to proposals.
    Review,
    /// What a sync found changed outside co, and what it merged.
    ByHand,
    Merge,
    /// Both in one, by a co before 0.1.
    Sync,
    Undo,
    Redo,
    /// What a restart took and co brought back.
    BringBack,
    /// A copy for others.
    Export,
    /// Files of agents and git's hooks, outside the identity.
    Install,
    Uninstall,
    /// Of a newer co.
    Other(String),
}

const WORDS: &[(Verb, &str)] = &[
    (Verb::Save, "save"),
    (Verb::SaveAgain, "save again"),
    (Verb::Forget, "forget"),
    (Verb::Edit, "edit"),
    (Verb::Pin, "pin"),
    (Verb::Unpin, "unpin"),
    (Verb::Import, "import"),
    (Verb::Restore, "restore"),
    (Verb::Fix, "fix"),
    (Verb::Write, "write"),
    (Verb::Add, "add"),
    (Verb::Delete, "delete"),
    (Verb::Move, "move"),
    (Verb::Migrate, "migrate"),
    (Verb::Seed, "seed"),
    (Verb::Notes, "notes"),
    (Verb::Review, "review"),
    (Verb::ByHand, "by hand"),
    (Verb::Merge, "merge"),
    (Verb::Sync, "sync"),
    (Verb::Undo, "undo"),
    (Verb::Redo, "redo"),
    (Verb::BringBack, "bring back"),
    (Verb::Export, "export"),
    (Verb::Install, "install"),
    (Verb::Uninstall, "uninstall"),
];

impl Verb {
    /// As the log has it.
    pub fn word(&self) -> &str {
        match self {
            Verb::Other(word) => word,
            known => WORDS
                .iter()
                .find(|(verb, _)| verb == known)
                .map(|(_, word)| *word)
                .expect("because every verb has a row"),
        }
    }

    /// Whether what it wrote was missing before, so that taking it back is no forget.
    pub fn brings_back(&self) -> bool {
        matches!(self, Verb::Restore | Verb::BringBack)
    }

    /// Whether it wrote outside the identity and every project: an undo is about none of them.
    pub fn is_outside(&self) -> bool {
        matches!(self, Verb::Export | Verb::Install | Verb::Uninstall)
    }
}

impl From<String> for Verb {
    fn from(word: String) -> Verb {
        let row = WORDS.iter().find(|(_, known)| *known == word);
        row.map_or(Verb::Other(word), |(verb, _)| verb.clone())
    }
}

impl From<Verb> for String {
    fn from(verb: Verb) -> String {
        verb.word().to_owned()
    }
}

impl std::fmt::Display for Verb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for (verb, word) in WORDS {
            assert_eq!(Verb::from((*word).to_owned()), *verb);
            assert_eq!(verb.word(), *word);
        }
        assert_eq!(Verb::from("of tomorrow".to_owned()).word(), "of tomorrow");
    }
}
