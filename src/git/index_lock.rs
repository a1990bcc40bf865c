//! Writes git's index after a commit of ours, under git's own lock.
//!
//! Invariant: entries outside the identity keep their bytes. The lock is a hard link to a file of
//! ours, which distinguishes a lock left by a killed co from anybody else's.

use super::{
    GitError, Id, Repo,
    index::Difference,
    index_bytes::{NewEntry, with_new},
    repo::During,
};
use crate::identity::{FileChange, RelPath};
use crate::machine::platform;
use gix::bstr::{BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stat, stat::Options};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::PathBuf,
};

/// git's index lock, held until it is dropped or the index is renamed into place.
pub struct IndexLock<'a> {
    repo: &'a Repo,
    /// Locked in the kernel while this process lives; the index lock is a hard link to it.
    own: PathBuf,
    alive: std::fs::File,
    lock: PathBuf,
    done: bool,
}

/// Name prefix of the files whose hard links are co's index locks.
const OWN: &str = "index.new";

impl<'a> IndexLock<'a> {
    /// Fails with [`GitError::IndexLocked`] if another git holds the lock for two seconds.
    pub fn take(repo: &'a Repo) -> Result<IndexLock<'a>, GitError> {
        IndexLock::within(repo, 100)
    }

    fn within(repo: &'a Repo, attempts: usize) -> Result<IndexLock<'a>, GitError> {
        const LOCK: &str = "lock the index";
        let own = repo.co_dir().join(format!("{OWN}-{}", std::process::id()));
        let lock = index_lock(repo);
        std::fs::create_dir_all(repo.co_dir()).during(repo, LOCK)?;
        let _ = std::fs::remove_file(&own);
        let alive = std::fs::File::create_new(&own).during(repo, LOCK)?;
        platform::hold(&alive).during(repo, LOCK)?;
        for attempt in 0..attempts {
            if attempt > 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            match std::fs::hard_link(&own, &lock) {
                Ok(()) => return Ok(IndexLock { repo, own, alive, lock, done: false }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let _ = std::fs::remove_file(&own);
                    return Err(GitError::local(LOCK, &repo.root, error));
                }
            }
        }
        let _ = std::fs::remove_file(&own);
        Err(GitError::IndexLocked { lock })
    }

    /// Writes an index that matches a root tree in the identity and in these paths outside it.
    /// Returns its [`Repo::index_stamp`], which no index has that is written after it.
    pub fn write(
        self,
        root: Id,
        outside: &BTreeMap<BString, Option<(Id, Mode)>>,
    ) -> Result<String, GitError> {
        self.write_compared(root, outside, &Difference::default())
    }

    /// As [`IndexLock::write_compared`], for an index that has exactly what the root tree has
    /// without these new files of the identity. What it has is copied, apart from stats.
    pub fn write_added(
        self,
        root: Id,
        added: &[FileChange],
        compared: &Difference,
    ) -> Result<String, GitError> {
        match self.with_added(added, compared) {
            Some(bytes) => self.replace(&bytes),
            None => self.write_compared(root, &BTreeMap::new(), compared),
        }
    }

    /// `None` if more than that is to change.
    fn with_added(&self, added: &[FileChange], compared: &Difference) -> Option<Vec<u8>> {
        let (repo, outdated) = (self.repo, compared.outdated());
        if repo.is_sparse() {
            return None;
        }
        let entry = |file: &FileChange| {
            let blob = file.after.as_ref().filter(|_| file.before.is_none())?;
            let path = BString::from(format!("{}{}", repo.prefix, file.path));
            let id = super::blob_id(blob)?;
            Some(NewEntry { stat: repo.stat_if_same(&path, id), path, id, mode: Mode::FILE })
        };
        let added: Option<Vec<NewEntry>> = added.iter().map(entry).collect();
        let index = repo.gix.index_path();
        let written = seconds(&std::fs::metadata(&index).ok()?);
        let options = repo.gix.stat_options().ok()?;
        let looked_at = |path: &[u8], id, stat: &Stat| {
            // Hot: usually there are none.
            if !outdated.is_empty() {
                let own = path.strip_prefix(repo.prefix.as_bytes());
                let seen = own.and_then(|path| outdated.get(path.to_str().ok()?));
                if let Some((_, seen)) = seen.filter(|seen| seen.0 == id) {
                    return Some(*seen);
                }
            }
            let is_racy = written <= stat.mtime.secs;
            let hides = is_racy && repo.hides_a_change(&BString::from(path), (id, stat), options);
            hides.then(Stat::default)
        };
        with_new(&std::fs::read(&index).ok()?, added?, looked_at)
    }

    /// As [`IndexLock::write`], with the stats of files whose bytes were compared before.
    pub fn write_compared(
        self,
        root: Id,
        outside: &BTreeMap<BString, Option<(Id, Mode)>>,
        compared: &Difference,
    ) -> Result<String, GitError> {
        let repo = self.repo;
        let written = repo.gix.index_or_empty().during(repo, "write the index")?;
        let mut index = gix::index::File::clone(&*written);
        let mut wanted = repo.wanted(root)?;
        wanted.extend(outside.iter().map(|(path, entry)| (path.clone(), *entry)));
        let mut left_out = BTreeSet::new();
        let (before, outdated) = (index.entries().len(), compared.outdated());
        index.remove_entries(|_, path, entry| {
            let inside = path.starts_with(repo.prefix.as_bytes());
            match wanted.get(path) {
                Some(Some((id, mode)))
                    if entry.id == *id && entry.mode == *mode && entry.stage_raw() == 0 =>
                {
                    // Already right, except perhaps for the stat.
                    let own = path.strip_prefix(repo.prefix.as_bytes());
                    let known = own.and_then(|path| outdated.get(path.to_str().ok()?));
                    entry.stat =
                        known.filter(|seen| seen.0 == *id).map_or(entry.stat, |seen| seen.1);
                    wanted.remove(path);
                    false
                }
                Some(_) => {
                    if entry.flags.intersects(Flags::SKIP_WORKTREE | Flags::ASSUME_VALID) {
                        left_out.insert(path.to_owned());
                    }
                    true
                }
                None => inside,
            }
        });
        let untouched = index.entries().len() == before && wanted.values().all(Option::is_none);
        if untouched && let Some(stamp) = repo.index_stamp() {
            return Ok(stamp);
        }
        repo.look_at_racy(&mut index);
        let new = wanted.keys().filter(|path| written.entry_by_path(path.as_bstr()).is_none());
        left_out.extend(repo.to_leave_out(new)?);
        for (path, entry) in wanted {
            let Some((id, mode)) = entry else { continue };
            let stat = repo.stat_if_same(&path, id);
            let flags = if left_out.contains(&path) { LEFT_OUT } else { Flags::empty() };
            index.dangerously_push_entry(stat, id, flags, mode, path.as_bstr());
        }
        index.sort_entries();
        index.remove_tree();
        index.remove_resolve_undo();
        self.write_whole(&index)
    }

    /// Writes an index with the stats of files that have the bytes of their entries.
    fn write_stats(self, compared: &Difference) -> Result<String, GitError> {
        let repo = self.repo;
        let written = repo.gix.index_or_empty().during(repo, "write the index")?;
        let mut index = gix::index::File::clone(&*written);
        repo.look_at_racy(&mut index);
        let outdated = compared.outdated();
        let young = compared.same_bytes.iter().map(|(path, ..)| path);
        let doubtful: BTreeSet<&str> =
            compared.changed.iter().chain(young).map(RelPath::as_str).collect();
        for (entry, path) in index.entries_mut_with_paths() {
            let Ok(path) = path.to_str() else { continue };
            match outdated.get(path) {
                Some((id, stat)) if entry.id == *id && entry.stage_raw() == 0 => entry.stat = *stat,
                // Beside a newer index, a stat that a file had before and after a change counts.
                _ if doubtful.contains(path) => entry.stat = Stat::default(),
                _ => {}
            }
        }
        self.write_whole(&index)
    }

    fn write_whole(self, index: &gix::index::File) -> Result<String, GitError> {
        let repo = self.repo;
        let mut bytes = Vec::new();
        index
            .write_to(&mut bytes, gix::index::write::Options::default())
            .during(repo, "write the index")?;
        self.replace(&bytes)
    }

    /// Renames an index into place. Its stamp is taken before: from then on, others may write it.
    fn replace(mut self, bytes: &[u8]) -> Result<String, GitError> {
        let repo = self.repo;
        let mut file = &self.alive;
        file.write_all(bytes).and_then(|()| file.sync_all()).during(repo, "write the index")?;
        let stamp = stamp_of(&file.metadata().during(repo, "write the index")?);
        // Other accounts may share the repository.
        if let Ok(before) = std::fs::metadata(repo.gix.index_path()) {
            let _ = file.set_permissions(before.permissions());
        }
        platform::patiently(|| std::fs::rename(&self.lock, repo.gix.index_path()))
            .during(repo, "write the index")?;
        self.done = true;
        let _ = std::fs::remove_file(&self.own);
        Ok(stamp)
    }
}

/// Gives git's index the stats of files that were found to have its bytes, as `git status` does:
/// after a copy of the folder that is every file, and each look would read them all. Where the
/// index is locked, cannot be written or is of a repository around the identity, it stays as it is.
pub fn refresh(repo: &Repo, compared: &Difference) {
    let is_ours = repo.prefix.is_empty() && repo.co_dir().is_dir();
    if !is_ours || compared.outdated().is_empty() {
        return;
    }
    // What git keeps in an index besides files is not written by gix.
    let is_plain = repo.gix.index_or_empty().is_ok_and(|index| {
        index.version() != gix::index::Version::V4
            && index.resolve_undo().is_none()
            && index.untracked().is_none()
            && index.fs_monitor().is_none()
            && index.link().is_none()
            && !index.is_sparse()
    });
    if is_plain && let Ok(lock) = IndexLock::within(repo, 1) {
        let _ = lock.write_stats(compared);
    }
}

/// When an index was written, as git compares it: in whole seconds.
fn seconds(meta: &std::fs::Metadata) -> u32 {
    u32::try_from(platform::stat(meta).modified / 1_000_000_000).unwrap_or_default()
}

/// The flags that git sets for a file outside a sparse checkout.
const LEFT_OUT: Flags = Flags::SKIP_WORKTREE.union(Flags::EXTENDED);

impl Drop for IndexLock<'_> {
    fn drop(&mut self) {
        if !self.done {
            let _ = std::fs::remove_file(&self.lock);
            let _ = std::fs::remove_file(&self.own);
        }
    }
}

/// Age from which a lock is considered abandoned.
const ABANDONED: std::time::Duration = std::time::Duration::from_secs(3_600);

/// An abandoned lock of the index, of the branch or of the configuration, if there is one.
pub fn abandoned(repo: &Repo) -> Option<PathBuf> {
    let of_branch = repo.head_name().ok().flatten();
    let of_branch = of_branch.map(|name| repo.gix.common_dir().join(format!("{name}.lock")));
    let locks = [Some(index_lock(repo)), of_branch, Some(super::own_config::lock(repo))];
    locks.into_iter().flatten().find(|lock| is_abandoned(lock))
}

fn is_abandoned(lock: &std::path::Path) -> bool {
    let modified = std::fs::symlink_metadata(lock).and_then(|meta| meta.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > ABANDONED))
}

