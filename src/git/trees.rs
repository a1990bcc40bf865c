//! Identities in git's object database: reading one from a commit, writing a new one.
//!
//! Invariant: only regular files with sound names come out of a tree; links, submodules and
//! `.git`-like names are refused before anything is written.

use super::{
    GitError, Id, Repo, blob_id,
    index::Difference,
    repo::{During, Entries},
};
use crate::identity::{Blob, FileChange, RelPath, Snapshot, portable};
use crate::machine::{folder::Reading, names::sound_name};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::objs::tree::EntryKind;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

enum Packed {
    Yes,
    No,
}

/// Up to this many new blobs, loose objects are cheaper than a pack.
const MANY_LOOSE: usize = 512;

impl Repo {
    pub fn tree_of(&self, commit: Id) -> Result<Id, GitError> {
        let commit = self.gix.find_commit(commit).during(self, "read a commit")?;
        let tree = commit.tree_id().during(self, "read a commit")?.detach();
        self.bring_tree(tree);
        Ok(tree)
    }

    /// `None` if the root tree has no identity.
    pub fn identity_tree(&self, root: Id) -> Result<Option<Id>, GitError> {
        if self.prefix.is_empty() {
            return Ok(Some(root));
        }
        let tree = self.gix.find_tree(root).during(self, "read a tree")?;
        let path = self.prefix.trim_end_matches('/');
        let entry = tree.lookup_entry_by_path(path).during(self, "read a tree")?;
        Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
    }

    /// The blob of an identity's file in the last commit.
    pub fn committed(&self, path: &RelPath) -> Result<Option<Id>, GitError> {
        let Some(head) = self.head()? else { return Ok(None) };
        let tree = self.gix.find_tree(self.tree_of(head)?).during(self, "read a tree")?;
        let path = format!("{}{path}", self.prefix);
        let entry = tree.lookup_entry_by_path(path).during(self, "read a tree")?;
        Ok(entry.filter(|entry| entry.mode().is_blob()).map(|entry| entry.object_id()))
    }

    /// Whether a commit contains anything besides the identity.
    pub fn holds_more(&self, commit: Id) -> Result<bool, GitError> {
        let mut tree = self.tree_of(commit)?;
        for name in self.prefix.split_terminator('/') {
            let entries = self.gix.find_tree(tree).during(self, "read a tree")?;
            let mut within = None;
            for entry in entries.iter().filter_map(Result::ok) {
                if entry.filename() == name {
                    within = Some(entry.object_id())
                } else {
                    return Ok(true);
                }
            }
            let Some(folder) = within else { return Ok(false) };
            tree = folder;
        }
        Ok(false)
    }

    /// The identity in a commit: regular files with sound names, within their size limits. Other
    /// files that a person committed stay in the tree and are skipped here.
    pub fn snapshot(&self, commit: Option<Id>) -> Result<Snapshot, GitError> {
        let Some(commit) = commit else { return Ok(Snapshot::default()) };
        let Some(tree) = self.identity_tree(self.tree_of(commit)?)? else {
            return Ok(Snapshot::default());
        };
        let mut files = Vec::new();
        for (path, id) in self.known_entries(tree)?.iter() {
            if !self.is_too_large(path, *id)? {
                files.push((path.clone(), self.blob(*id)?));
            }
        }
        Ok(files.into_iter().collect())
    }

    /// The paths in [`Repo::snapshot`], without reading any file.
    pub fn paths_in(&self, commit: Option<Id>) -> Result<Vec<RelPath>, GitError> {
        let Some(commit) = commit else { return Ok(Vec::new()) };
        let Some(tree) = self.identity_tree(self.tree_of(commit)?)? else { return Ok(Vec::new()) };
        Ok(self.known_entries(tree)?.iter().map(|(path, _)| path.clone()).collect())
    }

    /// The differences between two commits in what [`Repo::snapshot`] reads. Only the files that
    /// differ are read.
    pub fn changes_between(&self, old: Option<Id>, new: Id) -> Result<Vec<FileChange>, GitError> {
        let listed = |commit: Id| -> Result<BTreeMap<RelPath, Id>, GitError> {
            let tree = self.identity_tree(self.tree_of(commit)?)?;
            let Some(tree) = tree else { return Ok(BTreeMap::new()) };
            Ok(self.known_entries(tree)?.iter().cloned().collect())
        };
        let read = |path: &RelPath, id: Option<&Id>| -> Result<Option<Blob>, GitError> {
            match id {
                Some(id) if !self.is_too_large(path, *id)? => Ok(Some(self.blob(*id)?)),
                _ => Ok(None),
            }
        };
        let (old, new) = (old.map(listed).transpose()?.unwrap_or_default(), listed(new)?);
        let paths: BTreeSet<&RelPath> = old.keys().chain(new.keys()).collect();
        let mut changes = Vec::new();
        for path in paths.into_iter().filter(|path| old.get(*path) != new.get(*path)) {
            let (before, after) = (read(path, old.get(path))?, read(path, new.get(path))?);
            changes.push(FileChange { path: path.clone(), before, after });
        }
        changes.retain(|change| change.before != change.after);
        Ok(changes)
    }

