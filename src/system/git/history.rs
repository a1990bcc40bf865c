//! What commits did to memories, oldest first.
//!
//! Invariant: a merge counts by what it has and its first parent has not; reading history changes nothing.

use super::{GitError, Id, Repo};
use crate::identity::{Blob, Memory, RelPath, Stamp, path::MEMORIES};
use gix::bstr::ByteSlice;

/// One file's memory before and after a commit.
type BeforeAfter = (Option<Memory>, Option<Memory>);

/// The memories that one commit changed.
#[derive(Clone, Debug)]
pub struct MemoryChange {
    /// The commit.
    pub commit: String,
    /// Its time.
    pub at: Stamp,
    /// Who committed it.
    pub who: String,
    /// The memories before and after, by file.
    files: Vec<BeforeAfter>,
}

impl MemoryChange {
    /// Every memory that it saw.
    pub fn memories(&self) -> Vec<Memory> {
        self.files.iter().flat_map(|(before, after)| [before, after]).flatten().cloned().collect()
    }

    /// The memory with this origin after the commit: `None` when the commit did not touch it, `Some(None)` when it took it away.
    pub fn memory_with(&self, origin: Stamp) -> Option<Option<Memory>> {
        let of = |memory: &Option<Memory>| memory.clone().filter(|memory| memory.created == origin);
        let after = self.files.iter().find_map(|(_, after)| of(after));
        let touched = after.is_some() || self.files.iter().any(|(before, _)| of(before).is_some());
        touched.then_some(after)
    }
}

impl Repo {
    /// Every commit that changed a memory, oldest first.
    ///
    /// # Errors
    /// When history cannot be read.
    pub fn memory_history(&self) -> Result<Vec<MemoryChange>, GitError> {
        let failed = self.failed("walk history");
        let Some(head) = self.head()? else { return Ok(Vec::new()) };
        let mut commits = Vec::new();
        for step in self.gix.rev_walk([head]).first_parent_only().all().map_err(|error| failed(&error))? {
            commits.push(step.map_err(|error| failed(&error))?.id);
        }
        commits.reverse();
        let mut changes = Vec::new();
        let mut before: Option<Id> = None;
        for id in commits {
            let after = self.memories_tree(id)?;
            if after != before {
                let commit = self.gix.find_commit(id).map_err(|error| failed(&error))?;
                let seconds = commit.time().map(|time| time.seconds).unwrap_or_default();
                let who = commit.author().map(|author| author.name.to_str_lossy().into_owned()).unwrap_or_default();
                let files = self.changed_memories(before, after)?;
                changes.push(MemoryChange { commit: id.to_string(), at: Stamp::from_micros(seconds * Stamp::SECOND), who, files });
            }
            before = after;
        }
        Ok(changes)
    }

    /// Every file of the identity in every commit, each content once: commit, path, bytes. Newest commits first.
    ///
    /// # Errors
    /// When history cannot be read.
    pub fn every_version(&self) -> Result<Vec<(Id, RelPath, Blob)>, GitError> {
        let failed = self.failed("walk history");
        let Some(head) = self.head()? else { return Ok(Vec::new()) };
        let mut seen = std::collections::HashSet::new();
        let mut versions = Vec::new();
        for step in self.gix.rev_walk([head]).all().map_err(|error| failed(&error))? {
            let id = step.map_err(|error| failed(&error))?.id;
            let Some(tree) = self.identity_tree(self.tree_of(id)?)? else { continue };
            if !seen.insert((None, tree)) {
                continue;
            }
            for (path, blob) in self.entries(tree)? {
                if seen.insert((Some(path.clone()), blob)) {
                    let mut found = self.gix.find_blob(blob).map_err(|error| failed(&error))?;
                    versions.push((id, path, Blob::from(found.take_data())));
                }
            }
        }
        Ok(versions)
    }

    fn memories_tree(&self, commit: Id) -> Result<Option<Id>, GitError> {
        let failed = self.failed("read a tree");
        let Some(identity) = self.identity_tree(self.tree_of(commit)?)? else { return Ok(None) };
        let tree = self.gix.find_tree(identity).map_err(|error| failed(&error))?;
        let entry = tree.lookup_entry_by_path(MEMORIES.trim_end_matches('/')).map_err(|error| failed(&error))?;
        Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
    }

    fn changed_memories(&self, before: Option<Id>, after: Option<Id>) -> Result<Vec<BeforeAfter>, GitError> {
        let list = |tree: Option<Id>| -> Result<std::collections::BTreeMap<RelPath, Id>, GitError> {
            Ok(tree.map(|tree| self.entries(tree)).transpose()?.unwrap_or_default().into_iter().collect())
        };
        let (old, new) = (list(before)?, list(after)?);
        let paths: std::collections::BTreeSet<&RelPath> = old.keys().chain(new.keys()).collect();
        let read = |path: &RelPath, id: Option<&Id>| {
            let mut blob = self.gix.find_blob(*id?).ok()?;
            let path = RelPath::new(&format!("{MEMORIES}{path}"))?;
            Memory::read(&path, &blob.take_data().into()).ok()
        };
        let differs = |path: &&&RelPath| old.get(**path) != new.get(**path);
        Ok(paths.iter().filter(differs).map(|path| (read(path, old.get(*path)), read(path, new.get(*path)))).collect())
    }
}
