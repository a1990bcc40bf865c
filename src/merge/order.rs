//! The order of merged items: frontmatter keys, entries of a body.
//!
//! Invariant: the order does not depend on which side is called ours, and merging a side in again
//! keeps it.

use std::{cmp::Ordering, collections::BTreeSet};

/// Orders `kept` by the side that has all of them, or else by the newer side, with the other's
/// extras after their predecessors. `rank` compares the `updated` of `x` and `y`.
pub fn arrange<K: Ord + Clone>(kept: &BTreeSet<K>, x: &[K], y: &[K], rank: Ordering) -> Vec<K> {
    let of =
        |side: &[K]| -> Vec<K> { side.iter().filter(|key| kept.contains(key)).cloned().collect() };
    let (x, y) = (of(x), of(y));
    let x_leads = match (x.len() == kept.len(), y.len() == kept.len()) {
        (true, false) => true,
        (false, true) => false,
        _ => rank.then_with(|| x.cmp(&y)).is_ge(),
    };
    let (mut order, other) = if x_leads { (x, y) } else { (y, x) };
    let mut at = 0;
    for key in other {
        match order.iter().position(|known| *known == key) {
            Some(position) => at = position + 1,
            None => {
                order.insert(at, key);
                at += 1;
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extras_follow_their_predecessor() {
        let kept: BTreeSet<u8> = [1, 2, 3, 8, 9].into();
        assert_eq!(arrange(&kept, &[1, 2, 9], &[1, 8, 2, 3], Ordering::Greater), [1, 8, 2, 3, 9]);
        assert_eq!(arrange(&kept, &[1, 8, 2, 3], &[1, 2, 9], Ordering::Less), [1, 8, 2, 3, 9]);
    }
}
