//! Forks: when both sides edit one memory, the newer edit keeps its identity (`created`) and the
//! older becomes a separate memory.
//!
//! Invariant: an edit follows the text that it was made from, wherever that text is now; a text
//! gets its origin back when the memory that kept it disappears.

use super::{
    memory_sides::{ByOrigin, MemorySides},
    versions,
};
use crate::identity::{ContentHash, Memory, Stamp, value::Value};
use std::collections::BTreeMap;

/// The sides with edits moved to where their texts went; `None` for a side that did not change.
pub(super) struct Followed {
    base: Option<ByOrigin>,
    x: Option<ByOrigin>,
    y: Option<ByOrigin>,
}

impl Followed {
    pub(super) fn sides<'a>(&'a self, sides: &MemorySides<'a>) -> MemorySides<'a> {
        MemorySides {
            base: self.base.as_ref().or(sides.base),
            x: self.x.as_ref().unwrap_or(sides.x),
            y: self.y.as_ref().unwrap_or(sides.y),
            ..*sides
        }
    }
}

/// The other side's newer edit took an origin, and the old text became a new memory there;
/// meanwhile this side edited that text. The edit belongs to the new memory: coffee → tea here,
/// coffee → water there, tea → green tea here gives water and green tea, not three drinks.
pub(super) fn follow(sides: &MemorySides<'_>) -> Followed {
    let mut followed = Followed { base: None, x: None, y: None };
    let Some(base) = sides.base else { return followed };
    let of_x = moved(base, sides.x, sides.y);
    let of_y = moved(base, sides.y, sides.x);
    if of_x.is_empty() && of_y.is_empty() {
        return followed;
    }
    let mut new_base = base.clone();
    let mut carry = |side: &ByOrigin, moves: Vec<FollowedEdit>| {
        let mut side = side.clone();
        for step in moves {
            side.insert(step.from.created, step.from.clone());
            side.insert(step.edit.created, step.edit);
            new_base.insert(step.base.created, step.base);
        }
        side
    };
    followed.x = Some(carry(sides.x, of_x));
    followed.y = Some(carry(sides.y, of_y));
    followed.base = Some(new_base);
    followed
}

struct FollowedEdit {
    /// What the edit was made from.
    from: Memory,
    /// The same text as a version of its new memory: the base of both sides' changes.
    base: Memory,
    /// The edit, as a version of that new memory.
    edit: Memory,
}

fn moved(base: &ByOrigin, here: &ByOrigin, there: &ByOrigin) -> Vec<FollowedEdit> {
    let step = |old: &Memory| -> Option<FollowedEdit> {
        let (edit, other) = (here.get(&old.created)?, there.get(&old.created)?);
        if edit.blob == old.blob || other.hash == old.hash || edit.hash == other.hash {
            return None;
        }
        let origin = versions::of_its_own(old).created;
        let spun = there.get(&origin).filter(|spun| spun.hash == old.hash)?;
        if base.contains_key(&origin) || here.contains_key(&origin) {
            return None;
        }
        let there = |memory: &Memory| {
            let written = Value::Text(spun.created_text());
            let moved = memory.edited(|document| document.set("created", written));
            let path = if memory.path == old.path { &spun.path } else { &memory.path };
            Memory { path: path.clone(), ..moved }
        };
        Some(FollowedEdit { from: old.clone(), base: there(old), edit: there(edit) })
    };
    // Fast path: as in most merges, the other side has nothing that is new to the base.
    if there.keys().all(|origin| base.contains_key(origin)) {
        return Vec::new();
    }
    base.values().filter_map(step).collect()
}

/// A text that lost its origin to the other side's edit: its new origin, and its former memory.
pub(super) struct Forked {
    created: Stamp,
    was: Memory,
}

pub(super) fn off(sides: &MemorySides<'_>, merged: &[Memory]) -> Vec<Forked> {
    let known = |origin: &Stamp| sides.x.contains_key(origin) || sides.y.contains_key(origin);
    let fresh: Vec<&Memory> = merged.iter().filter(|memory| !known(&memory.created)).collect();
    if fresh.is_empty() {
        return Vec::new();
    }
    // Those of `x` first.
    let hashes = fresh.iter().map(|memory| (memory.hash, Vec::new()));
    let mut by_hash: BTreeMap<ContentHash, Vec<&Memory>> = hashes.collect();
    for old in sides.x.values().chain(sides.y.values()) {
        if let Some(same) = by_hash.get_mut(&old.hash) {
            same.push(old);
        }
    }
    let was = |memory: &Memory| {
        let same = by_hash.get(&memory.hash)?;
        same.iter().find(|old| versions::of_its_own(old).created == memory.created).copied()
    };
    let off = |memory: &Memory| Some(Forked { created: memory.created, was: was(memory)?.clone() });
    fresh.into_iter().filter_map(off).collect()
}

/// If the text that kept an origin was merged into another memory or forgotten, the text that lost
/// the origin gets it back, so that a side that still has it there finds it under that origin.
pub(super) fn give_back_origins(spun: &[Forked], vanished: &[Memory], merged: &mut [Memory]) {
    for off in
        spun.iter().filter(|off| vanished.iter().any(|memory| memory.created == off.was.created))
    {
        let free = !merged.iter().any(|memory| memory.created == off.was.created);
        if let (true, Some(memory)) =
            (free, merged.iter_mut().find(|memory| memory.created == off.created))
        {
            let written = off.was.created_text();
            *memory = memory.edited(|document| document.set("created", Value::Text(written)));
            memory.path = off.was.path.clone();
        }
    }
}
