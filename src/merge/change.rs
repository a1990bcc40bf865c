//! A change set: what a merge, an edit or an undo does to an identity, as a value that can be
//! shown and applied.
//!
//! Invariant: `between(a, b)` applied to `a` is `b`; with each file reversed, applied to `b`, it is
//! `a`.

use super::Decision;
pub use super::field_changes::{FieldChange, changed};
pub use crate::identity::FileChange;
use crate::identity::{
    Blob, ContentHash, Document, Memory, RelPath, Role, Snapshot, Stamp, memory::summary_of,
};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct ChangeSet {
    /// The files, in path order.
    pub files: Vec<FileChange>,
    pub decisions: Vec<Decision>,
}

/// A memory as shown in reports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fact {
    pub id: Option<u64>,
    pub summary: String,
    /// As much of the first line as a terminal may have room for.
    #[serde(skip)]
    pub first_line: String,
    pub tags: Vec<String>,
    pub hash: String,
    pub path: RelPath,
    /// The laptop that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub laptop: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EditedFact {
    #[serde(flatten)]
    pub now: Fact,
    /// The summary before the edit.
    pub was: String,
    /// What else changed, such as `tags: python → python, style`.
    pub fields: Vec<FieldChange>,
}

/// A fact whose text did not change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Relabelled {
    #[serde(flatten)]
    pub fact: Fact,
    /// What changed, such as `tags: python → python, style`.
    pub fields: Vec<FieldChange>,
}

/// A change set in terms of facts and documents.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Meaning {
    pub learned: Vec<Fact>,
    pub forgotten: Vec<Fact>,
    pub edited: Vec<EditedFact>,
    /// Facts with different tags, another number, or a pin added or removed.
    pub relabelled: Vec<Relabelled>,
    /// Removed copies of a fact that is still there.
    pub deduplicated: Vec<Fact>,
    /// Changed lines of all other files.
    pub documents: Vec<DocumentChange>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentEvent {
    Added,
    Edited,
    Moved,
    Deleted,
}

/// Added and removed body lines of a file that is not a memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DocumentChange {
    pub path: RelPath,
    pub change: DocumentEvent,
    /// Where it was, if it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<RelPath>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// Whether the text is the same on both sides.
    #[serde(skip)]
    pub(super) keeps_text: bool,
    /// Whether it moved because another document took its path.
    #[serde(skip)]
    pub(super) is_aside: bool,
}

impl Fact {
    pub fn of(memory: &Memory) -> Fact {
        let first_line = memory.first_line();
        Fact {
            id: memory.id,
            summary: summary_of(&first_line),
            first_line,
            tags: memory.tags.clone(),
            hash: memory.hash.to_string(),
            path: memory.path.clone(),
            laptop: None,
        }
    }
}

impl Fact {
    /// A document, as an entry in a list of facts.
    pub fn of_document(path: &RelPath, blob: &Blob) -> Fact {
        let hash = ContentHash::of_bytes(blob).to_string();
        let (summary, tags) = (path.to_string(), Vec::new());
        let first_line = summary.clone();
        Fact { id: None, summary, first_line, tags, hash, path: path.clone(), laptop: None }
    }
}

impl ChangeSet {
    pub fn of(files: Vec<FileChange>) -> ChangeSet {
        ChangeSet { files, decisions: Vec::new() }
    }

