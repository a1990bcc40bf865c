//! Applies upstream changes to files outside the identity (identity in a subdirectory).
//!
//! Invariant: they are applied as `git pull` does, onto clean paths only; a dirty or staged path,
//! or a conflict between both sides' commits, stops everything before any file or ref changes.

use super::{GitError, Id, Repo, repo::During};
use crate::identity::{FileChange, RelPath};
use crate::machine::{folding, platform};
use gix::bstr::{BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat};
use gix::objs::{
    TreeRefIter,
    tree::{EntryKind, EntryMode},
};
use std::{
    collections::BTreeMap,
    io::Read,
    path::{Path, PathBuf},
};

/// What a tree holds at a path: a file's blob, a link's target, a submodule's commit.
pub type TreeEntry = (Id, EntryMode);

/// A file that differs between two trees, by its path in the repository.
pub type TreeChange = FileChange<BString, TreeEntry>;

/// The change at a path; `changes` are in path order.
pub(super) fn change_at<'a>(changes: &'a [TreeChange], path: &BString) -> Option<&'a TreeChange> {
    let at = changes.binary_search_by(|change| change.path.cmp(path)).ok()?;
    changes.get(at)
}

impl Repo {
    /// Merges the root trees of both sides, with the given identity; `base` is the common
    /// ancestor's. Fails with [`GitError::EnclosingConflict`].
    pub fn merge_enclosing(
        &self,
        base: Option<Id>,
        ours: Id,
        theirs: Id,
        identity: Option<Id>,
    ) -> Result<Id, GitError> {
        if self.prefix.is_empty() {
            return Ok(identity.unwrap_or_else(|| Id::empty_tree(gix::hash::Kind::Sha1)));
        }
        let empty = Id::empty_tree(gix::hash::Kind::Sha1);
        let [base, ours, theirs] = [base.unwrap_or(empty), ours, theirs]
            .map(|tree| self.with_identity_tree(tree, identity));
        let (base, ours, theirs) = (base?, ours?, theirs?);
        if ours == theirs || base == theirs {
            return Ok(ours);
        }
        if base == ours {
            return Ok(theirs);
        }
        let options = self.gix.tree_merge_options().during(self, "merge trees")?;
        let labels = gix::merge::blob::builtin_driver::text::Labels {
            ancestor: None,
            current: Some("here".into()),
            other: Some("there".into()),
        };
        let mut outcome = self
            .gix
            .merge_trees(base, ours, theirs, labels, options)
            .during(self, "merge trees")?;
        let how = gix::merge::tree::TreatAsUnresolved::git();
        if outcome.has_unresolved_conflicts(how) {
            let paths = outcome.conflicts.iter().filter(|conflict| conflict.is_unresolved(how));
            let paths = paths
                .map(|conflict| super::process::plain(&conflict.ours.location().to_string()))
                .collect();
            return Err(GitError::EnclosingConflict { paths });
        }
        Ok(outcome.tree.write().during(self, "merge trees")?.detach())
    }

    /// Differences outside the identity between two root trees, in path order.
    pub fn enclosing_changes(&self, old: Option<Id>, new: Id) -> Result<Vec<TreeChange>, GitError> {
        if self.prefix.is_empty() {
            return Ok(Vec::new());
        }
        let mut changes = self.tree_changes(old, new)?;
        // The identity's own folder may once have been recorded as a submodule.
        let own = self.prefix.trim_end_matches('/').as_bytes();
        let prefix = self.prefix.as_bytes();
        changes.retain(|change| !change.path.starts_with(prefix) && change.path != own);
        Ok(changes)
    }

    /// Every file that differs between two root trees, in path order. Fails with
    /// [`GitError::Unsafe`] for a name that some system cannot have.
    pub(super) fn tree_changes(
        &self,
        old: Option<Id>,
        new: Id,
    ) -> Result<Vec<TreeChange>, GitError> {
        let changes = self.raw_changes(old, Some(new))?;
        for change in &changes {
            crate::machine::names::sound_name(change.path.as_bstr()).map_err(|why| {
                GitError::Unsafe {
                    remote: "the repository".into(),
                    path: super::process::plain(&change.path.to_string()),
                    why: why.to_owned(),
                }
            })?;
        }
        Ok(changes)
    }

