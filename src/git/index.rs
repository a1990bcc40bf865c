//! Reads git's index: files that changed since it was written, and what is staged.

use super::{
    GitError, Id, Repo,
    difference::{is_exactly, modified},
    ignored::Carried,
    repo::During,
};
use crate::identity::{Blob, RelPath, Snapshot};
use crate::machine::{
    folder::{Listed, Prefetched},
    platform::{FolderStats, GitStat},
};
use gix::bstr::ByteSlice;
use gix::index::entry::{Flags, Mode};
use std::collections::BTreeSet;

pub use super::difference::Difference;

/// Entries that git takes for unchanged, whatever is in the work tree.
const PASSED_OVER: Flags = Flags::SKIP_WORKTREE.union(Flags::ASSUME_VALID);

impl Repo {
    /// Compares by stat, or by bytes if the stat differs or is too close to the index's own time.
    pub fn compare(&self, listed: &[Listed]) -> Result<Difference, GitError> {
        // Before it is read: what is written later has another.
        let (stamp, mut are_exact) = (self.index_stamp(), true);
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let options = self.gix.stat_options().during(self, "read the index")?;
        let tracked = self.tracked(&index);
        let mut difference = Difference::begun();
        let mut untracked = Vec::new();
        let mut seen = 0;
        let mut stats = FolderStats::default();
        let sparse = self.is_sparse();
        let mut entries = tracked.in_turn();
        for file in listed {
            let Some((_, entry)) = entries.get(file.path.as_str()) else {
                untracked.push(file);
                continue;
            };
            seen += 1;
            if !sparse && entry.flags.intersects(PASSED_OVER) {
                difference.left_out.insert(file.path.clone());
                continue;
            }
            // The stat of a link tells nothing of the file that it leads to.
            let is_telling = |seen: &GitStat| seen.is_link == (entry.mode == Mode::SYMLINK);
            let stat = stats.stat(&file.file).filter(is_telling).map(|seen| seen.stat);
            let same = stat.is_some_and(|stat| {
                entry.stat.matches(&stat, options)
                    && !entry.stat.is_racy(index.timestamp(), options)
            });
            if entry.flags.contains(Flags::INTENT_TO_ADD)
                || !(same || self.holds_blob(&file.file, entry.id))
            {
                difference.changed.insert(file.path.clone());
            } else if let (Some(stat), Mode::FILE | Mode::FILE_EXECUTABLE) = (stat, entry.mode) {
                if same {
                    are_exact &= is_exactly(&entry.stat, &stat);
                    difference.unchanged.push((file.path.clone(), entry.id, stat));
                } else {
                    difference.same_bytes.push((file.path.clone(), entry.id, stat));
                }
            }
        }
        if seen < tracked.len() {
            let here: BTreeSet<&str> = listed.iter().map(|file| file.path.as_str()).collect();
            let absent = tracked.iter().filter(|(path, _)| !here.contains(path));
            let (left_out, missing): (Vec<_>, Vec<_>) =
                absent.partition(|(_, entry)| entry.flags.intersects(PASSED_OVER));
            let paths = |some: Vec<(&str, _)>| -> BTreeSet<RelPath> {
                some.into_iter().filter_map(|(path, _)| RelPath::new(path)).collect()
            };
            difference.missing = paths(missing);
            difference.left_out.extend(paths(left_out));
        }
        self.sort_untracked(&index, &untracked, &mut difference)?;
        let are_all = difference.unchanged.len() == listed.len() && seen == tracked.len();
        difference.as_in_index = stamp.filter(|_| are_all && are_exact);
        Ok(difference)
    }

    /// Unchanged memories that need not be read, because their facts are cached. A file whose bytes
    /// on disk differ from the blob's (line ends that git converts) has another size, and is read.
    pub fn prefetched(&self, difference: &Difference) -> Prefetched {
        let memories = difference.unchanged.iter().filter(|(path, ..)| path.is_memory());
        let known = memories.filter_map(|(path, id, stat)| {
            let blob = self.blob_at_hand(*id)?;
            let same_size = blob.size() == u64::from(stat.size);
            same_size.then(|| (path.clone(), (blob, modified(stat))))
        });
        known.collect()
    }

    fn holds_blob(&self, file: &std::path::Path, id: Id) -> bool {
        std::fs::read(file).is_ok_and(|bytes| self.blob_id(&bytes) == id)
    }

    fn sort_untracked(
        &self,
        index: &gix::index::State,
        files: &[&Listed],
        difference: &mut Difference,
    ) -> Result<(), GitError> {
        if files.is_empty() {
            return Ok(());
        }
        let mut carrier = self.carrier(index)?;
        let mut kept = Vec::new();
        for file in files {
            match carrier.carried(&file.path) {
                Carried::Yes => {
                    difference.new += 1;
                    difference.changed.insert(file.path.clone());
                }
                Carried::Litter => {
                    difference.ignored.insert(file.path.clone());
                }
                Carried::No(rule) => {
                    difference.ignored.insert(file.path.clone());
                    kept.push((file.path.clone(), rule));
                }
            }
        }
        difference.staying = carrier.staying(&kept);
        Ok(())
    }

    /// As [`Difference::left_out`], without comparing files.
    pub fn left_out(&self) -> Result<BTreeSet<RelPath>, GitError> {
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let tracked = self.tracked(&index);
        let left_out = tracked.iter().filter(|(_, entry)| entry.flags.intersects(PASSED_OVER));
        let sparse = self.is_sparse();
        let on_disk = |path: &RelPath| {
            crate::machine::files::exists(&self.root.join(format!("{}{path}", self.prefix)))
        };
        let paths = left_out.filter_map(|(path, _)| RelPath::new(path));
        // A file that a sparse checkout leaves out, but that exists, is treated like any other.
        Ok(paths.filter(|path| !sparse || !on_disk(path)).collect())
    }