    pub fn between(before: &Snapshot, after: &Snapshot) -> ChangeSet {
        ChangeSet::of(before.changes_to(after))
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn apply(&self, before: &Snapshot) -> Snapshot {
        let mut after = before.clone();
        for change in &self.files {
            match &change.after {
                Some(blob) => after.put(change.path.clone(), blob.clone()),
                None => {
                    after.remove(&change.path);
                }
            }
        }
        after
    }

    pub fn meaning(&self) -> Meaning {
        self.meaning_within(None)
    }

    /// Like [`ChangeSet::meaning`], for the change of a state that is known as a whole: what its
    /// other documents say, too, is no evidence of a move.
    pub fn meaning_from(&self, before: &Snapshot) -> Meaning {
        self.meaning_within(Some(before))
    }

    fn meaning_within(&self, state: Option<&Snapshot>) -> Meaning {
        let side = |pick: fn(&FileChange) -> &Option<Blob>| -> BTreeMap<Stamp, Memory> {
            let memories = self.files.iter().filter(|change| change.path.is_memory());
            memories
                .filter_map(|change| Memory::read(&change.path, pick(change).as_ref()?).ok())
                .map(|m| (m.created, m))
                .collect()
        };
        let (before, after) = (side(|change| &change.before), side(|change| &change.after));
        let hashes = |side: &BTreeMap<Stamp, Memory>| -> HashSet<ContentHash> {
            side.values().map(|memory| memory.hash).collect()
        };
        let had = hashes(&before);
        let staying: HashMap<ContentHash, &Memory> =
            after.values().map(|memory| (memory.hash, memory)).collect();
        // Texts that were replaced by an edit and became memories of their own.
        let driven_out: HashSet<ContentHash> = before
            .iter()
            .filter(|(origin, old)| after.get(origin).is_some_and(|now| now.hash != old.hash))
            .map(|(_, old)| old.hash)
            .collect();
        let mut meaning = Meaning::default();
        for (origin, memory) in &after {
            match before.get(origin) {
                Some(old) if old.hash != memory.hash => {
                    let (now, was) = (Fact::of(memory), old.summary());
                    let fields = changed(old, memory);
                    meaning.edited.push(EditedFact { now, was, fields });
                }
                Some(old) => {
                    let (fact, fields) = (Fact::of(memory), changed(old, memory));
                    let new = (!fields.is_empty()).then_some(Relabelled { fact, fields });
                    meaning.relabelled.extend(new);
                }
                None if had.contains(&memory.hash) && !driven_out.contains(&memory.hash) => {}
                None => meaning.learned.push(Fact::of(memory)),
            }
        }
        for (_, memory) in before.iter().filter(|(origin, _)| !after.contains_key(origin)) {
            let Some(stays) = staying.get(&memory.hash) else {
                meaning.forgotten.push(Fact::of(memory));
                continue;
            };
            // The same text under another origin: report what it loses.
            let fields = changed(memory, stays);
            if fields.is_empty() {
                meaning.deduplicated.push(Fact::of(memory));
            } else {
                meaning.relabelled.push(Relabelled { fact: Fact::of(stays), fields });
            }
        }
        meaning.documents = self.documents(state);
        let by_id = |a: &Fact, b: &Fact| a.id.cmp(&b.id);
        meaning.learned.sort_by(by_id);
        meaning.forgotten.sort_by(by_id);
        meaning
    }
}

impl Meaning {
    pub fn is_empty(&self) -> bool {
        *self == Meaning::default()
    }

    /// What changed of the facts besides their texts.
    pub fn fields_mut(&mut self) -> impl Iterator<Item = &mut FieldChange> {
        let edited = self.edited.iter_mut().map(|fact| &mut fact.fields);
        let relabelled = self.relabelled.iter_mut().map(|fact| &mut fact.fields);
        edited.chain(relabelled).flatten()
    }

    /// Without new numbers: they are provisional until a sync publishes them.
    pub fn without_numbers(mut self) -> Meaning {
        for fact in &mut self.relabelled {
            fact.fields.retain(|field| !field.is_number());
        }
        self.relabelled.retain(|fact| !fact.fields.is_empty());
        self
    }
}

pub(super) fn document_change(change: &FileChange) -> Option<DocumentChange> {
    let is_fact = |blob: &Option<Blob>| {
        blob.as_ref().is_none_or(|blob| Memory::read(&change.path, blob).is_ok())
    };
    match change.path.role() {
        Role::Record | Role::Git => return None,
        // A memory that co cannot read is a file like any other.
        Role::Fact if is_fact(&change.before) && is_fact(&change.after) => return None,
        _ => {}
    }
    let lines = |blob: &Option<Blob>| -> Vec<String> {
        let Some(blob) = blob else { return Vec::new() };
        let Ok(document) = Document::read(blob) else {
            return vec![format!("({} bytes)", blob.len())];
        };
        document
            .body()
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.trim().is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (before, after) = (lines(&change.before), lines(&change.after));
    let without = |lines: &[String], other: &[String]| -> Vec<String> {
        let other: HashSet<&String> = other.iter().collect();
        lines.iter().filter(|line| !other.contains(line)).cloned().collect()
    };
    let (added, removed) = (without(&after, &before), without(&before, &after));
    let kind = match (&change.before, &change.after) {
        (None, _) => DocumentEvent::Added,
        (_, None) => DocumentEvent::Deleted,
        _ => DocumentEvent::Edited,
    };
    let changes_lines = !added.is_empty() || !removed.is_empty();
    let text = |blob: &Option<Blob>| Some(Document::read(blob.as_ref()?).ok()?.hash());
    let keeps_text = !changes_lines
        && kind == DocumentEvent::Edited
        && text(&change.before).is_some_and(|was| text(&change.after) == Some(was));
    let path = change.path.clone();
    let (was, is_aside) = (None, false);
    let told = DocumentChange { path, change: kind, was, added, removed, keeps_text, is_aside };
    // Files without text are added and removed too, and labels change without changing the text.
    (told.is_whole() || changes_lines).then_some(told)
}
