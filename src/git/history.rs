//! How commits changed memories, oldest first.
//!
//! Invariant: a version belongs to the commit that introduced it, through whichever parent of a
//! merge it came; nothing is written.

use super::{
    GitError, Id, Repo,
    commits::host_of,
    enclosing::{TreeChange, TreeEntry, change_at},
    repo::During,
    splits::{BeforeAfter, Splits},
    trees::sound,
};
use crate::identity::{Blob, ContentHash, Memory, RelPath, Stamp, kind::MEMORIES};
use gix::bstr::{BString, ByteSlice};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A version of a file that a commit introduced.
#[derive(Clone, Debug)]
pub struct Brought {
    pub commit: Id,
    pub path: RelPath,
    /// Possible predecessors: in each parent, on the remote, and what the same commit removed.
    pub before: Vec<Id>,
    pub after: Id,
}

/// What a commit changed.
#[derive(Clone, Debug)]
pub struct MemoryChange {
    pub id: Id,
    pub commit: String,
    pub at: Stamp,
    /// The laptop, or the author of a commit that co did not make.
    pub who: String,
    pub laptop: Option<String>,
    parents: Vec<Id>,
    /// Against each parent; against nothing for the first commit. A merge that is as one of its
    /// parents has an empty list there.
    differences: Vec<Vec<BeforeAfter>>,
}

impl MemoryChange {
    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }

    /// Every memory, both before and after the commit.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> {
        let all = self.differences.iter().flatten();
        all.flat_map(|(before, after)| [before, after]).flatten()
    }

    /// A memory that says this after the commit, if it did not before.
    pub fn now_says(&self, text: ContentHash) -> Option<&Memory> {
        let mut after = self.differences.iter().flatten().filter_map(|(_, after)| after.as_ref());
        after.find(|memory| memory.hash == text)
    }

    /// The memory with this origin before and after the commit; `None` if it is as in a parent:
    /// another commit brought it.
    pub fn memory_with(&self, origin: Stamp) -> Option<(Option<&Memory>, Option<&Memory>)> {
        let is_it = |memory: &&Memory| memory.created == origin;
        let mut first = None;
        for files in &self.differences {
            let before = files.iter().filter_map(|(before, _)| before.as_ref()).find(is_it);
            let after = files.iter().filter_map(|(_, after)| after.as_ref()).find(is_it);
            if before.is_none() && after.is_none() {
                return None;
            }
            first = first.or(Some((before, after)));
        }
        first
    }

    /// The memory with this origin after a merge whose parents do not all have it so; `None` if
    /// there was nothing to choose.
    pub fn chosen(&self, origin: Stamp) -> Option<Option<&Memory>> {
        if self.differences.len() < 2 {
            return None;
        }
        let is_it = |memory: &&Memory| memory.created == origin;
        let all = self.differences.iter().flatten();
        let after = all.filter_map(|(_, after)| after.as_ref()).find(is_it);
        let is_there = after.is_some() || self.memories().any(|memory| is_it(&memory));
        is_there.then_some(after)
    }

    /// Where the text of a memory that this merge made comes from: the first parent that has the
    /// text under another origin, and that origin.
    pub fn split_from(&self, origin: Stamp) -> Option<(Id, Stamp)> {
        if self.parents.len() < 2 {
            return None;
        }
        let (_, after) = self.memory_with(origin)?;
        self.splits()?.source(after?)
    }

    /// `None` if this is no merge.
    fn splits(&self) -> Option<Splits> {
        (self.parents.len() > 1).then(|| Splits::of(&self.parents, &self.differences))
    }

    /// Whether this merge made another text of that memory a memory of its own.
    pub fn set_apart(&self, origin: Stamp) -> bool {
        let Some(splits) = self.splits() else { return false };
        let is_from_it =
            |memory: &Memory| splits.source(memory).is_some_and(|(_, source)| source == origin);
        self.brought().into_iter().any(is_from_it)
    }

    /// The memories that no parent has as they are.
    fn brought(&self) -> Vec<&Memory> {
        let after = |files: &'_ [BeforeAfter]| -> HashSet<Stamp> {
            files.iter().filter_map(|(_, after)| Some(after.as_ref()?.created)).collect()
        };
        let Some((first, others)) = self.differences.split_first() else { return Vec::new() };
        let others: Vec<HashSet<Stamp>> = others.iter().map(|files| after(files)).collect();
        let is_new = |memory: &&Memory| others.iter().all(|new| new.contains(&memory.created));
        first.iter().filter_map(|(_, after)| after.as_ref()).filter(is_new).collect()
    }
}

impl Repo {
    /// Oldest first.
    pub fn memory_history(&self) -> Result<Vec<MemoryChange>, GitError> {
        self.head()?.map_or_else(|| Ok(Vec::new()), |head| self.memory_history_of(head))
    }

    /// The same, of one commit and those that it contains.
    fn memory_history_of(&self, commit: Id) -> Result<Vec<MemoryChange>, GitError> {
        let mut changes = Vec::new();
        for (id, parents) in self.oldest_first(commit)? {
            changes.extend(self.memory_change(id, parents)?);
        }
        Ok(changes)
    }

