//! When so many facts would leave that a mistake is likelier than a wish.
//!
//! Invariant: only facts that leave without a forget by co count.

use crate::identity::{ContentHash, Ledger, Snapshot};
use std::collections::BTreeSet;

/// A mass deletion that was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MassDeletion {
    /// How many facts would leave.
    pub gone: usize,
    /// How many there were.
    pub of: usize,
}

/// Stops when more than 20 facts and a fifth, or more than half and at least 3, or the last one, would leave.
///
/// `known` is the ledger before this step: what it names was forgotten by co.
pub fn guard(before: &Snapshot, after: &Snapshot, known: &Ledger) -> Option<MassDeletion> {
    let facts = |snapshot: &Snapshot| -> BTreeSet<ContentHash> { snapshot.memories().iter().map(|memory| memory.hash).collect() };
    let (had, have) = (before.memories(), facts(after));
    let origins: BTreeSet<_> = after.memories().iter().map(|memory| memory.created).collect();
    let left: BTreeSet<ContentHash> = had
        .iter()
        .filter(|memory| !have.contains(&memory.hash) && !origins.contains(&memory.created))
        .filter(|memory| known.takes(memory, crate::identity::ledger::Match::Text).is_none())
        .map(|memory| memory.hash)
        .collect();
    judge(left.len(), facts(before).len())
}

/// The rule itself, for callers that count on their own.
pub fn judge(gone: usize, of: usize) -> Option<MassDeletion> {
    let many = gone > 20 && gone * 5 > of;
    let most = gone >= 3 && gone * 2 > of;
    let last = gone > 0 && gone == of;
    (many || most || last).then_some(MassDeletion { gone, of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds() {
        let stops = |gone, of| judge(gone, of).is_some();
        assert!(stops(21, 100) && !stops(20, 100) && !stops(21, 105) && stops(22, 105));
        assert!(stops(3, 5) && !stops(2, 3) && !stops(3, 6));
        assert!(stops(1, 1) && stops(2, 2) && !stops(1, 2) && !stops(0, 0));
    }
}
