//! The stamps and checksums that a manual edit of a memory gets.
//!
//! Invariant: a new text is later than the one that it replaced, and no stamp is lowered. Must not
//! know: which files there are.

use crate::identity::{Document, Memory, Stamp, value::Value};

/// In microseconds: laptop clocks may be off by days.
const WRONG_CLOCK: i64 = 30 * 86_400 * Stamp::SECOND;

/// Gives an edited text a later `updated` and a fresh checksum, unless it is already stamped.
/// Restoring an older copy of the same text does not lower the stamp: a forget from before it was
/// learned again would remove it. A stamp that no clock can explain may be corrected.
pub(super) fn stamp_edit(found: &Memory, old: &Memory, mtime: Stamp, now: Stamp) -> Memory {
    if found.hash == old.hash {
        let is_older = found.latest() < old.latest() && old.latest() <= now.plus(WRONG_CLOCK);
        return if is_older { found.stamped(old.latest()) } else { found.clone() };
    }
    let stamped = found.updated.is_some_and(|updated| updated > old.latest());
    if stamped && found.checksum != Some(false) {
        return found.clone();
    }
    found.edited(|document| {
        document.set_checksum();
        if !stamped {
            let updated = edit_stamp(old.latest(), mtime, now);
            document.set("updated", Value::Text(updated.with_offset()));
        }
    })
}

/// Adds a checksum to a memory that is in no commit yet. A wrong one means that it was edited by
/// hand after co saved it, which is an edit like any other.
pub(super) fn sum_new(found: &Memory, mtime: Stamp, now: Stamp) -> Memory {
    match found.checksum {
        Some(true) => found.clone(),
        Some(false) => found.edited(|document| {
            document.set_checksum();
            let updated = edit_stamp(found.latest(), mtime, now);
            document.set("updated", Value::Text(updated.with_offset()));
        }),
        None => found.edited(Document::set_checksum),
    }
}

/// The file's mtime, but later than what it replaced and not in the future.
pub(super) fn edit_stamp(old: Stamp, mtime: Stamp, now: Stamp) -> Stamp {
    mtime.min(now).max(old.plus(Stamp::SECOND))
}
