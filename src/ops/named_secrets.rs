//! The secrets that the files of an identity name, kept with the commit that was looked at, so that
//! only the files that differ from it are read.
//!
//! Invariant: equals reading every file; a file counts as unchanged only where git's index says so.
//! A cache outside the identity: without it, the files are read.

use super::{index::CheckedStore, store::Store};
use crate::identity::{Blob, RelPath};
use crate::secrets::reference::{occurs, references};
use crate::system::{
    files, folder,
    git::{Id, Repo, index::Difference},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// A work tree compared with the last commit, while nothing is staged.
pub(super) struct Compared<'a> {
    pub(super) repo: &'a Repo,
    pub(super) head: Id,
    pub(super) difference: &'a Difference,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Kept {
    commit: String,
    /// The names, by the path of the file that has them.
    names: BTreeMap<String, BTreeSet<String>>,
}

impl Kept {
    fn put(&mut self, path: &RelPath, blob: Option<&Blob>) {
        self.names.remove(path.as_str());
        let named = blob.map(|blob| names(blob)).filter(|names| !names.is_empty());
        self.names.extend(named.map(|names| (path.as_str().to_owned(), names)));
    }
}

fn names(bytes: &[u8]) -> BTreeSet<String> {
    if !occurs(bytes) {
        return BTreeSet::new();
    }
    let text = String::from_utf8_lossy(bytes);
    references(&text).into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn file_of(store: &Store) -> PathBuf {
    store.state.join("named-secrets.json")
}

fn write(store: &Store, kept: &Kept) {
    if let Ok(bytes) = serde_json::to_vec(kept) {
        // Without it, the next look reads the files.
        let _ = files::write_private(&file_of(store), &bytes);
    }
}

/// The names in the work tree; `None` if nothing is kept about it, or the repository cannot tell.
pub(super) fn in_work_tree(store: &Store, compared: &Compared<'_>) -> Option<BTreeSet<String>> {
    let kept = of_commit(store, compared)?;
    let difference = compared.difference;
    let apart = [&difference.changed, &difference.missing, &difference.left_out];
    let is_apart = |path: &str| {
        RelPath::new(path).is_none_or(|path| apart.iter().any(|paths| paths.contains(&path)))
    };
    let committed = kept.names.into_iter().filter(|(path, _)| !is_apart(path));
    let mut found: BTreeSet<String> = committed.flat_map(|(_, names)| names).collect();
    let others = [&difference.changed, &difference.left_out, &difference.ignored];
    for path in others.into_iter().flatten() {
        if let Ok((blob, _)) = folder::read_file(path, &store.root.join(path.as_str())) {
            found.extend(names(&blob));
        }
    }
    Some(found)
}

/// What is kept, brought up to the last commit.
fn of_commit(store: &Store, compared: &Compared<'_>) -> Option<Kept> {
    let bytes = files::read(&file_of(store)).ok().flatten()?;
    let mut kept: Kept = serde_json::from_slice(&bytes).ok()?;
    let (repo, head) = (compared.repo, compared.head);
    let known = Id::from_hex(kept.commit.as_bytes()).ok().filter(|known| repo.knows(*known))?;
    if known != head {
        for change in repo.changes_between(Some(known), head).ok()? {
            kept.put(&change.path, change.after.as_ref());
        }
        kept.commit = head.to_string();
        write(store, &kept);
    }
    Some(kept)
}

/// After all files were read: keeps what a work tree without changes named.
pub(super) fn keep(store: &Store, compared: &Compared<'_>, checked: &CheckedStore) {
    let difference = compared.difference;
    let is_whole = checked.reading.unreadable.is_empty() && checked.reading.closed.is_empty();
    if !difference.is_clean() || !difference.left_out.is_empty() || !is_whole {
        return;
    }
    let mut kept = Kept { commit: compared.head.to_string(), ..Kept::default() };
    for (path, blob) in checked.reading.snapshot.iter() {
        if !difference.ignored.contains(path) && checked.before.may_name_secrets(path, blob) {
            kept.put(path, Some(blob));
        }
    }
    if checked.all_loaded() {
        write(store, &kept);
    }
}
