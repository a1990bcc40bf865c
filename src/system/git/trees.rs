//! Identities in git's object database: reading a commit's, writing a new one.
//!
//! Invariant: nothing but regular files with sound names comes out of a tree; links, submodules and `.git`-like names are refused before
//! anything is written.

use super::{GitError, Id, Repo};
use crate::identity::{Blob, RelPath, Snapshot};
use crate::merge::change::FileChange;
use gix::bstr::{BStr, ByteSlice};
use gix::objs::tree::EntryKind;

/// An entry of a tree that has no place in an identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsafeEntry {
    /// Its path.
    pub path: String,
    /// Why not.
    pub why: String,
}

impl Repo {
    /// The tree of a commit.
    ///
    /// # Errors
    /// When the objects are missing or damaged.
    pub fn tree_of(&self, commit: Id) -> Result<Id, GitError> {
        let failed = self.failed("read a commit");
        let commit = self.gix.find_commit(commit).map_err(|error| failed(&error))?;
        Ok(commit.tree_id().map_err(|error| failed(&error))?.detach())
    }

    /// The tree of the identity in a root tree; `None` when there is none.
    ///
    /// # Errors
    /// When the objects are missing or damaged.
    pub fn identity_tree(&self, root: Id) -> Result<Option<Id>, GitError> {
        if self.prefix.is_empty() {
            return Ok(Some(root));
        }
        let failed = self.failed("read a tree");
        let tree = self.gix.find_tree(root).map_err(|error| failed(&error))?;
        let path = self.prefix.trim_end_matches('/');
        let entry = tree.lookup_entry_by_path(path).map_err(|error| failed(&error))?;
        Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
    }

    /// The identity in a commit.
    ///
    /// # Errors
    /// [`GitError::Unsafe`] for entries that have no place in an identity.
    pub fn snapshot(&self, commit: Option<Id>) -> Result<Snapshot, GitError> {
        let Some(commit) = commit else { return Ok(Snapshot::default()) };
        let Some(tree) = self.identity_tree(self.tree_of(commit)?)? else { return Ok(Snapshot::default()) };
        self.snapshot_of_tree(tree)
    }

    /// The identity in a tree.
    ///
    /// # Errors
    /// As [`Repo::snapshot`].
    pub fn snapshot_of_tree(&self, tree: Id) -> Result<Snapshot, GitError> {
        let failed = self.failed("read a tree");
        let mut files = Vec::new();
        for (path, id) in self.entries(tree)? {
            let mut blob = self.gix.find_blob(id).map_err(|error| failed(&error))?;
            files.push((path, Blob::from(blob.take_data())));
        }
        Ok(files.into_iter().collect())
    }

    /// The identity in a commit, with bytes shared from the work tree where the index says that a file is unchanged.
    ///
    /// # Errors
    /// As [`Repo::snapshot`].
    pub fn snapshot_like(&self, commit: Option<Id>, work: &Snapshot, difference: &super::index::Difference) -> Result<Snapshot, GitError> {
        let Some(commit) = commit else { return Ok(Snapshot::default()) };
        let root = self.tree_of(commit)?;
        if !self.index_holds(root)? {
            return self.snapshot(Some(commit));
        }
        let Some(tree) = self.identity_tree(root)? else { return Ok(Snapshot::default()) };
        let failed = self.failed("read a tree");
        let mut files = Vec::new();
        for (path, id) in self.entries(tree)? {
            let shared = work.get(&path).filter(|_| !difference.changed.contains(&path) && !difference.missing.contains(&path));
            let blob = match shared {
                Some(blob) => blob.clone(),
                None => Blob::from(self.gix.find_blob(id).map_err(|error| failed(&error))?.take_data()),
            };
            files.push((path, blob));
        }
        Ok(files.into_iter().collect())
    }

    /// Every file in an identity tree with its blob.
    ///
    /// # Errors
    /// As [`Repo::snapshot`].
    pub fn entries(&self, tree: Id) -> Result<Vec<(RelPath, Id)>, GitError> {
        let failed = self.failed("read a tree");
        let tree = self.gix.find_tree(tree).map_err(|error| failed(&error))?;
        let files = tree.traverse().breadthfirst.files().map_err(|error| failed(&error))?;
        let mut entries = Vec::with_capacity(files.len());
        for file in files {
            if file.mode.is_tree() {
                continue;
            }
            match sound(file.filepath.as_bstr(), file.mode.kind()) {
                Ok(path) => entries.push((path, file.oid)),
                Err(why) => return Err(self.unsafe_entry(&file.filepath.to_string(), why)),
            }
        }
        Ok(entries)
    }

    fn unsafe_entry(&self, path: &str, why: &str) -> GitError {
        GitError::Unsafe { remote: "the repository".into(), path: crate::system::git::process::plain(path), why: why.to_owned() }
    }

