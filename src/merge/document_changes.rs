//! File-level document changes (added, edited, moved, deleted) for reports.
//!
//! Invariant: pure. A document has moved where a merge would say so (see `moves`), from a
//! path that got free to one that was free.

use super::{
    change::{ChangeSet, DocumentChange, DocumentEvent, Meaning, document_change},
    moves,
};
use crate::identity::{ContentHash, FileChange, RelPath, Role, Snapshot, slug};
use crate::knowledge::links::Moves;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// A document or an original, and what happened to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DocumentDelta {
    pub path: RelPath,
    pub change: DocumentEvent,
    /// Where it was, if it moved.
    pub was: Option<RelPath>,
    /// Counts of added and removed lines.
    pub added: usize,
    pub removed: usize,
    /// Whether the text is unchanged and only its metadata changed.
    #[serde(skip)]
    pub keeps_text: bool,
    /// Whether it moved because another document took its path.
    #[serde(skip)]
    pub is_aside: bool,
}

impl Meaning {
    /// The documents and originals among the changes.
    pub fn wholes(&self) -> Vec<DocumentDelta> {
        let whole = |document: &DocumentChange| DocumentDelta {
            path: document.path.clone(),
            change: document.change.clone(),
            was: document.was.clone(),
            added: document.added.len(),
            removed: document.removed.len(),
            keeps_text: document.keeps_text,
            is_aside: document.is_aside,
        };
        let documents = self.documents.iter().filter(|document| document.is_whole());
        let mut wholes: Vec<DocumentDelta> = documents.map(whole).collect();
        wholes.sort_by(|a, b| (&a.change, &a.path).cmp(&(&b.change, &b.path)));
        wholes
    }
}

impl DocumentChange {
    /// Whether it is read as a whole, not by its entries.
    pub fn is_whole(&self) -> bool {
        is_whole(&self.path)
    }
}

fn is_whole(path: &RelPath) -> bool {
    matches!(path.role(), Role::Document | Role::Original)
}

impl ChangeSet {
    /// The changes of all files that are no facts; what moved is one change, at its new path. Of
    /// the state before, at least the changed files are known.
    pub(super) fn documents(&self, before: Option<&Snapshot>) -> Vec<DocumentChange> {
        let moves = self.moves(before);
        let files: BTreeMap<&RelPath, &FileChange> =
            self.files.iter().map(|file| (&file.path, file)).collect();
        let mut came: BTreeMap<&RelPath, &FileChange> = BTreeMap::new();
        let mut left: HashSet<&RelPath> = HashSet::new();
        let mut aside: HashSet<&RelPath> = HashSet::new();
        for (old, new) in self.set_aside() {
            came.insert(&new.path, old);
            left.insert(&old.path);
            aside.insert(&new.path);
        }
        for (from, to) in &moves {
            let (Some(&old), Some(&new)) = (files.get(from), files.get(to)) else { continue };
            let is_told = left.contains(from) || came.contains_key(to);
            if !is_told && has_left(old) && has_come(new) {
                came.insert(&new.path, old);
                left.insert(&old.path);
            }
        }
        let told = |file: &FileChange| match came.get(&file.path) {
            Some(old) => {
                let is_aside = aside.contains(&file.path);
                Some(DocumentChange { is_aside, ..moved(old, file)? })
            }
            None if left.contains(&file.path) => None,
            None => document_change(file),
        };
        self.files.iter().filter_map(told).collect()
    }

