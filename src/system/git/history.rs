//! How commits changed memories, oldest first.
//!
//! Invariant: a merge counts as its difference to its first parent; nothing is written.

use super::{GitError, Id, Repo, commits::host_of, error::During};
use crate::identity::{Blob, Memory, RelPath, Stamp, kind::MEMORIES};
use gix::bstr::ByteSlice;
use std::collections::HashMap;

type BeforeAfter = (Option<Memory>, Option<Memory>);

/// A version of a file that a commit introduced.
#[derive(Clone, Debug)]
pub struct Brought {
    pub commit: Id,
    pub path: RelPath,
    /// Possible predecessors: in each parent, on the remote, and what the same commit removed.
    pub before: Vec<Id>,
    pub after: Id,
}

#[derive(Clone, Debug)]
pub struct MemoryChange {
    pub commit: String,
    pub at: Stamp,
    pub who: String,
    files: Vec<BeforeAfter>,
}

impl MemoryChange {
    /// Every memory, both before and after the commit.
    pub fn memories(&self) -> Vec<Memory> {
        self.files.iter().flat_map(|(before, after)| [before, after]).flatten().cloned().collect()
    }

    /// The memory with this origin after the commit: `None` if not touched, `Some(None)` if
    /// removed.
    pub fn memory_with(&self, origin: Stamp) -> Option<Option<Memory>> {
        let of = |memory: &Option<Memory>| memory.clone().filter(|memory| memory.created == origin);
        let after = self.files.iter().find_map(|(_, after)| of(after));
        let touched = after.is_some() || self.files.iter().any(|(before, _)| of(before).is_some());
        touched.then_some(after)
    }
}

impl Repo {
    /// Oldest first, along first parents.
    pub fn memory_history(&self) -> Result<Vec<MemoryChange>, GitError> {
        let Some(head) = self.head()? else { return Ok(Vec::new()) };
        let mut commits = Vec::new();
        for step in
            self.gix.rev_walk([head]).first_parent_only().all().during(self, "walk history")?
        {
            commits.push(step.during(self, "walk history")?.id);
        }
        commits.reverse();
        let mut changes = Vec::new();
        let mut before: Option<Id> = None;
        for id in commits {
            let after = self.memories_tree(id)?;
            if after != before {
                let commit = self.gix.find_commit(id).during(self, "walk history")?;
                let seconds = commit.time().map(|time| time.seconds).unwrap_or_default();
                let who = commit
                    .author()
                    .map(|author| author.name.to_str_lossy().into_owned())
                    .unwrap_or_default();
                let files = self.changed_memories(before, after)?;
                changes.push(MemoryChange {
                    commit: id.to_string(),
                    at: Stamp::from_micros(seconds * Stamp::SECOND),
                    who,
                    files,
                });
            }
            before = after;
        }
        Ok(changes)
    }

    /// The laptop whose commit first brought each committed memory, by the memory's origin; `None`
    /// if that commit was not made by co.
    pub fn laptops_of_memories(&self) -> Result<HashMap<Stamp, Option<String>>, GitError> {
        let mut laptops = HashMap::new();
        let Some(head) = self.head()? else { return Ok(laptops) };
        let mut commits = Vec::new();
        for step in self.gix.rev_walk([head]).all().during(self, "walk history")? {
            commits.push(step.during(self, "walk history")?.id);
        }
        for id in commits.into_iter().rev() {
            let commit = self.gix.find_commit(id).during(self, "walk history")?;
            let parents: Vec<Id> = commit.parent_ids().map(gix::Id::detach).collect();
            let message = commit.message_raw_sloppy().to_string();
            // A merge brings what other commits brought.
            let ([] | [_]) = &parents[..] else { continue };
            let parent = parents.first();
            let before = parent.map(|parent| self.memories_tree(*parent)).transpose()?.flatten();
            let after = self.memories_tree(id)?;
            if before == after {
                continue;
            }
            for (_, new) in self.changed_memories(before, after)? {
                let Some(memory) = new else { continue };
                laptops
                    .entry(memory.created)
                    .or_insert_with(|| host_of(&message).map(str::to_owned));
            }
        }
        Ok(laptops)
    }

    /// Calls `each` with first-parent commits and times, newest first, until it returns false.
    pub fn each_first_parent(
        &self,
        mut each: impl FnMut(Id, Stamp) -> bool,
    ) -> Result<(), GitError> {
        let Some(head) = self.head()? else { return Ok(()) };
        let walk = self.gix.rev_walk([head]).first_parent_only().all();
        for step in walk.during(self, "walk history")? {
            let id = step.during(self, "walk history")?.id;
            if !each(id, self.time_of(id)?) {
                break;
            }
        }
        Ok(())
    }

    /// The time of a commit.
    pub fn time_of(&self, commit: Id) -> Result<Stamp, GitError> {
        let commit = self.gix.find_commit(commit).during(self, "walk history")?;
        let seconds = commit.time().map(|time| time.seconds).unwrap_or_default();
        Ok(Stamp::from_micros(seconds * Stamp::SECOND))
    }