    /// The id a file's bytes have as a blob, without writing it.
    pub fn blob_id(&self, bytes: &[u8]) -> Id {
        gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, bytes)
            .expect("because sha1 collision detection does not fail on our own bytes")
    }

    /// Writes a root tree in which these files of the identity are changed, and makes the new objects durable.
    ///
    /// # Errors
    /// When objects cannot be written.
    pub fn write_tree(&self, root: Option<Id>, changes: &[FileChange]) -> Result<Id, GitError> {
        let failed = self.failed("write a tree");
        let start = root.unwrap_or_else(|| Id::empty_tree(gix::hash::Kind::Sha1));
        if changes.is_empty() {
            if root.is_none() {
                self.gix.write_object(gix::objs::Tree::empty()).map_err(|error| failed(&error))?;
            }
            return Ok(start);
        }
        let mut editor = self.gix.edit_tree(start).map_err(|error| failed(&error))?;
        let mut written = Vec::new();
        for change in changes {
            let path = format!("{}{}", self.prefix, change.path);
            match &change.after {
                Some(blob) => {
                    let id = self.gix.write_blob(blob).map_err(|error| failed(&error))?.detach();
                    let executable = editor.get(path.as_str()).is_some_and(|entry| entry.mode().kind() == EntryKind::BlobExecutable);
                    let kind = if executable { EntryKind::BlobExecutable } else { EntryKind::Blob };
                    editor.upsert(path.as_str(), kind, id).map_err(|error| failed(&error))?;
                    written.push(id);
                }
                None => {
                    editor.remove(path.as_str()).map_err(|error| failed(&error))?;
                }
            }
        }
        let tree = editor.write().map_err(|error| failed(&error))?.detach();
        written.extend(self.folders_of(tree, changes)?);
        self.make_durable(&written);
        Ok(tree)
    }

    /// The same root tree with the identity's own tree replaced.
    ///
    /// # Errors
    /// When objects cannot be written.
    pub fn with_identity_tree(&self, root: Id, identity: Option<Id>) -> Result<Id, GitError> {
        let failed = self.failed("write a tree");
        let mut editor = self.gix.edit_tree(root).map_err(|error| failed(&error))?;
        let path = self.prefix.trim_end_matches('/');
        match identity {
            Some(identity) => editor.upsert(path, EntryKind::Tree, identity).map_err(|error| failed(&error))?,
            None => editor.remove(path).map_err(|error| failed(&error))?,
        };
        Ok(editor.write().map_err(|error| failed(&error))?.detach())
    }

    fn folders_of(&self, root: Id, changes: &[FileChange]) -> Result<Vec<Id>, GitError> {
        let failed = self.failed("read a tree");
        let tree = self.gix.find_tree(root).map_err(|error| failed(&error))?;
        let mut folders: Vec<String> = Vec::new();
        for change in changes {
            let path = format!("{}{}", self.prefix, change.path);
            folders.extend(path.match_indices('/').map(|(at, _)| path[..at].to_owned()));
        }
        folders.sort_unstable();
        folders.dedup();
        let ids = folders.iter().filter_map(|folder| tree.lookup_entry_by_path(folder).ok().flatten()).map(|entry| entry.object_id());
        Ok(ids.chain([root]).collect())
    }

    /// Waits until loose objects are on the disk; what is in a pack already is.
    pub(super) fn make_durable(&self, ids: &[Id]) {
        let objects = self.gix.common_dir().join("objects");
        let mut folders = std::collections::BTreeSet::new();
        for id in ids {
            let hex = id.to_hex().to_string();
            let folder = objects.join(&hex[..2]);
            if let Ok(file) = std::fs::File::open(folder.join(&hex[2..])) {
                let _ = file.sync_all();
                folders.insert(folder);
            }
        }
        for folder in folders {
            if let Ok(folder) = std::fs::File::open(folder) {
                let _ = folder.sync_all();
            }
        }
    }
}

/// Checks one entry of a tree that may come from anybody.
fn sound(path: &BStr, kind: EntryKind) -> Result<RelPath, &'static str> {
    match kind {
        EntryKind::Link => return Err("a symbolic link; identities hold regular files only"),
        EntryKind::Commit => return Err("a submodule; identities hold regular files only"),
        EntryKind::Tree | EntryKind::Blob | EntryKind::BlobExecutable => {}
    }
    sound_name(path)?;
    path.to_str().ok().and_then(RelPath::new).ok_or("a name that cannot travel between systems")
}

/// Refuses names that leave the repository, or that some file system takes for git's own folder.
///
/// # Errors
/// The reason.
pub fn sound_name<'a>(path: impl Into<&'a BStr>) -> Result<(), &'static str> {
    let path: &BStr = path.into();
    let options = gix::validate::path::component::Options { protect_windows: false, protect_hfs: true, protect_ntfs: true };
    let sound = path.split(|byte| *byte == b'/').all(|part| gix::validate::path::component(part.as_bstr(), None, options).is_ok());
    if sound { Ok(()) } else { Err("a name that some file system takes for git's own folder") }
}
