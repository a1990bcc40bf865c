//! Merges the memories of two identities as one collection.
//!
//! Invariant: every memory of either side is in the result, in a text merged from it, or in the
//! ledger, or was deleted since the base.

use super::{
    Decision, Policy, Reason,
    equal_facts::unite,
    forked,
    memory_sides::{ByOrigin, MemorySides},
    versions,
};
use crate::identity::{ContentHash, Memory, RelPath, Stamp, ledger::Match, slug, value::Value};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map::Entry},
};

pub struct MergedMemories {
    pub memories: Vec<Memory>,
    /// Ledger lines for texts that an edit turned into another memory's text.
    pub lines: Vec<(Stamp, ContentHash, Stamp)>,
}

pub fn merge(
    sides: &MemorySides<'_>,
    policy: Policy,
    decisions: &mut Vec<Decision>,
) -> MergedMemories {
    let follower = forked::follow(sides);
    let sides = &follower.sides(sides);
    let origins: BTreeSet<&Stamp> = sides.x.keys().chain(sides.y.keys()).collect();
    let mut merged = Vec::new();
    for origin in origins {
        let base = sides.base.and_then(|base| base.get(origin));
        match (sides.x.get(origin), sides.y.get(origin)) {
            (Some(x), Some(y)) => {
                let base = base.or_else(|| sides.past.get(origin));
                merged.extend(versions::merge(base, x, y, policy, decisions));
            }
            (Some(one), None) | (None, Some(one))
                if base.is_none_or(|base| base.blob != one.blob) =>
            {
                merged.push(one.clone())
            }
            _ => {}
        }
    }
    let (merged, mut vanished) = without_forgotten(sides, merged, policy, decisions);
    let forked = forked::off(sides, &merged);
    let merged = distinct_origins(merged, sides.base.unwrap_or(&ByOrigin::new()), decisions);
    let (mut merged, lost) = one_per_fact(merged, |memory| sides.before(memory), decisions);
    vanished.extend(lost.iter().map(|(loser, _)| loser.clone()));
    forked::give_back_origins(&forked, &vanished, &mut merged);
    let lines = edited_away(sides, &merged, &vanished);
    for (loser, keeper) in lost {
        decisions.push(Decision::new(
            &keeper.path,
            Reason::SameFact,
            format!(
                "the same fact as {}: kept the older one, with the tags of both",
                loser.path.name()
            ),
        ));
    }
    distinct_paths(&mut merged, sides.taken, decisions);
    MergedMemories { memories: merged, lines }
}

impl MemorySides<'_> {
    /// The version that tells which items a memory adds when it is merged into another: if only
    /// one side still has it, the base's. Otherwise all its items count.
    fn before(&self, memory: &Memory) -> Option<&Memory> {
        let on_both = self.x.contains_key(&memory.created) && self.y.contains_key(&memory.created);
        self.base.and_then(|base| base.get(&memory.created)).filter(|_| !on_both)
    }
}

/// When an edit turns a memory into another's text or a forgotten one, its earlier text gets a
/// ledger line just after its last stamp; otherwise a side that still has it would bring it back.
fn edited_away(
    sides: &MemorySides<'_>,
    kept: &[Memory],
    vanished: &[Memory],
) -> Vec<(Stamp, ContentHash, Stamp)> {
    let alive: BTreeSet<ContentHash> = kept.iter().map(|memory| memory.hash).collect();
    let line = |loser: &Memory| {
        let base = sides
            .base?
            .get(&loser.created)
            .filter(|base| base.hash != loser.hash && !alive.contains(&base.hash))?;
        let versions = [Some(base), sides.x.get(&loser.created), sides.y.get(&loser.created)];
        let last = versions
            .into_iter()
            .flatten()
            .filter(|version| version.hash == base.hash)
            .map(|version| version.latest())
            .max()?;
        Some((base.created, base.hash, last.plus(1)))
    };
    vanished.iter().filter_map(line).collect()
}

/// Drops memories that were forgotten after their last stamp. Returns the kept and the dropped.
fn without_forgotten(
    sides: &MemorySides<'_>,
    memories: Vec<Memory>,
    policy: Policy,
    decisions: &mut Vec<Decision>,
) -> (Vec<Memory>, Vec<Memory>) {
    if policy == Policy::RestoreForgotten {
        return (memories, Vec::new());
    }
    let how = if sides.base.is_some() { Match::Text } else { Match::TextOrOrigin };
    let untouched = |memory: &Memory| {
        let same = |side: Option<&ByOrigin>| {
            side.and_then(|side| side.get(&memory.created)).is_some_and(|m| m.blob == memory.blob)
        };
        same(sides.base)
            && same(Some(sides.x))
            && same(Some(sides.y))
            && sides.old_ledger.takes(memory, how).is_some()
    };
    // One side edited the memory to this text and the other forgot the text, neither aware of the
    // other: clocks that may differ must not decide between them, so the fact stays.
    let edited_to = |memory: &Memory| {
        let base = sides.base.and_then(|base| base.get(&memory.created));
        base.is_some_and(|base| base.hash != memory.hash)
            && sides.old_ledger.takes(memory, how).is_none()
    };
    let (mut kept, mut taken) = (Vec::new(), Vec::new());
    for memory in memories {
        match sides.ledger.takes(&memory, how) {
            Some(stamp) if edited_to(&memory) => {
                kept.push(memory.stamped(stamp.plus(Stamp::SECOND)))
            }
            Some(stamp) if !untouched(&memory) => {
                let when = sides.calendar.minute(stamp);
                let why = format!("forgotten {when}: `{}`", memory.summary());
                decisions.push(Decision::new(&memory.path, Reason::Forgotten, why));
                taken.push(memory);
            }
            _ => kept.push(memory),
        }
    }
    (kept, taken)
}