    /// As [`Repo::snapshot`], with the work tree's bytes for files that were as the index has them
    /// when they were compared, and still when they were read.
    pub fn snapshot_like(
        &self,
        commit: Option<Id>,
        reading: &Reading,
        difference: &Difference,
    ) -> Result<Snapshot, GitError> {
        self.hold_unchanged(reading, difference);
        self.snapshot(commit)
    }

    /// Files that were as the index has them, as in [`Repo::snapshot_like`], are not read from the
    /// repository from here on.
    pub fn hold_unchanged(&self, reading: &Reading, difference: &Difference) {
        let mut blobs = self.blobs.borrow_mut();
        for (id, blob) in difference.unchanged_in(reading) {
            blobs.entry(id).or_insert_with(|| blob.clone());
        }
    }

    /// Fails with [`GitError::Unsafe`] if a commit of the remote contains what does not belong in
    /// an identity: links, submodules, names that some system takes for git's own, too large files.
    pub fn refuse_unsafe(&self, commit: Id) -> Result<(), GitError> {
        let Some(tree) = self.identity_tree(self.tree_of(commit)?)? else { return Ok(()) };
        let mut files = Vec::new();
        for (path, kind, id) in self.raw_entries(tree)? {
            match sound(path.as_bstr(), kind) {
                Ok(sound) if self.is_too_large(&sound, id)? => {
                    let most = sound.row().limit / 1024 / 1024;
                    let why = format!("larger than the {most} MiB allowed for this kind of file");
                    return Err(self.unsafe_entry(sound.as_str(), &why));
                }
                Ok(sound) => files.push(sound),
                Err(why) => return Err(self.unsafe_entry(&path.to_string(), why)),
            }
        }
        match portable::git_metadata(files.iter()).first() {
            Some((path, why)) => Err(self.unsafe_entry(path.as_str(), why)),
            None => Ok(()),
        }
    }

    /// By the object's header alone, without reading the bytes.
    pub(super) fn is_too_large(&self, path: &RelPath, id: Id) -> Result<bool, GitError> {
        if let Some(blob) = self.blob_at_hand(id) {
            return Ok(blob.size() > path.row().limit);
        }
        self.fetch_if_missing(id);
        let header = self.gix.find_header(id).during(self, "read a tree")?;
        Ok(header.size() > path.row().limit)
    }

    /// Every sound file in an identity tree with its blob.
    pub fn entries(&self, tree: Id) -> Result<Vec<(RelPath, Id)>, GitError> {
        let raw = self.raw_entries(tree)?;
        let sound = |(path, kind, id): (BString, EntryKind, Id)| {
            Some((sound(path.as_bstr(), kind).ok()?, id))
        };
        Ok(raw.into_iter().filter_map(sound).collect())
    }

    /// As [`Repo::entries`], cached: for the few trees that a command uses.
    pub(super) fn known_entries(&self, tree: Id) -> Result<Entries, GitError> {
        if let Some(known) = self.trees.borrow().get(&tree) {
            return Ok(known.clone());
        }
        let entries: Entries = self.entries(tree)?.into();
        self.trees.borrow_mut().insert(tree, entries.clone());
        Ok(entries)
    }

    fn raw_entries(&self, tree: Id) -> Result<Vec<(BString, EntryKind, Id)>, GitError> {
        let tree = self.gix.find_tree(tree).during(self, "read a tree")?;
        let files = tree.traverse().breadthfirst.files().during(self, "read a tree")?;
        let files = files.into_iter().filter(|file| !file.mode.is_tree());
        Ok(files.map(|file| (file.filepath, file.mode.kind(), file.oid)).collect())
    }

    fn unsafe_entry(&self, path: &str, why: &str) -> GitError {
        GitError::Unsafe {
            remote: "the repository".into(),
            path: super::process::plain(path),
            why: why.to_owned(),
        }
    }

    /// The id of these bytes as a blob, without writing it.
    pub fn blob_id(&self, bytes: &[u8]) -> Id {
        blob_id(bytes).expect("because sha1 collision detection does not fail on our own bytes")
    }

    /// Writes a root tree with these changes to files of the identity, and syncs the new objects.
    pub fn write_tree(&self, root: Option<Id>, changes: &[FileChange]) -> Result<Id, GitError> {
        let start = root.unwrap_or_else(|| Id::empty_tree(gix::hash::Kind::Sha1));
        if changes.is_empty() {
            if root.is_none() {
                self.gix.write_object(gix::objs::Tree::empty()).during(self, "write a tree")?;
            }
            return Ok(start);
        }
        let packed = self.write_pack(changes)?;
        let mut editor = self.gix.edit_tree(start).during(self, "write a tree")?;
        let mut written = Vec::new();
        for change in changes {
            let path = format!("{}{}", self.prefix, change.path);
            match &change.after {
                Some(blob) => {
                    let id = match packed {
                        Packed::Yes => self.blob_id(blob),
                        Packed::No => {
                            let id = self.gix.write_blob(blob).during(self, "write a tree")?;
                            written.push(id.detach());
                            id.detach()
                        }
                    };
                    self.blobs.borrow_mut().insert(id, blob.clone());
                    let executable = editor
                        .get(path.as_str())
                        .is_some_and(|entry| entry.mode().kind() == EntryKind::BlobExecutable);
                    let kind = if executable { EntryKind::BlobExecutable } else { EntryKind::Blob };
                    editor.upsert(path.as_str(), kind, id).during(self, "write a tree")?;
                }
                None => {
                    editor.remove(path.as_str()).during(self, "write a tree")?;
                }
            }
        }
        let tree = editor.write().during(self, "write a tree")?.detach();
        written.extend(self.folders_of(tree, changes)?);
        self.make_durable(&written)?;
        Ok(tree)
    }

