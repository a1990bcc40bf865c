//! What merges on other laptops did not keep of this laptop's documents, said here as the merging
//! laptop said it.
//!
//! Invariant: history is only walked for a question that is new here, or when a person asks; what
//! cannot be read there is not said.

use super::{
    attention::{Attention, MergeSide},
    merged::Merged,
};
use crate::identity::{
    ContentHash, Document, RelPath, Snapshot,
    kind::QUESTIONS,
    questions::{self, MergeQuestion, Met},
};
use crate::system::git::{self, GitError, Id, Repo};
use std::collections::{BTreeSet, VecDeque};

/// Documents of which a merge that this laptop took in dropped lines that it had published.
pub(super) fn dropped(repo: &Repo, merged: &Merged) -> Result<Vec<Attention>, GitError> {
    let asked = |side: &Snapshot| -> BTreeSet<MergeQuestion> {
        let file = side.get(&RelPath::known(QUESTIONS));
        file.map(|blob| questions::read(blob)).unwrap_or_default()
    };
    let known = asked(&merged.ours);
    let mut new = asked(&merged.theirs);
    new.retain(|question| question.met == Met::BothWrote && !known.contains(question));
    let (Some(head), false) = (merged.commits.0, new.is_empty()) else { return Ok(Vec::new()) };
    let tip = merged.taken_in;
    let Some(published) = repo.merge_bases(head, tip)?.last().copied() else {
        return Ok(Vec::new());
    };
    let mut items = Vec::new();
    for question in &new {
        let path = question.path.as_ref().filter(|path| path.merges_by_lines());
        let (Some(path), [text]) = (path, question.texts.as_slice()) else { continue };
        if let Some(newer) = is_newer(repo, (published, tip), path, *text)? {
            let (path, commit) = (path.to_string(), git::short(published));
            items.push(Attention::BothWrote { path, kept: MergeSide::There, newer, commit });
        }
    }
    Ok(items)
}

/// Whether the text that stayed is known to be newer; `None` if it has all lines that were written
/// in the published one.
fn is_newer(
    repo: &Repo,
    (published, tip): (Id, Id),
    path: &RelPath,
    merged: ContentHash,
) -> Result<Option<bool>, GitError> {
    let stayed = document(repo, tip, path)?.filter(|stayed| stayed.hash() == merged);
    let (Some(ours), Some(stayed)) = (document(repo, published, path)?, stayed) else {
        return Ok(None);
    };
    let Some(merge) = lossy_merge(repo, tip, path, merged)? else { return Ok(None) };
    let [one, other] = merge.parents;
    for (side, other) in [(one, other), (other, one)] {
        let wrote = document(repo, side, path)?.map(|document| document.hash());
        if !merge.dropped.contains(&side) || wrote != Some(ours.hash()) {
            continue;
        }
        let base = repo.merge_bases(side, other)?.first().copied();
        let base = base.map(|base| document(repo, base, path)).transpose()?.flatten();
        let there: BTreeSet<&str> = [Some(&stayed), base.as_ref()]
            .into_iter()
            .flatten()
            .flat_map(|document| document.body().lines().map(str::trim_end))
            .collect();
        if ours.body().lines().any(|line| !there.contains(line.trim_end())) {
            let at = |side: Id, other: Id| repo.edit_times(side, &[other], [path]);
            let (here, there) = (at(side, other)?, at(other, side)?);
            return Ok(Some(there.last_edit(path) > here.last_edit(path)));
        }
    }
    Ok(None)
}

fn document(repo: &Repo, commit: Id, path: &RelPath) -> Result<Option<Document>, GitError> {
    let tree = repo.snapshot(Some(commit))?;
    Ok(tree.get(path).and_then(|blob| Document::of_text(blob)))
}

/// A merge that dropped a part of a document.
pub(in crate::ops) struct LossyMerge {
    parents: [Id; 2],
    /// The sides of which it did.
    pub(in crate::ops) dropped: Vec<Id>,
}

/// The latest merge, up to a commit, that made this text and dropped a part of a side's.
pub(in crate::ops) fn lossy_merge(
    repo: &Repo,
    tip: Id,
    path: &RelPath,
    merged: ContentHash,
) -> Result<Option<LossyMerge>, GitError> {
    let text = |commit: Id| -> Result<Option<ContentHash>, GitError> {
        Ok(document(repo, commit, path)?.map(|document| document.hash()))
    };
    let mut seen = BTreeSet::new();
    let mut next = VecDeque::from([tip]);
    while let Some(commit) = next.pop_front() {
        if !seen.insert(commit) {
            continue;
        }
        let parents = repo.parents(commit)?;
        if let [one, other] = *parents.as_slice()
            && text(commit)? == Some(merged)
        {
            let mut known = vec![Some(merged), None];
            for base in repo.merge_bases(one, other)? {
                known.push(text(base)?);
            }
            let mut dropped = Vec::new();
            for side in [one, other] {
                if !known.contains(&text(side)?) {
                    dropped.push(side);
                }
            }
            if !dropped.is_empty() {
                return Ok(Some(LossyMerge { parents: [one, other], dropped }));
            }
        }
        next.extend(parents);
    }
    Ok(None)
}