fn index_lock(repo: &Repo) -> PathBuf {
    let mut lock = repo.gix.index_path().into_os_string();
    lock.push(".lock");
    PathBuf::from(lock)
}

/// Removes index locks of dead processes: those that share their inode with a file of co that the
/// kernel no longer holds locked. Several identities in one repository have separate locks.
pub(super) fn clear_stale_locks(repo: &Repo) {
    let lock = index_lock(repo);
    let Ok(entries) = std::fs::read_dir(repo.co_dir()) else { return };
    let names = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let own = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(OWN))
    };
    for own in names.filter(own) {
        if platform::is_free(&own) {
            if platform::file_id(&own) == platform::file_id(&lock) {
                let _ = std::fs::remove_file(&lock);
            }
            let _ = std::fs::remove_file(&own);
        }
    }
}

/// As [`Repo::index_stamp`], of an index that may not be in its place yet.
fn stamp_of(meta: &std::fs::Metadata) -> String {
    let stat = platform::stat(meta);
    format!("{}-{}-{}", stat.modified, stat.size, stat.inode)
}

impl Repo {
    /// Changes whenever the index is written.
    pub fn index_stamp(&self) -> Option<String> {
        Some(stamp_of(&std::fs::metadata(self.gix.index_path()).ok()?))
    }

