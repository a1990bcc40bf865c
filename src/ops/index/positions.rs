//! Maps ids of texts to positions in a corpus.
//!
//! Invariant: an id that is not in the corpus has no position.

use super::placed::Place;

/// The position of each text by its id, or `NONE`.
pub(super) struct Positions(Vec<u32>);

const NONE: u32 = u32::MAX;

impl Positions {
    pub(super) fn of(places: &[Place]) -> Positions {
        let past = places.iter().filter_map(|place| usize::try_from(place.id).ok()).max();
        let mut positions = vec![NONE; past.map_or(0, |last| last + 1)];
        for (place, at) in places.iter().zip(0..) {
            let id = usize::try_from(place.id).ok();
            if let Some(position) = id.and_then(|id| positions.get_mut(id)) {
                *position = at;
            }
        }
        Positions(positions)
    }

    pub(super) fn of_id(&self, id: i64) -> Option<u32> {
        let at = self.0.get(usize::try_from(id).ok()?).copied()?;
        (at != NONE).then_some(at)
    }
}
