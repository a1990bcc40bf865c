//! When so many facts would leave that a mistake is likelier than a wish.
//!
//! Invariant: only facts that leave without a forget by co count.

use crate::identity::{ContentHash, Ledger, Snapshot, ledger::Match};
use std::collections::BTreeSet;

/// A mass deletion that was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MassDeletion {
    /// How many facts would leave.
    pub gone: usize,
    /// How many there were.
    pub of: usize,
}

/// Stops when more than 20 facts and a fifth, or more than half and at least 3, or the last one,
/// would leave.
///
/// `known` is the ledger that says what was forgotten by co: a later line of a memory's text, or of
/// its origin, whatever text it had then.
pub fn guard(before: &Snapshot, after: &Snapshot, known: &Ledger) -> Option<MassDeletion> {
    let (had, have) = (before.memories(), after.memories());
    let texts: BTreeSet<ContentHash> = have.iter().map(|memory| memory.hash).collect();
    let origins: BTreeSet<_> = have.iter().map(|memory| memory.created).collect();
    let left: BTreeSet<ContentHash> = had
        .iter()
        .filter(|memory| !texts.contains(&memory.hash) && !origins.contains(&memory.created))
        .filter(|memory| known.takes(memory, Match::TextOrOrigin).is_none())
        .map(|memory| memory.hash)
        .collect();
    let of: BTreeSet<ContentHash> = had.iter().map(|memory| memory.hash).collect();
    judge(left.len(), of.len(), have.len())
}

/// The rule itself, for callers that count on their own: `gone` facts of `of`, and `left` facts
/// afterwards, new ones among them.
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
        // What was learned since is not gone.
        assert!(judge(1, 1, 1).is_none());
    }
}
