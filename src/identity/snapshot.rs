//! A whole identity as a value: path → bytes, with their facts.
//!
//! Invariant: a snapshot is complete; a file that is not in it does not exist.

use super::{blob::Blob, kind::LEDGER, ledger::Ledger, memory::Memory, path::RelPath};
use rayon::prelude::*;
use std::{cmp::Ordering, collections::BTreeMap};

/// With this many memories or more, they are read on all cores.
const MANY: usize = 256;

/// A changed file: of an identity or a project by its path there, any other by its path on the
/// machine or in a repository. `C` is its content: the bytes, or what names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange<P = RelPath, C = Blob> {
    pub path: P,
    /// `None` when the file is new.
    pub before: Option<C>,
    /// `None` when the file is deleted.
    pub after: Option<C>,
}

impl<P, C> FileChange<P, C> {
    pub fn reversed(self) -> FileChange<P, C> {
        FileChange { path: self.path, before: self.after, after: self.before }
    }
}

impl<P> FileChange<P> {
    /// A change of texts; `None` for a file that does not, or shall not, exist.
    pub fn of_text(path: P, before: Option<String>, after: Option<String>) -> FileChange<P> {
        let blob = |text: Option<String>| text.map(|text| Blob::from(text.into_bytes()));
        FileChange { path, before: blob(before), after: blob(after) }
    }
}

impl FileChange {
    pub fn replacing(memory: &Memory, after: Blob) -> FileChange {
        FileChange { after: Some(after), ..FileChange::removing(memory) }
    }

    /// The fact in the file before and after; `None` where it is none.
    pub fn facts(&self) -> [Option<Memory>; 2] {
        let is_fact = self.path.is_memory();
        [&self.before, &self.after]
            .map(|side| Memory::read(&self.path, side.as_ref().filter(|_| is_fact)?).ok())
    }

    pub fn removing(memory: &Memory) -> FileChange {
        FileChange { path: memory.path.clone(), before: Some(memory.blob.clone()), after: None }
    }
}

#[derive(Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    files: BTreeMap<RelPath, Blob>,
}

impl Snapshot {
    pub fn get(&self, path: &RelPath) -> Option<&Blob> {
        self.files.get(path)
    }

    pub fn put(&mut self, path: RelPath, blob: impl Into<Blob>) {
        self.files.insert(path, blob.into());
    }

    /// As [`Snapshot::put`] for each, but fast for many.
    pub fn put_each(&mut self, files: impl Iterator<Item = (RelPath, Blob)>) {
        self.files = std::mem::take(&mut self.files).into_iter().chain(files).collect();
    }

    pub fn put_all(&mut self, other: &Snapshot) {
        for (path, blob) in other.iter() {
            self.put(path.clone(), blob.clone());
        }
    }

    /// Takes the other's blob for each file that is the same there, so that what both have is
    /// parsed once.
    pub fn share(&mut self, other: &Snapshot) {
        for (path, blob) in &mut self.files {
            if let Some(theirs) = other.get(path).filter(|theirs| **theirs == *blob) {
                *blob = theirs.clone();
            }
        }
    }

    /// Sets the file, or removes it for `None`.
    pub fn set(&mut self, path: &RelPath, blob: Option<&Blob>) {
        match blob {
            Some(blob) => self.put(path.clone(), blob.clone()),
            None => {
                self.remove(path);
            }
        }
    }

    pub fn remove(&mut self, path: &RelPath) -> Option<Blob> {
        self.files.remove(path)
    }

    /// The files that differ, in path order. Both sides are walked once, and nothing is looked up.
    pub fn changes_to(&self, after: &Snapshot) -> Vec<FileChange> {
        let (mut olds, mut news) = (self.files.iter().peekable(), after.files.iter().peekable());
        let mut changes = Vec::new();
        loop {
            let order = match (olds.peek(), news.peek()) {
                (Some((old, _)), Some((new, _))) => old.cmp(new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return changes,
            };
            let old = if order.is_le() { olds.next() } else { None };
            let new = if order.is_ge() { news.next() } else { None };
            let (before, after) = (old.map(|(_, blob)| blob), new.map(|(_, blob)| blob));
            if let (Some((path, _)), true) = (old.or(new), before != after) {
                let (before, after) = (before.cloned(), after.cloned());
                changes.push(FileChange { path: path.clone(), before, after });
            }
        }
    }

    pub fn only(&self, keep: impl Fn(&RelPath, &Blob) -> bool) -> Snapshot {
        let kept = self.iter().filter(|(path, blob)| keep(path, blob));
        kept.map(|(path, blob)| (path.clone(), blob.clone())).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&RelPath, &Blob)> {
        self.files.iter()
    }

    pub fn paths(&self) -> impl Iterator<Item = &RelPath> {
        self.files.keys()
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// In path order; files that are not readable memories are left out.
    pub fn memories(&self) -> Vec<Memory> {
        let files: Vec<(&RelPath, &Blob)> =
            self.files.iter().filter(|(path, _)| path.is_memory()).collect();
        let read = |(path, blob): &(&RelPath, &Blob)| Memory::read(path, blob).ok();
        if files.len() < MANY {
            files.iter().filter_map(read).collect()
        } else {
            files.par_iter().filter_map(read).collect()
        }
    }

    /// Empty if there is no ledger file.
    pub fn ledger(&self) -> Ledger {
        self.get(&RelPath::known(LEDGER)).map(|blob| Ledger::read(blob)).unwrap_or_default()
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (path, blob) in self.iter() {
            writeln!(f, "== {path}\n{}", String::from_utf8_lossy(blob))?;
        }
        Ok(())
    }
}

impl FromIterator<(RelPath, Blob)> for Snapshot {
    fn from_iter<I: IntoIterator<Item = (RelPath, Blob)>>(files: I) -> Snapshot {
        Snapshot { files: files.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(files: &str) -> Snapshot {
        let file = |file: &str| {
            let (path, text) = file.split_once('=').expect("a path and a text");
            (RelPath::known(path), Blob::from(text))
        };
        files.split_whitespace().map(file).collect()
    }

    #[test]
    fn changes_are_what_a_look_at_each_path_finds() {
        let all =
            ["", "a=1", "a=2", "b=1", "a=1 b=1", "a=1 b=2 c=3", "c=3", "a/b=1 a=1 z=0", "z=1"];
        for (old, new) in all.iter().flat_map(|old| all.iter().map(move |new| (*old, *new))) {
            let (before, after) = (snapshot(old), snapshot(new));
            let mut paths: Vec<&RelPath> = before.paths().chain(after.paths()).collect();
            paths.sort();
            paths.dedup();
            let change = |path: &RelPath| FileChange {
                path: path.clone(),
                before: before.get(path).cloned(),
                after: after.get(path).cloned(),
            };
            let looked_up = paths.into_iter().map(change);
            let looked_up: Vec<FileChange> =
                looked_up.filter(|change| change.before != change.after).collect();
            assert_eq!(before.changes_to(&after), looked_up, "{old:?} to {new:?}");
        }
    }
}
