//! Where the texts are that a merge did not keep of a document: in the commits of its sides.
//!
//! Invariant: history is only walked when a person is asked, and once for all questions; what
//! cannot be read there is not named.

use super::proposal::{Proposal, Question};
use crate::git::{self, FileVersions, GitError, Id, Repo};
use crate::identity::{ContentHash, Document, RelPath, shell};
use crate::index::store::Store;
use crate::machine::folder;
use crate::secrets::redact;
use crate::sync;
use crate::workspace::Workspace;

/// Adds to each question about a document the commands that show its other texts and bring them
/// back.
pub(super) fn add(ws: &Workspace, store: &Store, proposals: &mut [Proposal]) {
    let mut asked = Vec::new();
    let mut commands = Vec::new();
    for proposal in proposals {
        let Question::Look { path: Some(path), other_texts, bring_back, .. } = &mut proposal.what
        else {
            continue;
        };
        if let Some(text) = text_of(store, path) {
            asked.push((path.clone(), text));
            commands.push((other_texts, bring_back));
        }
    }
    if asked.is_empty() {
        return;
    }
    let Ok(Some(repo)) = ws.repo() else { return };
    let sides = sides(&repo, &asked).unwrap_or_default();
    for (((path, _), commits), (other_texts, bring_back)) in asked.iter().zip(sides).zip(commands) {
        *bring_back = commits.iter().map(|commit| restores(*commit, path)).collect();
        *other_texts = commits.into_iter().map(|commit| shows(&repo, commit, path)).collect();
    }
}

fn text_of(store: &Store, path: &RelPath) -> Option<ContentHash> {
    let (blob, _) = folder::read_file(path, &store.root.join(path.as_str())).ok()?;
    Some(Document::of_text(&blob)?.hash())
}

/// For each document, the sides of which a merge dropped a part.
fn sides(repo: &Repo, asked: &[(RelPath, ContentHash)]) -> Result<Vec<Vec<Id>>, GitError> {
    let Some(head) = repo.head()? else { return Ok(Vec::new()) };
    let mut versions = FileVersions::of(repo, asked.iter().map(|(path, _)| path));
    let merges = sync::lossy_merges(repo, &mut versions, (None, head), asked)?;
    let dropped = merges.into_iter().map(|merge| merge.map(|merge| merge.dropped));
    Ok(dropped.map(Option::unwrap_or_default).collect())
}

fn shows(repo: &Repo, commit: Id, path: &RelPath) -> String {
    let root = shell::quoted(&repo.root.display().to_string());
    let file = shell::quoted(&format!("{}:{}{path}", git::short(commit), repo.prefix));
    redact(&format!("git -C {root} show {file}")).into_owned()
}

/// The document, as a whole, as it was in that commit.
fn restores(commit: Id, path: &RelPath) -> String {
    let file = shell::quoted(path.as_str());
    redact(&format!("co identity restore --from {} {file}", git::short(commit))).into_owned()
}