    /// The same, whatever the names, of trees that may not be there.
    pub(super) fn raw_changes(
        &self,
        old: Option<Id>,
        new: Option<Id>,
    ) -> Result<Vec<TreeChange>, GitError> {
        let tree = |id: Option<Id>| {
            let id = id.unwrap_or_else(|| Id::empty_tree(gix::hash::Kind::Sha1));
            self.gix.find_tree(id).during(self, "compare trees")
        };
        let (old, new) = (tree(old)?, tree(new)?);
        // Not `diff_tree_to_tree`: it reads the index and attributes, for renames that nobody asks
        // for.
        let mut recorder = gix::diff::tree::Recorder::default();
        gix::diff::tree(
            TreeRefIter::from_bytes(&old.data, old.id.kind()),
            TreeRefIter::from_bytes(&new.data, new.id.kind()),
            gix::diff::tree::State::default(),
            &self.gix.objects,
            &mut recorder,
        )
        .during(self, "compare trees")?;
        let mut changes = Vec::new();
        for difference in recorder.records {
            use gix::diff::tree::recorder::Change as C;
            let (path, before, after) = match difference {
                C::Addition { path, entry_mode, oid, .. } => (path, None, Some((oid, entry_mode))),
                C::Deletion { path, entry_mode, oid, .. } => (path, Some((oid, entry_mode)), None),
                C::Modification { path, previous_entry_mode, previous_oid, entry_mode, oid } => {
                    (path, Some((previous_oid, previous_entry_mode)), Some((oid, entry_mode)))
                }
            };
            let file = |side: Option<TreeEntry>| side.filter(|(_, mode)| !mode.is_tree());
            let (before, after) = (file(before), file(after));
            if before.is_some() || after.is_some() {
                changes.push(FileChange { path, before, after });
            }
        }
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(changes)
    }

    /// Fails with [`GitError::EnclosingDirty`] if a path that upstream changed is dirty or staged.
    pub fn refuse_dirty(&self, changes: &[TreeChange]) -> Result<(), GitError> {
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let mut dirty = Vec::new();
        let renames = self.renames(changes);
        for FileChange { path, before, .. } in changes {
            let staged = index.entry_by_path(path.as_bstr());
            let same_staged = staged.map(|entry| entry.id) == before.map(|(id, _)| id);
            let left_out = staged.is_some_and(|entry| entry.flags.contains(Flags::SKIP_WORKTREE));
            // It already exists under its old name.
            let there = std::fs::symlink_metadata(self.file(path)).is_ok();
            let on_disk = there && !renames.contains_key(path) || self.below_link(path);
            let clean = match *before {
                Some(_) if left_out && !on_disk => same_staged,
                Some((id, mode)) => {
                    same_staged && !self.below_link(path) && self.holds(path, id, mode)
                }
                None => same_staged && !on_disk,
            };
            if !clean {
                dirty.push(super::process::plain(&path.to_string()));
            }
        }
        if dirty.is_empty() { Ok(()) } else { Err(GitError::EnclosingDirty { paths: dirty }) }
    }

