//! The facts that replace one which is changed: they go on replacing it.
//!
//! Invariant: what a fact replaces is named by its text, so a change of that text changes the name
//! in every fact of the same store; a fact that was replaced before its change is so after it. Must
//! not know what was changed, or why.

use crate::identity::{
    Calendar, ContentHash, Memory, RelPath, Stamp, current::Dated, times, validate, value::Value,
};
use crate::index::{HeldFacts, store::Store};
use crate::merge::change::FileChange;
use crate::workspace::{Workspace, named};
use std::collections::BTreeMap;

/// The changes of the facts that replace `before`, which becomes `after`, and of those that replace
/// them. Those that it replaces itself from now on, by their texts, do so no more.
pub(super) fn following(
    ws: &Workspace,
    store: &Store,
    (before, after): (&Memory, &Memory),
    replaced: &[ContentHash],
) -> Vec<FileChange> {
    let held = HeldFacts::for_lookup(store, ws);
    let mut changed: BTreeMap<RelPath, (Memory, Memory)> = BTreeMap::new();
    let mut next = vec![(before.clone(), after.clone())];
    while let Some((was, is)) = next.pop() {
        let texts = held.superseding(was.hash).into_iter();
        let others = texts.flat_map(|hash| named::facts_with(hash, store, ws));
        let others = others.map(|placed| placed.memory).filter(|other| other.path != before.path);
        for other in others.filter(|other| !replaced.contains(&other.hash)) {
            let now = changed.get(&other.path).map_or(&other, |(_, now)| now);
            let Some(now) = followed(ws.calendar(), (&other, now), (&was, &is)) else { continue };
            next.push((other.clone(), now.clone()));
            changed.insert(other.path.clone(), (other, now));
        }
    }
    let changed = changed.into_values();
    changed.map(|(other, now)| FileChange::replacing(&other, now.blob)).collect()
}

/// The texts that a fact says it replaces.
pub(super) fn superseded(memory: &Memory) -> &[ContentHash] {
    memory.times.as_deref().map_or(&[], |times| times.supersedes.as_slice())
}

/// Those that one of two facts replaces, without their own: those of the second come first.
pub(super) fn superseded_by(old: &Memory, new: &Memory) -> Vec<ContentHash> {
    let known = superseded(new);
    let is_new = |hash: &&ContentHash| !known.contains(hash) && **hash != new.hash;
    let more = superseded(old).iter().filter(is_new);
    known.iter().chain(more).copied().collect()
}

/// The facts of a store that say that they replace a text, by their paths.
pub(super) fn successors(ws: &Workspace, store: &Store, text: ContentHash) -> Vec<Memory> {
    let held = HeldFacts::for_lookup(store, ws);
    let texts = held.superseding(text).into_iter();
    let facts = texts.flat_map(|hash| named::facts_with(hash, store, ws));
    let facts = facts.map(|placed| placed.memory);
    // Another fact may have the text of one that does.
    let mut facts: Vec<Memory> = facts.filter(|fact| superseded(fact).contains(&text)).collect();
    facts.sort_by(|a, b| a.path.cmp(&b.path));
    facts
}

/// When the last of the facts that replace a text was said.
pub(super) fn last_said(ws: &Workspace, store: &Store, text: ContentHash) -> Option<Stamp> {
    let others = successors(ws, store, text).into_iter();
    others.map(|other| Dated::of(&other, 0).last_said(ws.calendar())).max()
}

/// A fact that replaces one, once that becomes another: the fact as it was, and as it is by now.
/// `None` if nothing changes, or if the list cannot be changed. Only what was later than `before`
/// is made later than `after`, so that no circle goes on for ever.
pub(super) fn followed(
    calendar: &Calendar,
    (other, now): (&Memory, &Memory),
    (before, after): (&Memory, &Memory),
) -> Option<Memory> {
    let last = |memory: &Memory| Dated::of(memory, 0).last_said(calendar);
    let is_earlier = last(other) > last(before) && last(now) <= last(after);
    let mut hashes = now.times.as_deref()?.supersedes.clone();
    let is_renamed = before.hash != after.hash;
    if !hashes.contains(&before.hash) || (!is_earlier && !is_renamed) {
        return None;
    }
    validate::changeable(&now.document(), times::SUPERSEDES).ok()?;
    hashes.retain(|hash| ![before.hash, after.hash].contains(hash));
    hashes.push(after.hash);
    let changed = now.edited(|document| {
        if is_renamed {
            times::set_superseded(document, &hashes);
        }
        if is_earlier {
            let updated = last(after).max(now.latest()).plus(Stamp::SECOND);
            document.set("updated", Value::Text(updated.with_offset()));
        }
    });
    validate::file(&changed.blob).ok()?;
    Some(changed)
}
