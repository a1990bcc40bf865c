//! File-level document changes (added, edited, moved, deleted) for reports.
//!
//! Invariant: pure. A document deleted at one path and added at another with its text has moved.

use super::change::{DocumentChange, Meaning};
use crate::identity::{RelPath, Role};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentEvent {
    Added,
    Edited,
    Moved,
    Deleted,
}

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
}

impl Meaning {
    /// The documents and originals among the changes, with moves detected.
    pub fn wholes(&self) -> Vec<DocumentDelta> {
        let documents = self.documents.iter().filter(|document| document.is_whole());
        let mut wholes: Vec<DocumentDelta> = Vec::new();
        let mut gone: BTreeMap<String, Vec<&DocumentChange>> = BTreeMap::new();
        for document in
            documents.clone().filter(|document| document.change == DocumentEvent::Deleted)
        {
            gone.entry(name(&document.path)).or_default().push(document);
        }
        for document in documents.filter(|document| document.change != DocumentEvent::Deleted) {
            let was = match document.change {
                DocumentEvent::Added => taken(&mut gone, document),
                _ => None,
            };
            wholes.push(DocumentDelta {
                path: document.path.clone(),
                change: if was.is_some() { DocumentEvent::Moved } else { document.change.clone() },
                was,
                added: document.added.len(),
                removed: document.removed.len(),
                keeps_text: document.keeps_text,
            });
        }
        let deleted = |document: &DocumentChange| DocumentDelta {
            path: document.path.clone(),
            change: DocumentEvent::Deleted,
            was: None,
            added: 0,
            removed: document.removed.len(),
            keeps_text: false,
        };
        wholes.extend(gone.into_values().flatten().map(deleted));
        wholes.sort_by(|a, b| (&a.change, &a.path).cmp(&(&b.change, &b.path)));
        wholes
    }
}

impl DocumentChange {
    /// Whether it is read as a whole, not by its entries.
    pub fn is_whole(&self) -> bool {
        matches!(self.path.role(), Role::Document | Role::Original)
    }

    /// Whether it equals a deleted document: the same lines, or the same bytes if it is not text.
    fn is_same(&self, gone: &DocumentChange) -> bool {
        self.added == gone.removed && self.bytes == gone.bytes
    }

    /// Whether most of its lines are another's: links that are updated in a move change a few.
    fn is_like(&self, gone: &DocumentChange) -> bool {
        let had: HashSet<&String> = gone.removed.iter().collect();
        let same = self.added.iter().filter(|line| had.contains(line)).count();
        self.bytes.is_none() && same * 2 > self.added.len().max(gone.removed.len())
    }
}

/// The file name, which moving a folder does not change.
fn name(path: &RelPath) -> String {
    path.name().to_lowercase()
}

/// The folder as well: of the many documents with one name, few are in folders of the same name.
fn last_folder(path: &RelPath) -> String {
    let folder = path.folder().trim_end_matches('/');
    folder.rsplit('/').next().unwrap_or_default().to_lowercase()
}

/// Takes the document that a new one was before, if a similar one was deleted: one with the same
/// name, or else one with exactly the same lines.
fn taken(
    gone: &mut BTreeMap<String, Vec<&DocumentChange>>,
    new: &DocumentChange,
) -> Option<RelPath> {
    let named = name(&new.path);
    let of_name = gone.get(&named).and_then(|those| {
        let exact = those.iter().position(|one| new.is_same(one));
        let folder = last_folder(&new.path);
        let is_near = |one: &&DocumentChange| those.len() == 1 || last_folder(&one.path) == folder;
        exact.or_else(|| those.iter().position(|one| is_near(one) && new.is_like(one)))
    });
    let found = of_name.map(|at| (named, at)).or_else(|| {
        // Two empty documents are not evidence of a move.
        let is_told = !new.added.is_empty() || new.bytes.is_some();
        let place = |(name, those): (&String, &Vec<&DocumentChange>)| {
            let at = those.iter().position(|one| new.is_same(one))?;
            Some((name.clone(), at))
        };
        is_told.then(|| gone.iter().find_map(place)).flatten()
    });
    let (name, at) = found?;
    let those = gone.get_mut(&name)?;
    let was = those.remove(at).path.clone();
    if those.is_empty() {
        gone.remove(&name);
    }
    Some(was)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Snapshot;
    use crate::merge::change::ChangeSet;

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
            ("knowledge/x.md", "X\n"),
            ("knowledge/context.md", "- a\n"),
        ]);
        let after = files(&[
            ("knowledge/c/a/readme.md", "One\nTwo\n[x](../../x.md)\n"),
            ("knowledge/c/b/readme.md", "Other\nlines\n"),
            ("knowledge/roadmap.md", "Plan\n"),
            ("knowledge/new.md", "New\n"),
            ("knowledge/x.md", "X\nY\n"),
            ("knowledge/context.md", "- b\n"),
        ]);
        let wholes = ChangeSet::between(&before, &after).meaning().wholes();
        let told: Vec<String> = wholes
            .iter()
            .map(|one| {
                let was = one.was.as_ref().map_or("", |was| was.as_str());
                format!("{:?} {was} {}", one.change, one.path)
            })
            .collect();
        assert_eq!(
            told,
            [
                "Added  knowledge/new.md",
                "Edited  knowledge/x.md",
                "Moved knowledge/a/readme.md knowledge/c/a/readme.md",
                "Moved knowledge/b/readme.md knowledge/c/b/readme.md",
                "Moved knowledge/plan.md knowledge/roadmap.md",
                "Deleted  knowledge/old.md",
            ]
        );
    }
}
