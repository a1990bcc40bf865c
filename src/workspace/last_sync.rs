//! What the last sync left for later calls: when it last met the remote, which files it held back,
//! which ignored files it has named, which numbers facts lost.
//!
//! Invariant: a cache outside the identity. Without it nothing is lost, but numbers that facts lost
//! no longer lead to them, and some messages are repeated or missing.

use crate::identity::{ContentHash, RelPath, Stamp};
use crate::index::store::Store;
use crate::machine::{files, record};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const FILE: &str = "last-sync.json";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Last {
    /// Time of the last successful sync.
    at: Option<String>,
    /// The hashes of the paths that were held back, and of their bytes at the time.
    held: BTreeMap<String, String>,
    /// Renumbered facts of this laptop.
    #[serde(default)]
    moved: Vec<Moved>,
    /// The hashes of the files and folders that a rule ignores, each of which was named once.
    #[serde(default)]
    named: BTreeSet<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Moved {
    was: u64,
    /// The fact's origin, by which it is found whatever its number is now.
    #[serde(default)]
    origin: String,
    at: String,
}

/// How long an old id still resolves to its memory, in seconds.
const REMEMBERED: i64 = 7 * 24 * 3_600;

impl Last {
    pub fn file(store: &Store) -> PathBuf {
        store.state.join(FILE)
    }

    pub fn read(store: &Store) -> Last {
        record::read(&Last::file(store)).unwrap_or_default()
    }

    /// Whether the last sync held back exactly this file.
    pub fn held(&self, store: &Store, path: &RelPath) -> bool {
        let Some(hash) = self.held.get(&hash_of(path)) else { return false };
        let bytes = files::read(&store.root.join(path.as_str())).ok().flatten();
        bytes.is_some_and(|bytes| ContentHash::of_bytes(&bytes).to_string() == *hash)
    }

    /// Whether a sync has said that a rule ignores this file or folder.
    pub(crate) fn has_named(&self, path: &str) -> bool {
        self.named.contains(&hash_of_text(path))
    }

    /// Numbers that facts of this laptop recently had and lost to others, with the facts' origins.
    pub fn moved(&self, now: Stamp) -> Vec<(u64, Stamp)> {
        let recent = self.moved.iter().filter(|moved| moved.is_recent(now));
        recent.filter_map(|moved| Some((moved.was, moved.origin()?))).collect()
    }

    pub fn met_the_remote(&self) -> Option<Stamp> {
        Stamp::parse(self.at.as_deref()?).map(|read| read.stamp)
    }
}

impl Moved {
    fn origin(&self) -> Option<Stamp> {
        Stamp::parse(&self.origin).map(|read| read.stamp)
    }

    fn is_recent(&self, now: Stamp) -> bool {
        Stamp::parse(&self.at)
            .is_some_and(|at| now.micros() - at.stamp.micros() < REMEMBERED * 1_000_000)
    }
}

/// Whoever undoes or redoes a merge has seen which fact has which number.
pub fn settle_numbers(store: &Store) {
    let last = Last::read(store);
    if !last.moved.is_empty() {
        write(store, &Last { moved: Vec::new(), ..last });
    }
}

/// Whoever answers what a merge asks about facts has seen their numbers.
pub fn settle_numbers_of(store: &Store, facts: &BTreeSet<Stamp>) {
    let mut last = Last::read(store);
    let before = last.moved.len();
    last.moved.retain(|moved| moved.origin().is_none_or(|origin| !facts.contains(&origin)));
    if last.moved.len() < before {
        write(store, &last);
    }
}

fn write(store: &Store, last: &Last) {
    if let Ok(bytes) = serde_json::to_vec(last) {
        let _ = files::write_private(&Last::file(store), &bytes);
    }
}

/// `lost` are the numbers that facts of this laptop lost, and their origins.
pub(crate) fn remember(
    store: &Store,
    now: Stamp,
    (held, lost): (BTreeMap<String, String>, &[(u64, Stamp)]),
    (is_published, ignored): (bool, &[String]),
) {
    let before = Last::read(store);
    let at = if is_published { Some(now.to_string()) } else { before.at };
    let mut moved = before.moved;
    moved.retain(|moved| moved.is_recent(now));
    let at_now = now.to_string();
    moved.extend(lost.iter().map(|(was, origin)| Moved {
        was: *was,
        origin: origin.to_string(),
        at: at_now.clone(),
    }));
    let named = ignored.iter().map(|path| hash_of_text(path)).collect();
    write(store, &Last { at, held, moved, named });
}

/// A name may contain a secret as well, and is stored only as a hash.
pub(crate) fn hash_of(path: &RelPath) -> String {
    hash_of_text(path.as_str())
}

fn hash_of_text(path: &str) -> String {
    ContentHash::of_bytes(path.as_bytes()).to_string()
}
