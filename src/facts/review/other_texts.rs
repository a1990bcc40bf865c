//! Where the texts are that a merge did not keep of a document: in the commits of its sides.
//!
//! Invariant: history is only walked when a person is asked, and once for all questions; what
//! cannot be read there is not named.

use super::{
    merges::unlisted,
    proposal::{Proposal, Question},
};
use crate::git::{self, FileVersions, GitError, Id, Repo};
use crate::identity::{ContentHash, Document, RelPath, shell};
use crate::index::store::Store;
use crate::machine::folder;
use crate::merge::blocks;
use crate::secrets::redact;
use crate::sync;
use crate::workspace::Workspace;

/// What a question about a document is told.
struct Told<'a> {
    document: Document,
    field: Option<String>,
    values: &'a mut Vec<String>,
    texts: &'a mut Vec<String>,
    bring_back: &'a mut Vec<String>,
}

/// Adds to each question about a document the other values of its field, and the commands that show
/// its other texts and bring them back.
pub(super) fn add(ws: &Workspace, store: &Store, proposals: &mut [Proposal]) {
    let mut asked = Vec::new();
    let mut all = Vec::new();
    for proposal in proposals {
        let Question::Look {
            path: Some(path),
            field,
            other_values: values,
            other_texts: texts,
            bring_back,
            ..
        } = &mut proposal.what
        else {
            continue;
        };
        if let Some(document) = document(store, path) {
            asked.push((path.clone(), document.hash()));
            all.push(Told { document, field: field.clone(), values, texts, bring_back });
        }
    }
    if asked.is_empty() {
        return;
    }
    let Ok(Some(repo)) = ws.repo() else { return };
    let mut versions = FileVersions::of(&repo, asked.iter().map(|(path, _)| path));
    let sides = sides(&repo, &mut versions, &asked).unwrap_or_default();
    for (((path, _), commits), told) in asked.iter().zip(sides).zip(all) {
        for commit in &commits {
            let there = versions.document(*commit, path).ok().flatten();
            let field = told.field.as_deref().zip(there.as_deref());
            let value = field.and_then(|(line, there)| other_value(line, &told.document, there));
            let value = value.filter(|value| !told.values.contains(value));
            told.values.extend(value);
        }
        *told.bring_back = commits.iter().map(|commit| restores(*commit, path)).collect();
        *told.texts = commits.into_iter().map(|commit| shows(&repo, commit, path)).collect();
    }
}

fn document(store: &Store, path: &RelPath) -> Option<Document> {
    let (blob, _) = folder::read_file(path, &store.root.join(path.as_str())).ok()?;
    Document::of_text(&blob)
}

/// What the field of this line says in another text; `None` if it says the same, or is not there.
fn other_value(line: &str, here: &Document, there: &Document) -> Option<String> {
    let (here, there) = (blocks::field_lines(here.body()), blocks::field_lines(there.body()));
    let meant = here.iter().find(|field| field.line.trim() == line.trim())?;
    let other = there.iter().find(|field| (&field.under, &field.key) == (&meant.under, &meant.key));
    let other = other.filter(|other| other.line.trim() != line.trim())?;
    Some(redact(unlisted(&other.line)).into_owned())
}

/// For each document, the sides of which a merge dropped a part.
fn sides(
    repo: &Repo,
    versions: &mut FileVersions<'_>,
    asked: &[(RelPath, ContentHash)],
) -> Result<Vec<Vec<Id>>, GitError> {
    let Some(head) = repo.head()? else { return Ok(Vec::new()) };
    let merges = sync::lossy_merges(repo, versions, (None, head), asked)?;
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
