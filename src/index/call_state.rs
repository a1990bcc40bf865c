//! What one call knows of the indexes that it read: the connections it shares, and how far each
//! index was compared with the files of its store.
//!
//! Invariant: a new call knows nothing; after files were written, it forgets what it compared.

use super::{Store, database::Call};
use crate::machine::Context;
use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// How far the index of a store was compared with its files in this call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Compared {
    Facts,
    All,
}

#[derive(Default)]
pub struct CallState {
    pub call: Call,
    /// How far each store was, by root.
    compared: Mutex<BTreeMap<PathBuf, Compared>>,
    /// The version of the index with which the facts of each were compared last, by root.
    facts_at: Mutex<BTreeMap<PathBuf, u64>>,
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CallState {
    /// That of the call in this context.
    pub fn of(context: &Context) -> &CallState {
        context.kept.get()
    }

    pub(super) fn is_compared(&self, store: &Store, far: Compared) -> bool {
        locked(&self.compared).get(&store.root).is_some_and(|done| *done >= far)
    }

    pub(super) fn set_compared(&self, store: &Store, far: Compared) {
        let mut all = locked(&self.compared);
        let done = all.entry(store.root.clone()).or_insert(far);
        *done = far.max(*done);
    }

    /// Whether the facts were compared with this version of the index.
    pub(super) fn has_facts_at(&self, store: &Store, version: u64) -> bool {
        locked(&self.facts_at).get(&store.root) == Some(&version)
    }

    pub(super) fn set_facts_at(&self, store: &Store, version: u64) {
        locked(&self.facts_at).insert(store.root.clone(), version);
    }

    /// After files were written, or in a call that goes on while others write.
    pub fn forget_compared(&self) {
        self.doubt_compared();
        locked(&self.facts_at).clear();
    }

    /// When another co may have written, which the version of the index or its folders tell.
    pub fn doubt_compared(&self) {
        locked(&self.compared).clear();
    }
}
