//! Makes ids unique: until it is pushed, an id may still change.
//!
//! Invariant: a published id stays with its memory; new memories take the next free numbers, oldest
//! first.

use super::{Decision, Reason, memories};
use crate::identity::{ContentHash, Memory, RelPath, Snapshot, Stamp};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Renumbered {
    pub was: Option<u64>,
    pub id: u64,
    #[serde(skip)]
    pub origin: Stamp,
    pub summary: String,
    /// Whether others know the fact by this number; else its old number was taken.
    pub published: bool,
}

pub struct Assigned {
    pub snapshot: Snapshot,
    pub renumbered: Vec<Renumbered>,
    pub decisions: Vec<Decision>,
}

/// Gives every memory a unique id; ids published in `remote` are kept.
pub fn assign(snapshot: &Snapshot, remote: &Snapshot) -> Assigned {
    let mut all = snapshot.memories();
    let nothing =
        || Assigned { snapshot: snapshot.clone(), renumbered: Vec::new(), decisions: Vec::new() };
    let mut sharing: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    for memory in &all {
        *sharing.entry(memory.id).or_default() += 1;
    }
    let published = published(&all, remote);
    let is_settled = |memory: &Memory| {
        let theirs = published.get(&memory.created).copied().flatten();
        theirs.is_none_or(|theirs| memory.id == Some(theirs))
    };
    let is_unique = sharing.iter().all(|(id, count)| id.is_some() && *count == 1);
    if is_unique && all.iter().all(is_settled) {
        return nothing();
    }
    all.sort_by_key(|a| (a.created, a.hash));
    let to_change = losers(&all, &published);
    let highest = all
        .iter()
        .filter_map(|m| m.id)
        .chain(published.values().filter_map(|id| *id))
        .max()
        .unwrap_or(0);
    let mut used: BTreeSet<u64> = all
        .iter()
        .enumerate()
        .filter(|(at, _)| !to_change.contains(at))
        .filter_map(|(_, m)| m.id)
        .collect();
    let mut next = highest;
    let mut changed = Vec::new();
    for at in to_change {
        let theirs =
            published.get(&all[at].created).copied().flatten().filter(|id| !used.contains(id));
        let published = theirs.is_some();
        let id = theirs.unwrap_or_else(|| {
            next += 1;
            next
        });
        used.insert(id);
        let (was, origin, summary) = (all[at].id, all[at].created, all[at].summary());
        changed.push(Renumbered { was, id, origin, summary, published });
        all[at] = all[at].renumbered(id);
    }
    if changed.is_empty() {
        return nothing();
    }
    rebuild(snapshot, all, changed)
}

type Published = BTreeMap<Stamp, Option<u64>>;

/// The published number of each origin; a fact that inherited a published fact's text has that
/// fact's number.
fn published(all: &[Memory], remote: &Snapshot) -> Published {
    let remote = remote.memories();
    let here: BTreeSet<Stamp> = all.iter().map(|memory| memory.created).collect();
    let orphaned: BTreeMap<ContentHash, Option<u64>> = remote
        .iter()
        .filter(|memory| !here.contains(&memory.created))
        .map(|memory| (memory.hash, memory.id))
        .collect();
    let mut published: Published =
        remote.iter().map(|memory| (memory.created, memory.id)).collect();
    for memory in all {
        if let Some(id) = orphaned.get(&memory.hash) {
            published.entry(memory.created).or_insert(*id);
        }
    }
    published
}

/// Indices of the memories that need another id.
fn losers(all: &[Memory], published: &Published) -> Vec<usize> {
    let theirs = |memory: &Memory| published.get(&memory.created).copied().flatten();
    let is_published = |memory: &Memory| memory.id.is_some() && theirs(memory) == memory.id;
    let kept: BTreeSet<u64> =
        all.iter().filter(|memory| is_published(memory)).filter_map(|memory| memory.id).collect();
    // Numbers of published facts, including facts that have a different number here.
    let claimed: BTreeSet<u64> =
        all.iter().filter_map(theirs).chain(kept.iter().copied()).collect();
    let mut first: BTreeSet<u64> = BTreeSet::new();
    let keeps = |memory: &Memory, first: &mut BTreeSet<u64>| match memory.id {
        None => false,
        Some(_) if is_published(memory) => true,
        // It gets its published number back, unless another memory has it too.
        Some(_) if theirs(memory).is_some_and(|id| !kept.contains(&id)) => false,
        Some(id) => !claimed.contains(&id) && first.insert(id),
    };
    all.iter()
        .enumerate()
        .filter(|(_, memory)| !keeps(memory, &mut first))
        .map(|(at, _)| at)
        .collect()
}

fn rebuild(snapshot: &Snapshot, mut all: Vec<Memory>, renumbered: Vec<Renumbered>) -> Assigned {
    let readable: BTreeSet<RelPath> = snapshot
        .iter()
        .filter(|(path, blob)| path.is_memory() && Memory::read(path, blob).is_ok())
        .map(|(path, _)| path.clone())
        .collect();
    let mut rebuilt: Snapshot = snapshot
        .iter()
        .filter(|(path, _)| !readable.contains(*path))
        .map(|(path, blob)| (path.clone(), blob.clone()))
        .collect();
    let mut decisions: Vec<Decision> = Vec::new();
    memories::distinct_paths(&mut all, &memories::folded(rebuilt.paths()), &mut decisions);
    for change in &renumbered {
        let path = all
            .iter()
            .find(|memory| memory.id == Some(change.id))
            .map(|memory| memory.path.clone());
        let was = match (change.was, change.published) {
            (None, _) => "it had no number".to_owned(),
            (Some(_), true) => "as pushed".to_owned(),
            (Some(was), false) => format!("{was} was taken"),
        };
        decisions.extend(
            path.map(|path| Decision::new(&path, Reason::Ids, format!("now {}; {was}", change.id))),
        );
    }
    for memory in all {
        rebuilt.put(memory.path, memory.blob);
    }
    Assigned { snapshot: rebuilt, renumbered, decisions }
}