    /// New paths with the removed file that is the same file here, because the volume ignores case.
    fn renames<'a>(&self, changes: &'a [TreeChange]) -> BTreeMap<&'a BString, &'a TreeChange> {
        let folded = |path: &BString| RelPath::new(path.to_str().ok()?).map(|path| path.folded());
        let gone = changes.iter().filter(|change| change.after.is_none());
        let gone: BTreeMap<String, &TreeChange> =
            gone.filter_map(|change| Some((folded(&change.path)?, change))).collect();
        if gone.is_empty() {
            return BTreeMap::new();
        }
        let is_one = |new: &BString, gone: &BString| match (new.to_str(), gone.to_str()) {
            (Ok(new), Ok(gone)) => folding::is_one_file(&self.root, gone, new),
            _ => false,
        };
        let new = changes.iter().filter(|change| change.before.is_none());
        new.filter_map(|change| Some((&change.path, *gone.get(&folded(&change.path)?)?)))
            .filter(|(path, gone)| is_one(path, &gone.path))
            .collect()
    }

    /// Whether a parent folder is a symlink: writing through it would leave the repository.
    fn below_link(&self, path: &BString) -> bool {
        let file = self.file(path);
        let folders = file.ancestors().skip(1).take_while(|folder| *folder != self.root);
        folders.into_iter().any(crate::machine::files::is_link)
    }

    fn file(&self, path: &BString) -> PathBuf {
        self.root.join(path.to_path_lossy())
    }

    /// Whether the file on disk is this blob: by stat, else by its bytes as git would store them.
    fn holds(&self, path: &BString, id: Id, mode: EntryMode) -> bool {
        let file = self.file(path);
        let Ok(meta) = std::fs::symlink_metadata(&file) else { return false };
        if mode.is_commit() {
            return true;
        }
        if mode.is_link() {
            return std::fs::read_link(&file)
                .is_ok_and(|target| self.blob_id(target.as_os_str().as_encoded_bytes()) == id);
        }
        let is_marked = mode.kind() == EntryKind::BlobExecutable;
        if !meta.is_file() || platform::is_executable(&meta).is_some_and(|now| now != is_marked) {
            return false;
        }
        if self.unchanged_since_index(path, &file) {
            return true;
        }
        let Ok(bytes) = std::fs::read(&file) else { return false };
        self.blob_id(&bytes) == id
            || self.as_stored(path, &bytes).is_some_and(|stored| self.blob_id(&stored) == id)
    }

    fn unchanged_since_index(&self, path: &BString, file: &Path) -> bool {
        let (Ok(index), Ok(options)) = (self.gix.index_or_empty(), self.gix.stat_options()) else {
            return false;
        };
        let stat = gix::index::fs::Metadata::from_path_no_follow(file)
            .ok()
            .and_then(|meta| Stat::from_fs(&meta).ok());
        let entry = index.entry_by_path(path.as_bstr());
        matches!((entry, stat), (Some(entry), Some(stat)) if entry.stat.matches(&stat, options) && !entry.stat.is_racy(index.timestamp(), options))
    }

    fn as_stored(&self, path: &BString, bytes: &[u8]) -> Option<Vec<u8>> {
        let (mut pipeline, index) = self.gix.filter_pipeline(None).ok()?;
        let mut stored = Vec::new();
        pipeline
            .convert_to_git(bytes, &path.to_path_lossy(), &index)
            .ok()?
            .read_to_end(&mut stored)
            .ok()?;
        Some(stored)
    }

    /// Writes changed files outside the identity if they are still as before. Safe to repeat.
    pub fn write_enclosing(&self, changes: &[TreeChange]) -> Result<(), GitError> {
        let new = changes.iter().filter(|change| change.before.is_none());
        let left_out = self.to_leave_out(new.map(|change| &change.path))?;
        let renames = self.renames(changes);
        let written = changes.iter().filter(|change| !left_out.contains(&change.path));
        for FileChange { path, before, after } in written {
            let file = self.file(path);
            let was = renames.get(path);
            let as_before = match (*before, was.and_then(|was| was.before)) {
                (Some((id, mode)), _) => self.holds(path, id, mode),
                (None, Some((id, mode))) => self.holds(path, id, mode),
                (None, None) => std::fs::symlink_metadata(&file).is_err(),
            };
            if !as_before {
                continue;
            }
            match *after {
                // The file has, or gets, another name.
                None if renames.values().any(|gone| gone.path == *path) => {}
                None => {
                    std::fs::remove_file(&file).during(self, "write a file")?;
                    crate::machine::files::prune_empty(&file, &self.root);
                }
                Some((id, mode)) => self.write_one(path, id, mode)?,
            }
            if let (Some(_), Ok(exactly)) = (was, path.to_str()) {
                folding::take_name(&self.root, exactly).during(self, "rename a file")?;
            }
        }
        Ok(())
    }

    fn write_one(&self, path: &BString, id: Id, mode: EntryMode) -> Result<(), GitError> {
        let file = self.file(path);
        if mode.is_commit() {
            return Ok(());
        }
        let blob = self.gix.find_blob(id).during(self, "write a file")?;
        if mode.is_link() {
            let _ = std::fs::remove_file(&file);
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).during(self, "write a file")?;
            }
            let target = blob.data.to_path_lossy();
            return platform::symlink(&target, &file).during(self, "write a file");
        }
        let bytes = self.as_checked_out(path, &blob.data)?;
        crate::machine::files::write(&file, &bytes).during(self, "write a file")?;
        let marked = if mode.kind() == EntryKind::BlobExecutable {
            platform::make_executable(&file)
        } else {
            platform::make_not_executable(&file)
        };
        marked.during(self, "write a file")
    }

    fn as_checked_out(&self, path: &BString, bytes: &[u8]) -> Result<Vec<u8>, GitError> {
        let (mut pipeline, _) = self.gix.filter_pipeline(None).during(self, "convert a file")?;
        let options = gix::filter::plumbing::pipeline::convert::to_worktree::Options {
            can_delay: gix::filter::plumbing::driver::apply::Delay::Forbid,
            ..Default::default()
        };
        let mut outcome = pipeline
            .convert_to_worktree(bytes, path.as_bstr(), options)
            .during(self, "convert a file")?;
        let mut converted = Vec::new();
        outcome.read_to_end(&mut converted).during(self, "convert a file")?;
        Ok(converted)
    }
}

/// `None` for a deleted file.
pub fn index_entries(changes: &[TreeChange]) -> BTreeMap<BString, Option<(Id, Mode)>> {
    let mode = |mode: EntryMode| match mode.kind() {
        EntryKind::BlobExecutable => Mode::FILE_EXECUTABLE,
        EntryKind::Link => Mode::SYMLINK,
        EntryKind::Commit => Mode::COMMIT,
        _ => Mode::FILE,
    };
    let entry = |after: Option<TreeEntry>| after.map(|(id, m)| (id, mode(m)));
    changes.iter().map(|change| (change.path.clone(), entry(change.after))).collect()
}
