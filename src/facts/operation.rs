//! `identity log o42`: what one operation changed, each fact and document before and after.
//!
//! Invariant: only reads. Of a merge the commits tell what it brought; of an operation whose bytes
//! are no longer kept, only which files it changed is known.

use super::log::{self, LogEntry, LogError};
use crate::identity::{
    Blob, Document, FileChange, Memory, RelPath, Role, Scope, Stamp, handle::Shared,
};
use crate::machine::oplog::{self, LoggedFile, taken_back_already};
use crate::merge::{
    ChangeSet,
    change::{DocumentChange, DocumentEvent, FieldChange, changed},
};
use crate::workspace::{Error, Workspace, named};
use serde::Serialize;
use std::collections::BTreeMap;

/// An operation, with all that it changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub operation: LogEntry,
    pub changes: Vec<ChangedFile>,
    /// Whether what it changed is still kept; else only the files are known.
    pub kept: bool,
}

/// A fact or another file, before and after.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedFile {
    pub path: String,
    /// Where it was, if it moved.
    pub was: Option<String>,
    /// Of a fact.
    pub handle: Option<String>,
    /// `learned`, `edited`, `changed` (labels), `forgotten`; of other files `added`, `edited`,
    /// `moved`, `deleted`.
    pub change: &'static str,
    /// The text, without its frontmatter; `None` where there was no file, or no text.
    pub before: Option<String>,
    pub after: Option<String>,
    /// The lines that only one of the two has.
    pub removed: Vec<String>,
    pub added: Vec<String>,
    /// Of a fact, what else changed, such as `tags: python → python, style`.
    pub fields: Vec<FieldChange>,
}

/// Fails if the log does not have the operation.
pub fn run(ws: &Workspace, op: u64) -> Result<Report, Error> {
    let found = between(ws, op, op)?;
    found.into_iter().next().ok_or_else(|| no_operation(oplog::handle(op)))
}

/// The operations of a range, newest first. Fails if the log has none of them.
pub fn run_several(ws: &Workspace, from: u64, to: u64) -> Result<Vec<Report>, Error> {
    let found = between(ws, from, to)?;
    if found.is_empty() {
        let range = format!("{}..{}", oplog::handle(from), oplog::handle(to));
        return Err(no_operation(range));
    }
    Ok(found)
}

fn no_operation(handle: String) -> Error {
    LogError::NoOperation { handle }.into()
}

fn between(ws: &Workspace, from: u64, to: u64) -> Result<Vec<Report>, Error> {
    let store = ws.identity_place();
    store.settle_abandoned(ws)?;
    let log = store.log();
    let operations = log.operations()?;
    let undone = taken_back_already(&operations);
    let wanted = operations.into_iter().rev().filter(|one| (from..=to).contains(&one.op));
    let report = |operation: oplog::Operation| {
        let change = log::change_of(ws, &log, &operation);
        let mut changes = match &change {
            Some(change) => changes(change),
            None => operation.files.iter().map(ChangedFile::of_logged).collect(),
        };
        named::name_fields(ws, changes.iter_mut().flat_map(|file| &mut file.fields));
        let kept = change.is_some();
        let operation = log::entry(ws, &undone, operation, &change.unwrap_or_default());
        Report { operation, changes, kept }
    };
    Ok(wanted.map(report).collect())
}

/// The facts first, by their numbers, then the documents.
fn changes(change: &ChangeSet) -> Vec<ChangedFile> {
    let mut facts: BTreeMap<Stamp, [Option<Memory>; 2]> = BTreeMap::new();
    for file in &change.files {
        for (side, memory) in file.facts().into_iter().enumerate() {
            if let Some(memory) = memory {
                let of_fact = facts.entry(memory.created).or_default();
                of_fact[side] = Some(memory);
            }
        }
    }
    let mut facts: Vec<[Option<Memory>; 2]> = facts.into_values().collect();
    facts.sort_by_key(|[before, after]| after.as_ref().or(before.as_ref()).and_then(|one| one.id));
    let facts = facts
        .iter()
        .filter_map(|[before, after]| ChangedFile::of_fact(before.as_ref(), after.as_ref()));
    let documents = change.meaning().documents;
    let documents = documents.iter().map(|document| ChangedFile::of_document(document, change));
    facts.chain(documents).collect()
}

fn lines_without(text: Option<&str>, other: Option<&str>) -> Vec<String> {
    let other: Vec<&str> = other.into_iter().flat_map(str::lines).collect();
    let lines = text.into_iter().flat_map(str::lines);
    lines.filter(|line| !other.contains(line)).map(str::to_owned).collect()
}

impl ChangedFile {
    /// `None` if only a stamp changed.
    fn of_fact(before: Option<&Memory>, after: Option<&Memory>) -> Option<ChangedFile> {
        let shown = after.or(before)?;
        let fields = match (before, after) {
            (Some(old), Some(now)) => changed(old, now),
            _ => Vec::new(),
        };
        let change = match (before, after) {
            (None, _) => "learned",
            (_, None) => "forgotten",
            (Some(old), Some(now)) if old.hash != now.hash => "edited",
            _ if fields.is_empty() => return None,
            _ => "changed",
        };
        let (old, new) = (before.map(Memory::text), after.map(Memory::text));
        let was = before.map(|old| &old.path).filter(|was| **was != shown.path);
        Some(ChangedFile {
            path: shown.path.to_string(),
            was: was.map(RelPath::to_string),
            handle: Some(shown.handle(Scope::Identity, Shared::No)),
            change,
            removed: lines_without(old, new),
            added: lines_without(new, old),
            before: old.map(str::to_owned),
            after: new.map(str::to_owned),
            fields,
        })
    }

    fn of_document(document: &DocumentChange, change: &ChangeSet) -> ChangedFile {
        let file = |path: &RelPath| change.files.iter().find(|file| file.path == *path);
        let before = file(document.was.as_ref().unwrap_or(&document.path));
        let before = before.and_then(|file: &FileChange| text_of(file.before.as_ref()?));
        let after = file(&document.path).and_then(|file| text_of(file.after.as_ref()?));
        let is_text = document.path.role() != Role::Original;
        ChangedFile {
            path: document.path.to_string(),
            was: document.was.as_ref().map(RelPath::to_string),
            handle: None,
            change: match document.change {
                DocumentEvent::Added => "added",
                DocumentEvent::Edited => "edited",
                DocumentEvent::Moved => "moved",
                DocumentEvent::Deleted => "deleted",
            },
            removed: if is_text { document.removed.clone() } else { Vec::new() },
            added: if is_text { document.added.clone() } else { Vec::new() },
            before,
            after,
            fields: Vec::new(),
        }
    }

    fn of_logged(file: &LoggedFile) -> ChangedFile {
        ChangedFile {
            path: file.path.clone(),
            was: None,
            handle: None,
            change: match (&file.before, &file.after) {
                (None, _) => "added",
                (_, None) => "deleted",
                _ => "edited",
            },
            before: None,
            after: None,
            removed: Vec::new(),
            added: Vec::new(),
            fields: Vec::new(),
        }
    }
}

fn text_of(blob: &Blob) -> Option<String> {
    Document::of_text(blob).map(|document| document.text().to_owned())
}
