//! A whole identity as a value: path → bytes and what is in them.
//!
//! Invariant: a snapshot is complete; a file that is not in it is not there.

use super::{blob::Blob, kind::LEDGER, ledger::Ledger, memory::Memory, path::RelPath};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// From so many memories on they are read on all cores.
const MANY: usize = 256;

/// One file before and after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// The file.
    pub path: RelPath,
    /// Its bytes before; `None` when it was not there.
    pub before: Option<Blob>,
    /// Its bytes after; `None` when it is gone.
    pub after: Option<Blob>,
}

/// Every file of an identity.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    files: BTreeMap<RelPath, Blob>,
}

impl Snapshot {
    /// The bytes at a path.
    pub fn get(&self, path: &RelPath) -> Option<&Blob> {
        self.files.get(path)
    }

    /// Puts a file.
    pub fn put(&mut self, path: RelPath, blob: impl Into<Blob>) {
        self.files.insert(path, blob.into());
    }

    /// Puts every file of another snapshot.
    pub fn put_all(&mut self, other: &Snapshot) {
        for (path, blob) in other.iter() {
            self.put(path.clone(), blob.clone());
        }
    }

    /// Makes a path hold what it holds elsewhere: these bytes, or nothing.
    pub fn set(&mut self, path: &RelPath, blob: Option<&Blob>) {
        match blob {
            Some(blob) => self.put(path.clone(), blob.clone()),
            None => {
                self.remove(path);
            }
        }
    }

    /// Takes a file out.
    pub fn remove(&mut self, path: &RelPath) -> Option<Blob> {
        self.files.remove(path)
    }

    /// The files that a rule keeps.
    pub fn only(&self, keep: impl Fn(&RelPath, &Blob) -> bool) -> Snapshot {
        let kept = self.iter().filter(|(path, blob)| keep(path, blob));
        kept.map(|(path, blob)| (path.clone(), blob.clone())).collect()
    }

    /// Every file in path order.
    pub fn iter(&self) -> impl Iterator<Item = (&RelPath, &Blob)> {
        self.files.iter()
    }

    /// Every path in order.
    pub fn paths(&self) -> impl Iterator<Item = &RelPath> {
        self.files.keys()
    }

    /// How many files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file at all.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The memories that can be read, in path order; broken ones are left out.
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

    /// The ledger of forgotten facts; empty when there is none.
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
