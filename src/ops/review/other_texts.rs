//! Where the texts are that a merge did not keep of a document: in the commits of its sides.
//!
//! Invariant: history is only walked when a person is asked; what cannot be read there is not named.

use super::{Proposal, Question};
use crate::identity::{Document, RelPath, shell};
use crate::ops::{store::Store, sync, workspace::Workspace};
use crate::secrets::redact;
use crate::system::{
    folder,
    git::{self, Id, Repo},
};

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
        let Some(document) = Document::of_text(&blob) else { continue };
        let Ok(Some(head)) = repo.head() else { return };
        let merge = sync::lossy_merge(&repo, head, path, document.hash()).ok().flatten();
        let commits = merge.map(|merge| merge.dropped).unwrap_or_default();
        *other_texts = commits.into_iter().map(|commit| shows(&repo, commit, path)).collect();
    }
}

fn shows(repo: &Repo, commit: Id, path: &RelPath) -> String {
    let root = shell::quoted(&repo.root.display().to_string());
    let file = shell::quoted(&format!("{}:{}{path}", git::short(commit), repo.prefix));
    redact(&format!("git -C {root} show {file}")).into_owned()
}
