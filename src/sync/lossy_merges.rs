//! Merges that did not keep all of a document, found in history.
//!
//! Invariant: history is walked once for all documents that are asked about. Blobs are compared
//! first: a merge's texts and bases are read only if its sides differ and at least one side's
//! version is not the result.

use crate::git::{FileVersions, GitError, Id, Repo};
use crate::identity::{ContentHash, Document, RelPath, value::Value};
use std::{collections::BTreeSet, rc::Rc};

/// A merge that dropped a part of a document.
pub(crate) struct LossyMerge {
    pub(super) commit: Id,
    pub(super) parents: [Id; 2],
    /// What its sides have in common, oldest first.
    pub(super) bases: Vec<Id>,
    /// The sides that lost a part.
    pub(crate) dropped: Vec<Id>,
}

/// For each file and the text that it has now, the latest merge that made this text and dropped a
/// part of a side's text. Searches the commits up to `tip` that `known` does not include.
pub(crate) fn lossy_merges(
    repo: &Repo,
    versions: &mut FileVersions<'_>,
    (known, tip): (Option<Id>, Id),
    asked: &[(RelPath, ContentHash)],
) -> Result<Vec<Option<LossyMerge>>, GitError> {
    let mut found: Vec<Option<LossyMerge>> = asked.iter().map(|_| None).collect();
    for merge in repo.merges_between(known, tip)? {
        if found.iter().all(Option::is_some) {
            break;
        }
        let (commit, parents) = merge?;
        let mut merge = Merge { repo, commit, parents, bases: None };
        for ((path, text), found) in asked.iter().zip(&mut found) {
            if found.is_none() {
                *found = merge.loss_of(versions, path, *text)?;
            }
        }
    }
    Ok(found)
}

struct Merge<'r> {
    repo: &'r Repo,
    commit: Id,
    parents: [Id; 2],
    /// Once they were asked for.
    bases: Option<Vec<Id>>,
}

impl Merge<'_> {
    /// If it made this text and dropped a part of a side's.
    fn loss_of(
        &mut self,
        versions: &mut FileVersions<'_>,
        path: &RelPath,
        text: ContentHash,
    ) -> Result<Option<LossyMerge>, GitError> {
        let [one, other] = self.parents;
        let here = versions.blob(self.commit, path)?;
        let sides = [versions.blob(one, path)?, versions.blob(other, path)?];
        let is_whole = |side: &Option<Id>| side.is_none() || *side == here;
        if here.is_none() || sides[0] == sides[1] || sides.iter().all(is_whole) {
            return Ok(None);
        }
        let merged = versions.document(self.commit, path)?;
        let Some(merged) = merged.filter(|merged| merged.hash() == text) else { return Ok(None) };
        let bases = self.bases()?;
        let mut kept = vec![merged];
        for base in &bases {
            kept.extend(versions.document(*base, path)?);
        }
        let mut dropped = Vec::new();
        for side in self.parents {
            let wrote = versions.document(side, path)?;
            if wrote.is_some_and(|wrote| has_own_part(&wrote, &kept)) {
                dropped.push(side);
            }
        }
        let (commit, parents) = (self.commit, self.parents);
        Ok((!dropped.is_empty()).then_some(LossyMerge { commit, parents, bases, dropped }))
    }

    fn bases(&mut self) -> Result<Vec<Id>, GitError> {
        if let Some(known) = &self.bases {
            return Ok(known.clone());
        }
        let [one, other] = self.parents;
        let bases = self.repo.merge_bases(one, other)?;
        self.bases = Some(bases.clone());
        Ok(bases)
    }
}

/// Whether a text is none of these, or has labels that they do not have.
fn has_own_part(wrote: &Document, kept: &[Rc<Document>]) -> bool {
    kept.iter().all(|one| one.hash() != wrote.hash()) || has_own_labels(wrote, kept)
}

/// Whether a document says in its frontmatter what none of these say. What a merge computes is
/// nobody's text.
pub(super) fn has_own_labels(wrote: &Document, kept: &[Rc<Document>]) -> bool {
    let there: BTreeSet<(String, String)> = kept.iter().flat_map(|one| labels(one)).collect();
    labels(wrote).into_iter().any(|label| !there.contains(&label))
}

/// Each key with its value; lists item by item, because merges unite them.
fn labels(document: &Document) -> Vec<(String, String)> {
    let entries = document.front().map(|front| front.entries()).unwrap_or_default();
    let is_said = |key: &str| !matches!(key, "updated" | "version" | "checksum");
    let mut labels = Vec::new();
    for entry in entries.iter().filter(|entry| is_said(&entry.key)) {
        let items = match entry.value() {
            Value::List(items) => Some(items.clone()),
            value if entry.key == "tags" => value.list(),
            _ => None,
        };
        // A mapping counts as it was typed.
        let whole = || vec![entry.value().text().unwrap_or_else(|| entry.raw.trim().to_owned())];
        let items = items.unwrap_or_else(whole);
        labels.extend(items.into_iter().map(|item| (entry.key.clone(), item)));
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_one_text_says_in_its_labels() {
        let of = |front: &str| {
            Document::of_text(format!("---\n{front}---\ntext\n").as_bytes()).expect("text")
        };
        let kept = [Rc::new(of("title: A\ntags: [a, b]\nversion: 2\n")), Rc::new(of("mood: x\n"))];
        for (front, is_own) in [
            ("title: A\n", false),
            ("title: \"A\"\n", false),
            ("title: B\n", true),
            ("tags: [b]\n", false),
            ("tags: b, a\n", false),
            ("tags: [a, c]\n", true),
            ("mood: x\nversion: 7\nupdated: 2026-01-01T00:00:00Z\n", false),
            ("new: 1\n", true),
            ("", false),
        ] {
            assert_eq!(has_own_labels(&of(front), &kept), is_own, "{front}");
        }
    }
}
