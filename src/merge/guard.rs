//! Stops if so many facts would be removed that a mistake is more likely than intent.
//!
//! Invariant: only facts removed without a forget by co count.

use crate::identity::{ContentHash, Ledger, Snapshot};
use serde::Serialize;
use std::collections::BTreeSet;

/// `gone` out of `of` facts would be removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MassDeletion {
    pub gone: usize,
    pub of: usize,
}

/// Stops if more than 20 facts and over a fifth, or at least 3 and more than half, or the last one,
/// would be removed. `known` contains what co forgot, by text or by origin.
pub fn guard(before: &Snapshot, after: &Snapshot, known: &Ledger) -> Option<MassDeletion> {
    let (had, have) = (before.memories(), after.memories());
    let earlier = before.ledger();
    let texts: BTreeSet<ContentHash> = have.iter().map(|memory| memory.hash).collect();
    let origins: BTreeSet<_> = have.iter().map(|memory| memory.created).collect();
    let left: BTreeSet<ContentHash> = had
        .iter()
        .filter(|memory| !texts.contains(&memory.hash) && !origins.contains(&memory.created))
        .filter(|memory| !known.forgets_since(&earlier, memory))
        .map(|memory| memory.hash)
        .collect();
    let of: BTreeSet<ContentHash> = had.iter().map(|memory| memory.hash).collect();
    judge(left.len(), of.len(), have.len())
}

/// The rule for callers that do the counting; `left` is how many facts remain, new ones included.
pub fn judge(gone: usize, of: usize, left: usize) -> Option<MassDeletion> {
    let many = gone > 20 && gone * 5 > of;
    let most = gone >= 3 && gone * 2 > of;
    let last = gone > 0 && left == 0;
    (many || most || last).then_some(MassDeletion { gone, of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds() {
        let stops = |gone, of| judge(gone, of, of - gone).is_some();
        assert!(stops(21, 100) && !stops(20, 100) && !stops(21, 105) && stops(22, 105));
        assert!(stops(3, 5) && !stops(2, 3) && !stops(3, 6));
        assert!(stops(1, 1) && stops(2, 2) && !stops(1, 2) && !stops(0, 0));
        // New facts count towards those left.
        assert!(judge(1, 1, 1).is_none());
    }
}
