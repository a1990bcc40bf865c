//! Updates the work tree of an identity after a push to its checked-out branch.
//!
//! Invariant: files that are in work tree and index as co last wrote them are updated; an edited
//! file is merged with what was pushed, and staged changes stay.

use super::Stop;
use crate::git::{Repo, TIDIED, index_lock::IndexLock};
use crate::identity::{EditTimes, FileChange, Snapshot};
use crate::index::store::Store;
use crate::machine::{files, folder, oplog::OpVerb};
use crate::merge::{ChangeSet, History, join, tidy};
use crate::workspace::{
    Workspace,
    transaction::{self, Unrecorded},
};
use std::collections::BTreeMap;

/// Updates such files to HEAD. Treated as edits, they would revert what was pushed.
pub fn follow_head(ws: &Workspace, store: &Store, repo: &Repo) -> Result<(), Stop> {
    let (Some(head), Some(tidied)) = (repo.head()?, repo.ref_id(TIDIED)) else { return Ok(()) };
    if head == tidied || repo.was_moved_here() || !repo.is_ancestor(tidied, head)? {
        return Ok(());
    }
    let (base, theirs) = (repo.snapshot(Some(tidied))?, repo.snapshot(Some(head))?);
    let change = ChangeSet::between(&base, &theirs);
    // git moves HEAD and index together; a push moves HEAD alone.
    let differs = repo.staged_paths(head)?;
    if change.files.iter().any(|file| !differs.contains(&file.path)) {
        return Ok(());
    }
    let staged = repo.staged_paths(tidied)?;
    let there =
        |file: &FileChange| files::read(&store.root.join(file.path.as_str())).ok().flatten();
    let (mut read, mut wanted) = (Snapshot::default(), Snapshot::default());
    let mut is_edited = false;
    for file in change.files.iter().filter(|file| !staged.contains(&file.path)) {
        file.after.iter().for_each(crate::identity::Blob::load);
        let there = there(file);
        if there.as_deref() == file.before.as_deref() {
            read.set(&file.path, file.before.as_ref());
            wanted.set(&file.path, file.after.as_ref());
        } else {
            is_edited |= there.as_deref() != file.after.as_deref();
        }
    }
    if read == wanted && !is_edited {
        return Ok(());
    }
    if !repo.all_loaded() {
        return Err(Stop::Again);
    }
    let write = ws.write(store)?;
    if is_edited {
        let folder::Reading { snapshot: work, mtimes, .. } = folder::read(&store.root);
        let clock = tidy::Clock { now: ws.now(), mtimes: &BTreeMap::new() };
        let ours = tidy::tidy(&work, &base, clock).snapshot;
        let pushed = change.files.iter().map(|file| &file.path);
        let there = repo.edit_times(head, &[tidied], pushed)?;
        let here: EditTimes = mtimes.iter().map(|(path, at)| (path, *at)).collect();
        let times = Some([&here, &there]);
        let history = History { base: Some(&base), times, ..History::default() };
        let mut both = join(history, &ours, &theirs, ws.now()).snapshot;
        for path in &staged {
            both.set(path, work.get(path));
        }
        let transaction = write.operation(OpVerb::Fix, "merged what was pushed here").repairing();
        transaction.apply_between(&work, &both, &|_, _| {})?;
    } else {
        let why = Unrecorded::ForGit;
        transaction::write_unrecorded(why, &store.root, &read, &wanted, &|_, _| {})?;
    }
    // Staged changes wait for the next sync.
    if staged.is_empty() {
        IndexLock::take(repo)?.write(repo.tree_of(head)?, &BTreeMap::new())?;
    }
    Ok(())
}
