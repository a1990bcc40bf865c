//! After a plain git merge or rebase: turns the identity into what sync would have merged.
//!
//! Invariant: writes the engine's merge of the two sides, only over files that are still as git
//! left them; commits nothing.

use super::{
    Error,
    reference::reference,
    sides::{base_of, edit_times},
};
use crate::git::{Id, Repo};
use crate::identity::{ContentHash, Memory, RelPath, Snapshot};
use crate::machine::{folder, oplog::OpVerb};
use crate::merge::{ChangeSet, History, join, tidy};
use crate::workspace::Workspace;
use std::collections::BTreeSet;

/// After `git merge` and `git pull`; returns the files that changed.
pub fn order_after_merge(ws: &Workspace) -> Result<Vec<String>, Error> {
    let Some(repo) = ws.repo()? else {
        return Ok(Vec::new());
    };
    let Some(head) = repo.head()? else { return Ok(Vec::new()) };
    match repo.parents(head)?.as_slice() {
        [ours, theirs] => put_in_order(ws, &repo, head, *ours, *theirs),
        // A fast-forward: the other side's result is kept.
        _ => Ok(Vec::new()),
    }
}

/// After `git rebase`; each line of `rewritten` contains an old commit and its new one.
pub fn order_after_rebase(ws: &Workspace, rewritten: &str) -> Result<Vec<String>, Error> {
    let Some(repo) = ws.repo()? else {
        return Ok(Vec::new());
    };
    let id = |word: Option<&str>| word.and_then(|hex| Id::from_hex(hex.as_bytes()).ok());
    let pairs: Vec<(Id, Id)> = rewritten
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((id(words.next())?, id(words.next())?))
        })
        .collect();
    let (Some((_, first)), Some((tip, _)), Some(head)) =
        (pairs.first(), pairs.last(), repo.head()?)
    else {
        return Ok(Vec::new());
    };
    let Some(onto) = repo.parents(*first)?.first().copied() else { return Ok(Vec::new()) };
    // Only a rebase of the whole line counts as a merge: commits dropped on purpose stay dropped.
    let base = repo.merge_bases(*tip, onto)?.first().copied();
    if repo.commits_between(base, *tip) != pairs.len() {
        return Ok(Vec::new());
    }
    put_in_order(ws, &repo, head, *tip, onto)
}

fn put_in_order(
    ws: &Workspace,
    repo: &Repo,
    head: Id,
    ours: Id,
    theirs: Id,
) -> Result<Vec<String>, Error> {
    let store = ws.identity()?;
    let write = ws.write(store)?;
    let base = base_of(repo, ours, theirs)?;
    let (our_id, their_id) = (ours, theirs);
    let (committed_here, theirs) = (repo.snapshot(Some(ours))?, repo.snapshot(Some(theirs))?);
    // Our side as sync would have committed it: commits made without co are tidied first.
    let reference = reference(repo, Some(our_id), &committed_here)?;
    let clock = tidy::Clock { now: ws.now(), mtimes: &std::collections::BTreeMap::new() };
    let ours = tidy::tidy(&committed_here, &reference, clock).snapshot;
    let times = edit_times(repo, (our_id, &ours), (their_id, &theirs), base.as_ref())?;
    let times = Some(times.each_ref());
    let history = History { base: base.as_ref(), times, ..History::default() };
    let wanted = join(history, &ours, &theirs, ws.now()).snapshot;
    let committed = repo.snapshot(Some(head))?;
    let found = folder::read(&store.root).snapshot;
    let settled_texts: BTreeSet<Option<ContentHash>> =
        wanted.memories().iter().map(|memory| Some(memory.hash)).collect();
    // Only files that are still as git left them: a person's changes and unrelated files stay.
    let laid_beside = |path: &RelPath| {
        committed.get(path).is_none() && settled_texts.contains(&text_at(&found, path))
    };
    let ours_to_write =
        |path: &RelPath| (found.get(path) == committed.get(path)) || laid_beside(path);
    let mut after = found.clone();
    for path in found.paths().chain(wanted.paths()).filter(|path| ours_to_write(path)) {
        match wanted.get(path) {
            Some(blob) => after.put(path.clone(), blob.clone()),
            None => {
                after.remove(path);
            }
        }
    }
    let change = ChangeSet::between(&found, &after);
    if !change.is_empty() {
        let transaction = write.operation(OpVerb::Fix, "order after plain git").repairing();
        transaction.apply_between(&found, &after, &|_, _| {})?;
    }
    Ok(change.files.iter().map(|file| file.path.to_string()).collect())
}

/// The text of a file that the merge driver wrote next to another, which the merge also has.
fn text_at(snapshot: &Snapshot, path: &RelPath) -> Option<ContentHash> {
    Memory::read(path, snapshot.get(path)?).ok().map(|memory| memory.hash)
}
