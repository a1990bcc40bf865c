//! One line of the log.

use super::verb::OpVerb;
use crate::identity::Stamp;
use crate::secrets;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Operation {
    pub op: u64,
    pub at: String,
    pub verb: OpVerb,
    /// One line for people, without secrets.
    pub what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// Older operations that it undoes as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_undoes: Vec<u64>,
    /// How many files a sync brought from other laptops; undo leaves them alone.
    #[serde(default)]
    pub brought: usize,
    /// `None` for an operation on the identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<PathBuf>,
    /// The agent's program that did it, and its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// HEAD before and after a sync.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<(Option<String>, String)>,
    /// For a sync: the last operation whose files it included. Operations made while it talked to
    /// the remote come later, whatever their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_up: Option<u64>,
    /// For a move of the identity as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<MovedFolder>,
    pub files: Vec<LoggedFile>,
}

/// Where a folder was, and where it was moved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MovedFolder {
    /// With symlinks resolved, as is `to`.
    pub from: PathBuf,
    pub to: PathBuf,
    /// The link that leads to the folder and is changed instead of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<PathBuf>,
    /// `identity_path` before and after; `None` if it is not set.
    pub setting: [Option<String>; 2],
}

impl MovedFolder {
    /// The move that takes this one back.
    pub fn reversed(&self) -> MovedFolder {
        let MovedFolder { from, to, link, setting: [before, after] } = self.clone();
        MovedFolder { from: to, to: from, link, setting: [after, before] }
    }
}

/// The texts of a line of the log, each as it was before it became JSON; a line that cannot be read
/// is one text.
pub(super) fn texts(line: &str) -> Vec<String> {
    let read: Result<serde_json::Value, _> = serde_json::from_str(line);
    read.map_or_else(|_| vec![line.to_owned()], |value| texts_in(&value))
}

fn texts_in(value: &serde_json::Value) -> Vec<String> {
    match value {
        serde_json::Value::String(text) => vec![text.clone()],
        serde_json::Value::Array(all) => all.iter().flat_map(texts_in).collect(),
        serde_json::Value::Object(all) => all.values().flat_map(texts_in).collect(),
        _ => Vec::new(),
    }
}

/// `before` and `after` are hashes of the file's bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoggedFile {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Operation {
    /// The number is assigned when the operation is begun.
    pub fn new(verb: OpVerb, what: impl Into<String>, at: Stamp) -> Operation {
        Operation {
            op: 0,
            at: at.to_string(),
            verb,
            what: secrets::redact(&what.into()).into_owned(),
            undoes: None,
            also_undoes: Vec::new(),
            brought: 0,
            project: None,
            client: None,
            session: None,
            commits: None,
            taken_up: None,
            moved: None,
            files: Vec::new(),
        }
    }

    /// Whether it is a merge that changed nothing here: nothing to show or to undo.
    pub fn is_silent(&self) -> bool {
        self.verb == OpVerb::Merge && self.brought == 0 && self.files.is_empty()
    }

    /// Whether it copied the identity into another repository, which an undo cannot take back.
    pub fn is_relocated_copy(&self) -> bool {
        self.verb == OpVerb::Relocate && self.moved.is_none()
    }

    pub fn takes_back(&self, op: u64) -> bool {
        self.undoes == Some(op) || self.also_undoes.contains(&op)
    }

    /// The handle for output; [`parse`] reads what a person types.
    pub fn handle(&self) -> String {
        handle(self.op)
    }
}

/// `o7`: safe in a shell, where `#7` would begin a comment.
pub fn handle(op: u64) -> String {
    format!("o{op}")
}

/// What a person typed to name operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    One(u64),
    /// From the older to the newer, both included.
    Range(u64, u64),
    /// A number alone, which is a fact everywhere else.
    Bare(u64),
}

/// Reads `o7`, `O7`, `#7`, `o5..o7` and `7`.
pub fn parse(text: &str) -> Option<Named> {
    let one = |text: &str| text.trim().strip_prefix(['o', 'O', '#'])?.parse::<u64>().ok();
    if let Some((from, to)) = text.split_once("..") {
        let (from, to) = (one(from)?, one(to)?);
        return Some(Named::Range(from.min(to), from.max(to)));
    }
    one(text).map(Named::One).or_else(|| text.trim().parse().ok().map(Named::Bare))
}

/// The operations that are undone: by an undo or redo that was not itself undone.
pub fn taken_back_already(operations: &[Operation]) -> BTreeSet<u64> {
    let mut undone: BTreeSet<u64> = BTreeSet::new();
    // Newest first: an undo is newer than what it undoes.
    for operation in operations.iter().rev() {
        if !undone.contains(&operation.op) {
            undone.extend(operation.undoes.iter().chain(&operation.also_undoes));
        }
    }
    undone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_read_as_they_are_printed() {
        for text in ["o7", "O7", "#7", " o7"] {
            assert_eq!(parse(text), Some(Named::One(7)), "{text}");
        }
        assert_eq!(parse(&handle(12)), Some(Named::One(12)));
        for text in ["o5..o7", "o7..o5", "#5..O7", " o5 .. o7 "] {
            assert_eq!(parse(text), Some(Named::Range(5, 7)), "{text}");
        }
        assert_eq!(parse("7"), Some(Named::Bare(7)));
        for text in ["", "o", "p7", "7a", "-7", "o-7", "oo7", "5..7", "o5..", "o5..7"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