    fn wanted(&self, root: Id) -> Result<BTreeMap<BString, Option<(Id, Mode)>>, GitError> {
        let Some(tree) = self.identity_tree(root)? else { return Ok(BTreeMap::new()) };
        let tree = self.gix.find_tree(tree).during(self, "read a tree")?;
        let files = tree.traverse().breadthfirst.files().during(self, "read a tree")?;
        let mut wanted = BTreeMap::new();
        for file in files.into_iter().filter(|file| !file.mode.is_tree()) {
            let mode = if file.mode.kind() == gix::objs::tree::EntryKind::BlobExecutable {
                Mode::FILE_EXECUTABLE
            } else {
                Mode::FILE
            };
            let mut path = BString::from(self.prefix.as_str());
            path.extend_from_slice(&file.filepath);
            wanted.insert(path, Some((file.oid, mode)));
        }
        Ok(wanted)
    }

    /// Looks at the files that were written in the second of their index or later: what was changed
    /// right after it has the same stat as before, which counts beside a newer index.
    fn look_at_racy(&self, index: &mut gix::index::File) {
        let meta = std::fs::metadata(self.gix.index_path());
        let (Ok(meta), Ok(options)) = (meta, self.gix.stat_options()) else { return };
        let written = seconds(&meta);
        for (entry, path) in index.entries_mut_with_paths() {
            let is_racy = written <= entry.stat.mtime.secs && entry.stage_raw() == 0;
            let seen = (entry.id, &entry.stat);
            if is_racy && self.hides_a_change(&path.to_owned(), seen, options) {
                entry.stat = Stat::default();
            }
        }
    }