    /// Every version of every file of the identity in all branches, tags and stashes, each content
    /// once, with the commit that introduced it. Oldest commits first.
    pub fn every_version(&self) -> Result<Vec<(Id, RelPath, Blob)>, GitError> {
        let mut seen = std::collections::HashSet::new();
        let mut versions = Vec::new();
        let mut commits = Vec::new();
        for step in self.gix.rev_walk(self.tips()?).all().during(self, "walk history")? {
            commits.push(step.during(self, "walk history")?.id);
        }
        for id in commits.into_iter().rev() {
            let Some(tree) = self.identity_tree(self.tree_of(id)?)? else { continue };
            if !seen.insert((None, tree)) {
                continue;
            }
            for (path, blob) in self.entries(tree)? {
                if seen.insert((Some(path.clone()), blob)) {
                    let mut found = self.gix.find_blob(blob).during(self, "walk history")?;
                    versions.push((id, path, Blob::from(found.take_data())));
                }
            }
        }
        Ok(versions)
    }

    /// The commits that HEAD and every ref point to.
    fn tips(&self) -> Result<Vec<Id>, GitError> {
        let mut tips: Vec<Id> = self.head()?.into_iter().collect();
        let platform = self.gix.references().during(self, "list references")?;
        for reference in platform.all().during(self, "list references")? {
            let Ok(mut reference) = reference else { continue };
            // A ref that does not lead to a commit (a tag of a file, a broken one) has no history.
            let commit = reference
                .peel_to_id()
                .ok()
                .and_then(|id| id.object().ok())
                .and_then(|object| object.peel_to_commit().ok());
            tips.extend(commit.map(|commit| commit.id));
        }
        tips.sort();
        tips.dedup();
        Ok(tips)
    }

    /// Files that unpublished commits introduced and neither a parent nor `known` (remote) has.
    pub fn brought_since(&self, known: Option<Id>, head: Id) -> Result<Vec<Brought>, GitError> {
        let empty = Id::empty_tree(gix::hash::Kind::Sha1);
        let identity = |commit: Id| -> Result<Id, GitError> {
            Ok(self.identity_tree(self.tree_of(commit)?)?.unwrap_or(empty))
        };
        let published = known.map(identity).transpose()?.unwrap_or(empty);
        let published = self.gix.find_tree(published).during(self, "walk history")?;
        let on_remote = |path: &[u8]| -> Option<Id> {
            let entry = published.lookup_entry(path.split(|byte| *byte == b'/')).ok().flatten()?;
            entry.mode().is_blob().then(|| entry.object_id())
        };
        let mut brought = Vec::new();
        for step in
            self.gix.rev_walk([head]).with_hidden(known).all().during(self, "walk history")?
        {
            let commit = step.during(self, "walk history")?.id;
            let tree = identity(commit)?;
            let mut parents = self
                .parents(commit)?
                .into_iter()
                .map(identity)
                .collect::<Result<Vec<Id>, GitError>>()?;
            if parents.is_empty() {
                parents.push(empty);
            }
            let differences = parents
                .iter()
                .map(|parent| self.tree_changes(Some(*parent), tree))
                .collect::<Result<Vec<_>, GitError>>()?;
            let Some((first, others)) = differences.split_first() else { continue };
            let removed: Vec<Id> = first
                .values()
                .filter(|change| change.new.is_none())
                .filter_map(|change| Some(change.old?.0))
                .collect();
            for (path, change) in first {
                let Some((blob, _)) = change.new.filter(|(_, mode)| mode.is_blob()) else {
                    continue;
                };
                // A file that is identical in one of the parents was not introduced by this commit.
                let from_others: Option<Vec<_>> =
                    others.iter().map(|other| other.get(path)).collect();
                let Some(from_others) = from_others else { continue };
                let there = on_remote(path);
                let Some(name) = RelPath::new(&path.to_str_lossy()).filter(|_| there != Some(blob))
                else {
                    continue;
                };
                let old = from_others
                    .into_iter()
                    .chain([change])
                    .filter_map(|change| Some(change.old?.0));
                let before = old.chain(there).chain(removed.iter().copied()).collect();
                brought.push(Brought { commit, path: name, before, after: blob });
            }
        }
        Ok(brought)
    }

    fn memories_tree(&self, commit: Id) -> Result<Option<Id>, GitError> {
        let Some(identity) = self.identity_tree(self.tree_of(commit)?)? else { return Ok(None) };
        let tree = self.gix.find_tree(identity).during(self, "read a tree")?;
        let entry = tree
            .lookup_entry_by_path(MEMORIES.trim_end_matches('/'))
            .during(self, "read a tree")?;
        Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
    }

    fn changed_memories(
        &self,
        before: Option<Id>,
        after: Option<Id>,
    ) -> Result<Vec<BeforeAfter>, GitError> {
        let list = |tree: Option<Id>| -> Result<std::collections::BTreeMap<RelPath, Id>, GitError> {
            Ok(tree
                .map(|tree| self.entries(tree))
                .transpose()?
                .unwrap_or_default()
                .into_iter()
                .collect())
        };
        let (old, new) = (list(before)?, list(after)?);
        let paths: std::collections::BTreeSet<&RelPath> = old.keys().chain(new.keys()).collect();
        let read = |path: &RelPath, id: Option<&Id>| {
            let mut blob = self.gix.find_blob(*id?).ok()?;
            let path = RelPath::new(&format!("{MEMORIES}{path}"))?;
            Memory::read(&path, &blob.take_data().into()).ok()
        };
        let differs = |path: &&&RelPath| old.get(**path) != new.get(**path);
        Ok(paths
            .iter()
            .filter(differs)
            .map(|path| (read(path, old.get(*path)), read(path, new.get(*path))))
            .collect())
    }
}