    /// Writes many blobs as one pack, synced before this returns, instead of one file each.
    fn write_pack(&self, changes: &[FileChange]) -> Result<Packed, GitError> {
        const PACK: &str = "write a pack";
        let blobs: Vec<&Blob> = changes.iter().filter_map(|change| change.after.as_ref()).collect();
        if blobs.len() <= MANY_LOOSE {
            return Ok(Packed::No);
        }
        let mut stream = Vec::new();
        for blob in blobs {
            stream.extend(format!("blob\ndata {}\n", blob.len()).into_bytes());
            stream.extend_from_slice(blob);
            stream.push(b'\n');
        }
        stream.extend_from_slice(b"done\n");
        let mut command = super::process::git(self.git_dir(), None);
        command.args(["fast-import", "--quiet", "--done"]).input(stream);
        let output = super::process::run(command, super::process::LOCAL)?;
        if output.ok {
            return Ok(Packed::Yes);
        }
        let words = super::error::Words(super::process::reason(&output.err));
        Err(GitError::local(PACK, &self.root, words))
    }

    /// Replaces the identity's tree in a root tree.
    pub fn with_identity_tree(&self, root: Id, identity: Option<Id>) -> Result<Id, GitError> {
        let mut editor = self.gix.edit_tree(root).during(self, "write a tree")?;
        let path = self.prefix.trim_end_matches('/');
        match identity {
            Some(identity) => {
                editor.upsert(path, EntryKind::Tree, identity).during(self, "write a tree")?
            }
            None => editor.remove(path).during(self, "write a tree")?,
        };
        Ok(editor.write().during(self, "write a tree")?.detach())
    }

    fn folders_of(&self, root: Id, changes: &[FileChange]) -> Result<Vec<Id>, GitError> {
        let tree = self.gix.find_tree(root).during(self, "read a tree")?;
        let mut folders: Vec<String> = Vec::new();
        for change in changes {
            let path = format!("{}{}", self.prefix, change.path);
            folders.extend(path.match_indices('/').map(|(at, _)| path[..at].to_owned()));
        }
        folders.sort_unstable();
        folders.dedup();
        let ids = folders
            .iter()
            .filter_map(|folder| tree.lookup_entry_by_path(folder).ok().flatten())
            .map(|entry| entry.object_id());
        Ok(ids.chain([root]).collect())
    }

    /// Packs loose objects if there are many, as git's own gc would. An enclosing repository is
    /// left to its owner.
    pub fn pack_when_many(&self) {
        if !self.prefix.is_empty() {
            return;
        }
        // git's own estimate: one of the 256 folders represents all.
        let folder = self.gix.common_dir().join("objects/17");
        let some = std::fs::read_dir(folder).map_or(0, Iterator::count);
        if some * 256 <= MANY_LOOSE {
            return;
        }
        let mut command = super::process::git(self.git_dir(), None);
        command.args(["-c", "gc.auto=1", "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"]);
        // It packs refs as well, and locks them.
        let mark = super::journal::RefMark::set(self);
        // Failure does not matter; the next sync tries again.
        if let Ok(output) = super::process::run(command, super::process::LOCAL) {
            mark.end(&output);
        }
    }

    pub(super) fn objects(&self) -> PathBuf {
        self.gix.common_dir().join("objects")
    }

    /// Syncs loose objects and their names to disk; those in a pack are there already.
    pub(super) fn make_durable(&self, ids: &[Id]) -> Result<(), GitError> {
        let objects = self.objects();
        let loose = ids.iter().map(|id| {
            let hex = id.to_hex().to_string();
            objects.join(&hex[..2]).join(&hex[2..])
        });
        let loose: Vec<PathBuf> = loose.filter(|file| file.exists()).collect();
        crate::machine::batch::bring_to_disk(&objects, &loose).during(self, "write an object")
    }
}

/// Checks one entry of a tree from an untrusted source.
pub(super) fn sound(path: &BStr, kind: EntryKind) -> Result<RelPath, &'static str> {
    match kind {
        EntryKind::Link => {
            return Err("a symbolic link; identities can contain only regular files");
        }
        EntryKind::Commit => return Err("a submodule; identities can contain only regular files"),
        EntryKind::Tree | EntryKind::Blob | EntryKind::BlobExecutable => {}
    }
    sound_name(path)?;
    path.to_str().ok().and_then(RelPath::new).ok_or("a name that some systems cannot store")
}