    /// Files that another one displaced: the same bytes under the name that a merge then gives,
    /// and another file at their path.
    fn set_aside(&self) -> Vec<(&FileChange, &FileChange)> {
        let new: BTreeMap<String, &FileChange> = self
            .files
            .iter()
            .filter(|file| has_come(file))
            .map(|file| (file.path.folded(), file))
            .collect();
        if new.is_empty() {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        let is_taken = |old: &FileChange| new.contains_key(&old.path.folded());
        for old in self.files.iter().filter(|file| has_left(file) && is_taken(file)) {
            let Some(bytes) = &old.before else { continue };
            let suffix = ContentHash::of_bytes(bytes).short(6);
            let aside = slug::with_suffix(&old.path, &suffix).folded();
            pairs.extend(
                new.get(&aside).filter(|new| new.after == old.before).map(|new| (old, *new)),
            );
        }
        pairs
    }

    fn moves(&self, before: Option<&Snapshot>) -> Moves {
        // Without both, nothing has moved to a path of its own.
        if !self.files.iter().any(has_left) || !self.files.iter().any(has_come) {
            return Moves::new();
        }
        let own = || -> Snapshot {
            let known = |file: &FileChange| Some((file.path.clone(), file.before.clone()?));
            self.files.iter().filter_map(known).collect()
        };
        let before = before.map_or_else(own, Snapshot::clone);
        let after = self.apply(&before);
        let [moved, _] = moves::of_sides([&before, &after, &before]);
        moved
    }
}

fn has_left(file: &FileChange) -> bool {
    file.after.is_none() && is_whole(&file.path)
}

fn has_come(file: &FileChange) -> bool {
    file.before.is_none() && is_whole(&file.path)
}

/// With the lines that differ between its old path and its new one.
fn moved(old: &FileChange, new: &FileChange) -> Option<DocumentChange> {
    let (path, before, after) = (new.path.clone(), old.before.clone(), new.after.clone());
    let told = document_change(&FileChange { path, before, after })?;
    Some(DocumentChange { change: DocumentEvent::Moved, was: Some(old.path.clone()), ..told })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_document_displaced_was_not_deleted() {
        let text = "x\n";
        let aside = slug::with_suffix(
            &RelPath::known("knowledge/\u{c5}sa.md"),
            &ContentHash::of_bytes(text.as_bytes()).short(6),
        );
        let before: Snapshot =
            [(RelPath::known("knowledge/\u{c5}sa.md"), text.into())].into_iter().collect();
        let after: Snapshot = [
            (RelPath::known("knowledge/A\u{30a}sa.md"), "y\n".into()),
            (RelPath::known("knowledge/other.md"), text.into()),
            (aside.clone(), text.into()),
        ]
        .into_iter()
        .collect();
        let wholes = ChangeSet::between(&before, &after).meaning().wholes();
        let moved = wholes.iter().find(|one| one.change == DocumentEvent::Moved);
        assert_eq!(moved.map(|one| &one.path), Some(&aside), "{wholes:?}");
        assert!(!wholes.iter().any(|one| one.change == DocumentEvent::Deleted), "{wholes:?}");
        let is_aside = |wholes: &[DocumentDelta]| -> Vec<bool> {
            let moved = wholes.iter().filter(|one| one.change == DocumentEvent::Moved);
            moved.map(|one| one.is_aside).collect()
        };
        assert_eq!(is_aside(&wholes), [true]);
        // A person gave these their names: one that a hash could be, and the one that a merge would
        // give, without another file at the old path.
        let by_hand: Snapshot = [
            (RelPath::known("knowledge/A\u{30a}sa.md"), "y\n".into()),
            (RelPath::known("knowledge/\u{c5}sa-decade.md"), text.into()),
        ]
        .into_iter()
        .collect();
        let alone: Snapshot = [(aside, text.into())].into_iter().collect();
        for after in [by_hand, alone] {
            let wholes = ChangeSet::between(&before, &after).meaning().wholes();
            assert!(!is_aside(&wholes).contains(&true), "{wholes:?}");
        }
    }

    #[test]
    fn what_went_here_and_came_there_moved() {
        let files = |files: &[(&str, &str)]| -> Snapshot {
            files.iter().map(|(path, text)| (RelPath::known(path), (*text).into())).collect()
        };
        let before = files(&[
            ("knowledge/a/readme.md", "One\nTwo\n[x](../x.md)\n"),
            ("knowledge/b/readme.md", "Other\nlines\n"),
            ("knowledge/plan.md", "Plan\n"),
            ("knowledge/old.md", "Old\n"),
            ("knowledge/list.md", "List\nmilk\nbread\nsalt\n"),
            ("knowledge/x.md", "X\n"),
            ("knowledge/context.md", "- a\n"),
        ]);
        let after = files(&[
            ("knowledge/c/a/readme.md", "One\nTwo\n[x](../../x.md)\n"),
            ("knowledge/c/b/readme.md", "Other\nlines\n"),
            ("knowledge/roadmap.md", "Plan\n"),
            ("knowledge/new.md", "New\n"),
            ("knowledge/home/shopping.md", "List\nmilk\nbread\nrice\n"),
            ("knowledge/x.md", "X\nY\n"),
            ("knowledge/context.md", "- b\n"),
        ]);
        let wholes = ChangeSet::between(&before, &after).meaning().wholes();
        let told: Vec<String> = wholes
            .iter()
            .map(|one| {
                let was = one.was.as_ref().map_or("", |was| was.as_str());
                format!("{:?} {was} {} +{} -{}", one.change, one.path, one.added, one.removed)
            })
            .collect();
        assert_eq!(
            told,
            [
                "Added  knowledge/new.md +1 -0",
                "Edited  knowledge/x.md +1 -0",
                "Moved knowledge/a/readme.md knowledge/c/a/readme.md +1 -1",
                "Moved knowledge/b/readme.md knowledge/c/b/readme.md +0 -0",
                "Moved knowledge/list.md knowledge/home/shopping.md +1 -1",
                "Moved knowledge/plan.md knowledge/roadmap.md +0 -0",
                "Deleted  knowledge/old.md +0 -1",
            ]
        );
    }
}
