//! The facts that replace one which is changed: they go on replacing it.
//!
//! Invariant: what a fact replaces is named by its text, so a change of that text changes the name
//! in every fact of the same store; a fact that was replaced before its change is so after it. Must
//! not know what was changed, or why.

use crate::identity::{
    Calendar, ContentHash, Memory, Stamp, Which, current::Dated, times, validate, value::Value,
};
use crate::index::{HeldFacts, store::Store};
use crate::merge::change::FileChange;
use crate::workspace::{Workspace, named};

/// The changes of the facts that replace `before`, which becomes `after`. Those that it replaces
/// itself from now on, by their texts, do so no more.
pub(super) fn following(
    ws: &Workspace,
    store: &Store,
    (before, after): (&Memory, &Memory),
    replaced: &[ContentHash],
) -> Vec<FileChange> {
    let held = HeldFacts::of_stores(&[store], Which::All, ws);
    let texts = held.superseding(before.hash).into_iter();
    let others = texts.flat_map(|hash| named::facts_with(hash, store, ws));
    let others = others.map(|placed| placed.memory).filter(|other| other.path != before.path);
    let others = others.filter(|other| !replaced.contains(&other.hash));
    let change = |other: Memory| {
        let changed = followed(ws.calendar(), &other, (before, after))?;
        Some(FileChange::replacing(&other, changed.blob))
    };
    others.filter_map(change).collect()
}

/// A fact that replaces one, once that becomes another. `None` if nothing changes, or if the list
/// cannot be changed.
pub(super) fn followed(
    calendar: &Calendar,
    other: &Memory,
    (before, after): (&Memory, &Memory),
) -> Option<Memory> {
    let last = |memory: &Memory| Dated::of(memory, 0).last_said(calendar);
    let (is_later, is_renamed) = (last(other) > last(before), before.hash != after.hash);
    if !is_later && !is_renamed {
        return None;
    }
    validate::changeable(&other.document(), times::SUPERSEDES).ok()?;
    let mut hashes = other.times.as_deref()?.supersedes.clone();
    if !hashes.contains(&before.hash) {
        return None;
    }
    hashes.retain(|hash| *hash != before.hash);
    hashes.push(after.hash);
    let changed = other.edited(|document| {
        if is_renamed {
            times::set_superseded(document, &hashes);
        }
        if is_later {
            let updated = last(after).max(other.latest()).plus(Stamp::SECOND);
            document.set("updated", Value::Text(updated.with_offset()));
        }
    });
    validate::file(&changed.blob).ok()?;
    Some(changed)
}
