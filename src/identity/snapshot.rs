//! A whole identity as a value: path → bytes.
//!
//! Invariant: a snapshot is complete; a file that is not in it is not there. Blobs are shared, so that cloning is cheap.

use super::{
    ledger::Ledger,
    memory::Memory,
    path::{Kind, LEDGER, RelPath},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, sync::Arc};

/// From so many memories on they are read on all cores.
const MANY: usize = 256;

/// The bytes of one file.
pub type Blob = Arc<[u8]>;

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

    /// Takes a file out.
    pub fn remove(&mut self, path: &RelPath) -> Option<Blob> {
        self.files.remove(path)
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
        let files: Vec<(&RelPath, &Blob)> = self.files.iter().filter(|(path, _)| path.kind() == Kind::Memory).collect();
        let read = |(path, blob): &(&RelPath, &Blob)| Memory::read(path, blob).ok();
        if files.len() < MANY { files.iter().filter_map(read).collect() } else { files.par_iter().filter_map(read).collect() }
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