    /// Whether the index contains exactly this identity tree, and nothing unmerged.
    pub fn index_holds(&self, root: Id) -> Result<bool, GitError> {
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let tracked = self.tracked(&index);
        let tree = self.identity_tree(root)?;
        let wanted = tree.map(|tree| self.known_entries(tree)).transpose()?.unwrap_or_default();
        let mut entries = tracked.in_turn();
        let same = wanted
            .iter()
            .all(|(path, id)| entries.get(path.as_str()).is_some_and(|(_, entry)| entry.id == *id));
        Ok(same && wanted.len() == tracked.len())
    }

    /// Files that differ between the index and a commit, or are in only one of them.
    pub fn staged_paths(&self, commit: Id) -> Result<BTreeSet<RelPath>, GitError> {
        let root = self.tree_of(commit)?;
        if self.index_holds(root)? {
            return Ok(BTreeSet::new());
        }
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let tracked = self.tracked(&index);
        let tree = self.identity_tree(root)?;
        let there = tree.map(|tree| self.known_entries(tree)).transpose()?.unwrap_or_default();
        let mut entries = tracked.in_turn();
        let changed = there.iter().filter(|(path, id)| {
            entries.get(path.as_str()).is_none_or(|(_, entry)| entry.id != *id)
        });
        let known: BTreeSet<&str> = there.iter().map(|(path, _)| path.as_str()).collect();
        let new = tracked.iter().filter(|(path, _)| !known.contains(path));
        let new = new.filter_map(|(path, _)| RelPath::new(path));
        Ok(changed.map(|(path, _)| path.clone()).chain(new).collect())
    }

    /// The identity as the next commit would contain it. `file` is an index other than the
    /// repository's own, as git passes to hooks when only some files are committed.
    pub fn staged(&self, file: Option<&std::path::Path>) -> Result<Snapshot, GitError> {
        let index = match file {
            Some(path) => {
                let read = gix::index::File::at(
                    path,
                    gix::hash::Kind::Sha1,
                    false,
                    gix::index::decode::Options::default(),
                );
                std::sync::Arc::new(gix::fs::FileSnapshot::new(
                    read.during(self, "read the index")?,
                ))
            }
            None => self.gix.index_or_empty().during(self, "read the index")?,
        };
        let mut snapshot = Snapshot::default();
        for (path, entry) in self.tracked(&index).iter() {
            if let Some(path) = RelPath::new(path)
                && !entry.mode.is_submodule()
            {
                snapshot.put(path, self.blob(entry.id)?);
            }
        }
        Ok(snapshot)
    }

    /// Ancestor, ours and theirs of a path that an open merge left unresolved.
    pub fn stages(&self, path: &RelPath) -> Result<[Option<Blob>; 3], GitError> {
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let wanted = format!("{}{path}", self.prefix);
        let mut stages = [None, None, None];
        for entry in
            index.entries().iter().filter(|entry| entry.path(&index) == wanted.as_bytes().as_bstr())
        {
            if let at @ 1..=3 = entry.stage_raw() {
                stages[at as usize - 1] = Some(self.blob(entry.id)?);
            }
        }
        Ok(stages)
    }

    /// Each blob is read once per run.
    pub fn blob(&self, id: Id) -> Result<Blob, GitError> {
        if let Some(blob) = self.blob_at_hand(id) {
            return Ok(blob);
        }
        self.fetch_if_missing(id);
        let mut found = self.gix.find_blob(id).during(self, "read a file of the repository")?;
        let blob = Blob::from(found.take_data());
        self.blobs.borrow_mut().insert(id, blob.clone());
        Ok(blob)
    }

    /// A blob that was read in this run, or whose facts an earlier run cached.
    pub(super) fn blob_at_hand(&self, id: Id) -> Option<Blob> {
        if let Some(blob) = self.blobs.borrow().get(&id) {
            return Some(blob.clone());
        }
        let blob = self.known_blob(id)?;
        self.blobs.borrow_mut().insert(id, blob.clone());
        Some(blob)
    }

    /// In a partial clone, lets git fetch a missing object.
    pub(super) fn fetch_if_missing(&self, id: Id) {
        self.fetch_missing(id, &["cat-file", "-e"]);
    }

    /// As [`Repo::fetch_if_missing`], with all trees below one.
    pub(super) fn bring_tree(&self, id: Id) {
        self.fetch_missing(id, &["ls-tree", "-r", "-t", "--name-only"]);
    }

    fn fetch_missing(&self, id: Id, ask: &[&str]) {
        let promisor = |name: &gix::bstr::BStr| {
            let key = format!("remote.{name}.promisor");
            self.gix.config_snapshot().boolean(key.as_str()) == Some(true)
        };
        let partial = || self.gix.remote_names().iter().any(|name| promisor(name.as_ref()));
        if self.gix.has_object(id) || !partial() {
            return;
        }
        let mut command = super::process::git(self.git_dir(), Some(&self.root));
        command.args(ask).arg(id.to_string());
        // If the fetch fails, the object stays missing; reading it reports that.
        let _ = super::process::run(command, super::process::LOCAL);
    }

    /// Paths that an open merge left unresolved.
    pub fn unmerged(&self) -> Result<BTreeSet<String>, GitError> {
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let open = index.entries().iter().filter(|entry| entry.stage_raw() != 0);
        Ok(open.map(|entry| entry.path(&index).to_string()).collect())
    }
}
