//! A live identity that somebody pushed into: HEAD moved, and the work tree did not.
//!
//! Invariant: only files that are in work tree and index what co wrote last follow; what a person
//! did, staged or not, stays.

use super::Stop;
use crate::identity::{FileChange, Snapshot};
use crate::merge::ChangeSet;
use crate::ops::{
    store::Store,
    transaction::{self, Unrecorded},
};
use crate::system::{
    files,
    git::{Repo, TIDIED, index_lock::IndexLock},
};
use std::collections::BTreeMap;

/// Brings such files to HEAD. Taken for edits, they would take back what was pushed.
pub(super) fn follow_head(store: &Store, repo: &Repo) -> Result<(), Stop> {
    let (Some(head), Some(tidied)) = (repo.head()?, repo.ref_id(TIDIED)) else { return Ok(()) };
    if head == tidied || !repo.is_ancestor(tidied, head)? {
        return Ok(());
    }
    let change = ChangeSet::between(&repo.snapshot(Some(tidied))?, &repo.snapshot(Some(head))?);
    // git moves HEAD and index together; whoever pushed moved HEAD alone.
    let differs = repo.staged_paths(head)?;
    if change.files.iter().any(|file| !differs.contains(&file.path)) {
        return Ok(());
    }
    let staged = repo.staged_paths(tidied)?;
    let is_left_behind = |file: &&FileChange| {
        let there = files::read(&store.root.join(file.path.as_str())).ok().flatten();
        !staged.contains(&file.path) && there.as_deref() == file.before.as_deref()
    };
    let (mut read, mut wanted) = (Snapshot::default(), Snapshot::default());
    for file in change.files.iter().filter(is_left_behind) {
        read.set(&file.path, file.before.as_ref());
        wanted.set(&file.path, file.after.as_ref());
        file.after.iter().for_each(crate::identity::Blob::bring);
    }
    if read == wanted {
        return Ok(());
    }
    if !repo.is_intact() {
        return Err(Stop::Again);
    }
    let _writing = store.lock()?;
    let why = Unrecorded::ForGit;
    transaction::write_unrecorded(why, &store.root, &read, &wanted, &|_, _| {})?;
    // What a person staged waits for the next sync.
    if staged.is_empty() {
        IndexLock::take(repo)?.write(repo.tree_of(head)?, &BTreeMap::new())?;
    }
    Ok(())
}