    /// `None` for a commit that changed no memory.
    pub(super) fn memory_change(
        &self,
        id: Id,
        parents: Vec<Id>,
    ) -> Result<Option<MemoryChange>, GitError> {
        let after = self.memories_tree(id)?;
        let before: Result<Vec<Option<Id>>, GitError> =
            parents.iter().map(|parent| self.memories_tree(*parent)).collect();
        let mut before = before?;
        if before.is_empty() {
            before.push(None);
        }
        if before.iter().all(|before| *before == after) {
            return Ok(None);
        }
        let commit = self.gix.find_commit(id).during(self, "walk history")?;
        let laptop = host_of(&commit.message_raw_sloppy().to_string()).map(str::to_owned);
        let author = commit.author().map(|author| author.name.to_str_lossy().into_owned());
        let differences = before.iter().map(|before| self.changed_memories(*before, after));
        Ok(Some(MemoryChange {
            id,
            commit: id.to_string(),
            at: self.time_of(id)?,
            who: laptop.clone().unwrap_or_else(|| author.unwrap_or_default()),
            laptop,
            parents,
            differences: differences.collect::<Result<Vec<_>, GitError>>()?,
        }))
    }

    /// Every commit that another contains, with its parents, which come before it.
    pub(super) fn oldest_first(&self, head: Id) -> Result<Vec<(Id, Vec<Id>)>, GitError> {
        let mut parents: HashMap<Id, Vec<Id>> = HashMap::new();
        for step in self.gix.rev_walk([head]).all().during(self, "walk history")? {
            let step = step.during(self, "walk history")?;
            parents.insert(step.id, step.parent_ids.iter().copied().collect());
        }
        // A shallow clone lacks some.
        let found: HashSet<Id> = parents.keys().copied().collect();
        parents.values_mut().for_each(|of| of.retain(|parent| found.contains(parent)));
        let mut children: HashMap<Id, Vec<Id>> = HashMap::new();
        let mut ready: BTreeSet<(Stamp, Id)> = BTreeSet::new();
        for (id, of) in &parents {
            of.iter().for_each(|parent| children.entry(*parent).or_default().push(*id));
            if of.is_empty() {
                ready.insert((self.time_of(*id)?, *id));
            }
        }
        let mut missing: HashMap<Id, usize> =
            parents.iter().map(|(id, parents)| (*id, parents.len())).collect();
        let mut ordered = Vec::with_capacity(parents.len());
        while let Some((_, id)) = ready.pop_first() {
            for child in children.remove(&id).unwrap_or_default() {
                let left = missing.entry(child).or_default();
                *left = left.saturating_sub(1);
                if *left == 0 {
                    ready.insert((self.time_of(child)?, child));
                }
            }
            ordered.push((id, parents.remove(&id).unwrap_or_default()));
        }
        Ok(ordered)
    }

    /// The laptop whose commit first brought each committed memory, by the memory's origin; `None`
    /// if that commit was not made by co. A memory that a merge made from a losing text
    /// belongs to the laptop that wrote the text.
    pub fn laptops_of_memories(&self) -> Result<HashMap<Stamp, Option<String>>, GitError> {
        let mut laptops: HashMap<Stamp, Option<String>> = HashMap::new();
        let mut writers: HashMap<(Stamp, ContentHash), Option<String>> = HashMap::new();
        for change in self.memory_history()? {
            let splits = change.splits();
            for memory in change.brought() {
                let source = splits.as_ref().and_then(|splits| splits.source(memory));
                let writer = source.and_then(|(_, origin)| writers.get(&(origin, memory.hash)));
                let laptop = writer.unwrap_or(&change.laptop).clone();
                writers.insert((memory.created, memory.hash), laptop.clone());
                laptops.entry(memory.created).or_insert(laptop);
            }
        }
        Ok(laptops)
    }

    /// The newest of the first parents of a commit, and itself, up to a moment, with its time.
    pub(crate) fn first_parent_at(
        &self,
        from: Id,
        moment: Stamp,
    ) -> Result<Option<(Id, Stamp)>, GitError> {
        let walk = self.gix.rev_walk([from]).first_parent_only().all();
        for step in walk.during(self, "walk history")? {
            let id = step.during(self, "walk history")?.id;
            let at = self.time_of(id)?;
            if at <= moment {
                return Ok(Some((id, at)));
            }
        }
        Ok(None)
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
        let mut seen = HashSet::new();
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
                .iter()
                .filter(|change| change.after.is_none())
                .filter_map(|change| Some(change.before?.0))
                .collect();
            for change in first {
                let Some((blob, _)) = change.after.filter(|(_, mode)| mode.is_blob()) else {
                    continue;
                };
                let path = &change.path;
                // A file that is identical in one of the parents was not introduced by this commit.
                let from_others: Option<Vec<_>> =
                    others.iter().map(|other| change_at(other, path)).collect();
                let Some(from_others) = from_others else { continue };
                let there = on_remote(path);
                let Some(name) = RelPath::new(&path.to_str_lossy()).filter(|_| there != Some(blob))
                else {
                    continue;
                };
                let old = from_others
                    .into_iter()
                    .chain([change])
                    .filter_map(|change| Some(change.before?.0));
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
        let read = |path: &BString, side: Option<TreeEntry>| {
            let (id, mode) = side?;
            let path = sound(path.as_bstr(), mode.kind()).ok()?;
            let mut blob = self.gix.find_blob(id).ok()?;
            let path = RelPath::new(&format!("{MEMORIES}{path}"))?;
            Memory::read(&path, &blob.take_data().into()).ok()
        };
        let blob = |side: Option<TreeEntry>| side.map(|(id, _)| id);
        let differs = |change: &&TreeChange| blob(change.before) != blob(change.after);
        let changes = self.raw_changes(before, after)?;
        let sides = |change: &TreeChange| {
            (read(&change.path, change.before), read(&change.path, change.after))
        };
        Ok(changes.iter().filter(differs).map(sides).collect())
    }
}
