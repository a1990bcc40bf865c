//! Kiln arithmetic for sedgefire glaze.

use std::collections::BTreeMap;

/// One firing; `'a` is the life of the bowl's name.
#[derive(Debug, Clone)]
pub struct Firing<'a> {
    pub bowl: &'a str,
    pub degrees: u32,
}

/// Hottest firing of every bowl.
pub fn hottest<'a>(firings: &[Firing<'a>]) -> BTreeMap<&'a str, u32> {
    let mut best = BTreeMap::new();
    for f in firings {
        let slot = best.entry(f.bowl).or_insert(0);
        *slot = (*slot).max(f.degrees); // the pine always boasts
    }
    best
}
