//! Where the texts are that a merge did not keep of a document: in the commits of its sides.
//!
//! Invariant: history is only walked when a person is asked; what cannot be read there is not named.

use super::{Proposal, Question};
use crate::identity::{ContentHash, Document, RelPath, shell};
use crate::ops::{store::Store, workspace::Workspace};
use crate::secrets::redact;
use crate::system::{
    folder,
    git::{self, GitError, Id, Repo},
};
use std::collections::{BTreeSet, VecDeque};

/// Adds to each question about a document the commands that show its other texts.
pub(super) fn add(ws: &Workspace, store: &Store, proposals: &mut [Proposal]) {
    for proposal in proposals {
        let Question::Look { path: Some(path), other_texts, .. } = &mut proposal.what else {
            continue;
        };
        let Ok(Some(repo)) = ws.repo() else { return };
        let Ok((blob, _)) = folder::read_file(path, &store.root.join(path.as_str())) else {
            continue;
        };
        let Ok(document) = Document::read(&blob) else { continue };
        let commits = sides(&repo, path, document.hash()).unwrap_or_default();
        *other_texts = commits.into_iter().map(|commit| shows(&repo, commit, path)).collect();
    }
}

fn shows(repo: &Repo, commit: Id, path: &RelPath) -> String {
    let root = shell::quoted(&repo.root.display().to_string());
    let file = shell::quoted(&format!("{}:{}{path}", git::short(commit), repo.prefix));
    redact(&format!("git -C {root} show {file}")).into_owned()
}

/// The sides of the latest merge that made this text and dropped a part of theirs.
fn sides(repo: &Repo, path: &RelPath, merged: ContentHash) -> Result<Vec<Id>, GitError> {
    let text = |commit: Id| -> Result<Option<ContentHash>, GitError> {
        let tree = repo.snapshot(Some(commit))?;
        let document = tree.get(path).and_then(|blob| Document::read(blob).ok());
        Ok(document.map(|document| document.hash()))
    };
    let mut seen = BTreeSet::new();
    let mut next: VecDeque<Id> = repo.head()?.into_iter().collect();
    while let Some(commit) = next.pop_front() {
        if !seen.insert(commit) {
            continue;
        }
        let parents = repo.parents(commit)?;
        if let [one, other] = parents.as_slice()
            && text(commit)? == Some(merged)
        {
            let mut known = vec![Some(merged), None];
            for base in repo.merge_bases(*one, *other)? {
                known.push(text(base)?);
            }
            let mut sides = Vec::new();
            for side in &parents {
                if !known.contains(&text(*side)?) {
                    sides.push(*side);
                }
            }
            if !sides.is_empty() {
                return Ok(sides);
            }
        }
        next.extend(parents);
    }
    Ok(Vec::new())
}