/// Several files with one `created`: the one with the reference's text, or else with its path,
/// keeps it; the others become memories of their own.
pub fn distinct_origins(
    mut memories: Vec<Memory>,
    reference: &ByOrigin,
    decisions: &mut Vec<Decision>,
) -> Vec<Memory> {
    memories.sort_by_key(|memory| memory.created);
    if memories.windows(2).all(|pair| pair[0].created != pair[1].created) {
        return memories;
    }
    let mut groups: BTreeMap<Stamp, Vec<Memory>> = BTreeMap::new();
    for memory in memories {
        groups.entry(memory.created).or_default().push(memory);
    }
    let mut used: BTreeSet<Stamp> = groups.keys().copied().collect();
    let mut distinct = Vec::new();
    for (origin, group) in groups {
        let old = reference.get(&origin);
        let mut group = one_text_each(group, old, decisions);
        group.sort_by_key(|memory| {
            (
                old.is_none_or(|old| old.hash != memory.hash),
                old.is_none_or(|old| old.path != memory.path),
                memory.hash,
                memory.path.clone(),
            )
        });
        let mut group = group.into_iter();
        distinct.extend(group.next());
        for copy in group {
            let mut created = origin.with_fraction(copy.hash.fraction());
            while !used.insert(created) {
                created = created.plus(1);
            }
            let path = copy.path.clone();
            distinct
                .push(Memory { path, ..with_checksum(&versions::with_new_origin(&copy, created)) });
        }
    }
    distinct
}

/// An edited copy still has the checksum of its original, so it gets a new one.
fn with_checksum(memory: &Memory) -> Memory {
    if memory.document().checksum_holds() != Some(false) {
        return memory.clone();
    }
    memory.edited(|document| {
        let hash = document.hash();
        document.set("checksum", Value::Text(hash.to_string()));
    })
}

fn one_text_each(
    group: Vec<Memory>,
    old: Option<&Memory>,
    decisions: &mut Vec<Decision>,
) -> Vec<Memory> {
    let mut texts: BTreeMap<ContentHash, Memory> = BTreeMap::new();
    let mut sorted = group;
    sorted
        .sort_by_key(|memory| (old.is_none_or(|old| old.path != memory.path), memory.path.clone()));
    for memory in sorted {
        match texts.entry(memory.hash) {
            Entry::Vacant(slot) => {
                slot.insert(memory);
            }
            Entry::Occupied(mut slot) => {
                let united = unite(slot.get(), &memory, None, decisions);
                slot.insert(united);
            }
        }
    }
    texts.into_values().collect()
}

/// Of memories with the same text, the earliest stays. Returns the remaining ones, and
/// each loser with its keeper; the keeper gets no item of a loser that its version `before` had.
pub fn one_per_fact<'a>(
    mut memories: Vec<Memory>,
    before: impl Fn(&Memory) -> Option<&'a Memory>,
    decisions: &mut Vec<Decision>,
) -> (Vec<Memory>, Vec<(Memory, Memory)>) {
    memories.sort_by(|a, b| (a.created, a.id, &a.path).cmp(&(b.created, b.id, &b.path)));
    let mut kept: Vec<Memory> = Vec::new();
    let mut at: HashMap<ContentHash, usize> = HashMap::new();
    let mut lost = Vec::new();
    for memory in memories {
        match at.get(&memory.hash) {
            Some(&first) => {
                kept[first] = unite(&kept[first], &memory, before(&memory), decisions);
                lost.push((memory, kept[first].clone()));
            }
            None => {
                at.insert(memory.hash, kept.len());
                kept.push(memory);
            }
        }
    }
    (kept, lost)
}

/// Of memories with one path, the oldest keeps it; the others get part of their hash as a suffix.
pub fn distinct_paths(
    memories: &mut [Memory],
    taken: &BTreeSet<String>,
    decisions: &mut Vec<Decision>,
) {
    memories.sort_by_key(|a| (a.created, a.hash));
    if have_own_paths(memories, taken) {
        return;
    }
    let mut used: HashSet<String> = taken.iter().cloned().collect();
    for memory in memories {
        let wanted = memory.path.clone();
        let mut digits = 6;
        while !used.insert(memory.path.folded()) {
            memory.path = slug::with_suffix(&wanted, &memory.hash.short(digits));
            digits += 6;
        }
        if memory.path != wanted {
            decisions.push(Decision::new(
                &memory.path,
                Reason::Paths,
                format!("{} is the path of an older memory", wanted.name()),
            ));
        }
    }
}

/// Whether no two files have one path on any system.
fn have_own_paths(memories: &[Memory], taken: &BTreeSet<String>) -> bool {
    let mut used: HashSet<Cow<'_, str>> = HashSet::with_capacity(memories.len() + taken.len());
    used.extend(taken.iter().map(|path| Cow::Borrowed(path.as_str())));
    memories.iter().all(|memory| used.insert(memory.path.as_folded()))
}

/// Without decisions: those on copies are made when their files are tidied.
pub fn by_origin(memories: Vec<Memory>, reference: &ByOrigin) -> ByOrigin {
    distinct_origins(memories, reference, &mut Vec::new())
        .into_iter()
        .map(|memory| (memory.created, memory))
        .collect()
}

pub fn folded<'a>(paths: impl Iterator<Item = &'a RelPath>) -> BTreeSet<String> {
    paths.map(RelPath::folded).collect()
}
