//! The kind of an operation: an enum, with the words used in the log.
//!
//! Invariant: each verb has one word, which never changes; an unknown word of another version of co
//! is preserved.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum OpVerb {
    Save,
    SaveAgain,
    Forget,
    Edit,
    Confirm,
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
    /// Notes that an agent wrote.
    Notes,
    /// Where a piece of work stands.
    Handoff,
    /// A person's answers to proposals.
    Review,
    /// Changes made outside co that a sync found, and merges.
    ByHand,
    Merge,
    Undo,
    Redo,
    /// Files lost in a restart that co restored.
    BringBack,
    /// A copy for others.
    Export,
    /// Files of agents and git's hooks, outside the identity.
    Install,
    Uninstall,
    /// The identity's folder was moved.
    Relocate,
    /// From a newer co.
    Other(String),
}

const WORDS: &[(OpVerb, &str)] = &[
    (OpVerb::Save, "save"),
    (OpVerb::SaveAgain, "save again"),
    (OpVerb::Forget, "forget"),
    (OpVerb::Edit, "edit"),
    (OpVerb::Confirm, "confirm"),
    (OpVerb::Pin, "pin"),
    (OpVerb::Unpin, "unpin"),
    (OpVerb::Import, "import"),
    (OpVerb::Restore, "restore"),
    (OpVerb::Fix, "fix"),
    (OpVerb::Write, "write"),
    (OpVerb::Add, "add"),
    (OpVerb::Delete, "delete"),
    (OpVerb::Move, "move"),
    (OpVerb::Migrate, "migrate"),
    (OpVerb::Seed, "seed"),
    (OpVerb::Notes, "notes"),
    (OpVerb::Handoff, "hand-off"),
    (OpVerb::Review, "review"),
    (OpVerb::ByHand, "by hand"),
    (OpVerb::Merge, "merge"),
    (OpVerb::Undo, "undo"),
    (OpVerb::Redo, "redo"),
    (OpVerb::BringBack, "bring back"),
    (OpVerb::Export, "export"),
    (OpVerb::Install, "install"),
    (OpVerb::Uninstall, "uninstall"),
    (OpVerb::Relocate, "identity move"),
];

impl OpVerb {
    /// The word used in the log.
    pub fn word(&self) -> &str {
        match self {
            OpVerb::Other(word) => word,
            known => WORDS
                .iter()
                .find(|(verb, _)| verb == known)
                .map(|(_, word)| *word)
                .expect("because every verb has a row"),
        }
    }

    /// What was done, in the past tense of the log.
    pub fn past(&self) -> Cow<'static, str> {
        let past = match self {
            OpVerb::Save => "learned",
            OpVerb::SaveAgain => "known",
            OpVerb::Forget => "forgot",
            OpVerb::Edit => "edited",
            OpVerb::Confirm => "confirmed",
            OpVerb::Pin => "pinned",
            OpVerb::Unpin => "unpinned",
            OpVerb::Import => "imported",
            OpVerb::Restore => "restored",
            OpVerb::Fix => "fixed",
            OpVerb::Merge => "merged",
            OpVerb::Undo => "undid",
            OpVerb::Redo => "redid",
            OpVerb::Export => "exported",
            OpVerb::Install => "set up",
            OpVerb::Uninstall => "removed",
            OpVerb::BringBack => "brought back",
            OpVerb::Relocate | OpVerb::Move => "moved",
            OpVerb::Write => "wrote",
            OpVerb::Add => "added",
            OpVerb::Delete => "deleted",
            OpVerb::Migrate => "migrated",
            OpVerb::Seed => "seeded",
            OpVerb::Review => "reviewed",
            // Nouns, with which a phrase begins: `notes of Claude Code on co`.
            OpVerb::Notes | OpVerb::Handoff | OpVerb::ByHand | OpVerb::Other(_) => {
                return self.to_string().into();
            }
        };
        past.into()
    }

    /// Whether it restored something missing, so that undoing it is not a forget.
    pub fn brings_back(&self) -> bool {
        matches!(self, OpVerb::Restore | OpVerb::BringBack)
    }

    /// Whether it wrote outside the identity and every project: undo does not cover it.
    pub fn is_outside(&self) -> bool {
        matches!(self, OpVerb::Export | OpVerb::Install | OpVerb::Uninstall)
    }
}

impl From<String> for OpVerb {
    fn from(word: String) -> OpVerb {
        let row = WORDS.iter().find(|(_, known)| *known == word);
        row.map_or(OpVerb::Other(word), |(verb, _)| verb.clone())
    }
}

impl From<OpVerb> for String {
    fn from(verb: OpVerb) -> String {
        verb.word().to_owned()
    }
}

impl std::fmt::Display for OpVerb {
    /// The word that a person types; files have [`OpVerb::word`].
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            OpVerb::Save => "learn",
            OpVerb::SaveAgain => "learn again",
            other => other.word(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for (verb, word) in WORDS {
            assert_eq!(OpVerb::from((*word).to_owned()), *verb);
            assert_eq!(verb.word(), *word);
        }
        assert_eq!(OpVerb::from("of tomorrow".to_owned()).word(), "of tomorrow");
    }
}
