//! The operation log as `co log --json` tells it, and what an undo or redo is about.
//!
//! Invariant: whether an operation counts is worked out here from `undoes` alone, to any depth.

use super::stores::Place;
use crate::support::Laptop;
use serde_json::Value;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub op: u64,
    pub verb: String,
    pub undoes: Option<u64>,
    /// As the log itself says.
    pub undone: Option<bool>,
    pub place: Place,
}

/// Oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log(pub Vec<Entry>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Undo,
    Redo,
}

impl Log {
    pub fn of(laptop: &Laptop) -> Log {
        let told = laptop.json(&["log", "-n", "100000"]);
        let rows = told["data"]["operations"].as_array().cloned().unwrap_or_default();
        let mut entries: Vec<Entry> = rows.iter().map(entry).collect();
        entries.reverse();
        Log(entries)
    }

    pub fn find(&self, op: u64) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.op == op)
    }

    /// What is here and not in an older state of the log.
    pub fn since(&self, older: &Log) -> Vec<Entry> {
        self.0.iter().filter(|entry| older.find(entry.op).is_none()).cloned().collect()
    }

    /// An operation is undone while something that undoes it is not undone itself.
    pub fn is_undone(&self, op: u64) -> bool {
        let undoing = self.0.iter().filter(|entry| entry.undoes == Some(op) && entry.op > op);
        undoing.into_iter().any(|entry| !self.is_undone(entry.op))
    }

    /// The operation that a bare `undo` or `redo` is about.
    pub fn newest(&self, way: Way) -> Option<u64> {
        let counts = |entry: &&Entry| match way {
            Way::Undo => entry.undoes.is_none(),
            Way::Redo => entry.verb == "undo",
        };
        let standing = self.0.iter().rev().filter(counts).find(|entry| !self.is_undone(entry.op));
        standing.map(|entry| entry.op)
    }

    /// The operation that this command with a number is about; `None` if it must be refused.
    pub fn named(&self, way: Way, op: u64) -> Option<u64> {
        let fits = |entry: &&Entry| {
            let is_it = match way {
                Way::Undo => entry.op == op,
                Way::Redo => entry.verb == "undo" && (entry.op == op || entry.undoes == Some(op)),
            };
            is_it && !self.is_undone(entry.op)
        };
        self.0.iter().rev().find(fits).map(|entry| entry.op)
    }
}

/// `7`, `"o7"` and `"#7"` are one number.
fn number(value: &Value) -> Option<u64> {
    let text = value.as_str().map(|text| text.trim_start_matches(['o', '#']));
    value.as_u64().or_else(|| text?.parse().ok())
}

fn entry(row: &Value) -> Entry {
    let place = match row["project"].as_str() {
        None => Place::Identity,
        Some(project) if project.contains("p/sub") => Place::Nested,
        Some(_) => Place::Project,
    };
    Entry {
        op: number(&row["op"]).unwrap_or_else(|| panic!("an operation without a number: {row}")),
        verb: row["verb"].as_str().unwrap_or_default().to_owned(),
        undoes: number(&row["undoes"]),
        undone: row["undone"].as_bool(),
        place,
    }
}