    /// Whether a file has the stat of its entry, but not its bytes.
    fn hides_a_change(&self, path: &BString, (id, stat): (Id, &Stat), options: Options) -> bool {
        let Ok(path) = path.to_path() else { return false };
        let file = self.root.join(path);
        let meta = gix::index::fs::Metadata::from_path_no_follow(&file);
        let Ok(meta) = meta else { return false };
        let has_it = Stat::from_fs(&meta).is_ok_and(|now| stat.matches(&now, options));
        let bytes = || {
            if meta.is_symlink() {
                return Ok(std::fs::read_link(&file)?.into_os_string().into_encoded_bytes());
            }
            std::fs::read(&file)
        };
        // Reading a pipe would wait for somebody to write.
        let is_read = meta.is_file() || meta.is_symlink();
        has_it && is_read && bytes().is_ok_and(|bytes| self.blob_id(&bytes) != id)
    }

    /// The file's stat if its bytes are the blob's; else an empty one, so that git compares bytes.
    fn stat_if_same(&self, path: &BString, id: Id) -> Stat {
        let Ok(path) = path.to_path() else { return Stat::default() };
        let file = self.root.join(path);
        let meta = gix::index::fs::Metadata::from_path_no_follow(&file);
        // Reading a pipe would wait for somebody to write.
        let Some(meta) = meta.ok().filter(gix::index::fs::Metadata::is_file) else {
            return Stat::default();
        };
        let is_same = std::fs::read(&file).is_ok_and(|bytes| self.blob_id(&bytes) == id);
        if is_same { Stat::from_fs(&meta).unwrap_or_default() } else { Stat::default() }
    }
}
