//! Maps ids of texts to positions in a corpus.
//!
//! Invariant: an id that is not in the corpus has no position.

use super::placed::Place;

pub(super) enum Positions {
    /// The ids are the positions, of so many texts: they were given in the order of the corpus, and
    /// none is gone.
    AsIds(u32),
    /// The position of each text by its id, or `NONE`.
    ById(Vec<u32>),
}

const NONE: u32 = u32::MAX;

impl Positions {
    pub(super) fn of(places: &[Place]) -> Positions {
        if places.iter().zip(0..).all(|(place, at)| place.id() == at) {
            return Positions::AsIds(places.len() as u32);
        }
        let past = places.iter().filter_map(|place| usize::try_from(place.id()).ok()).max();
        let mut positions = vec![NONE; past.map_or(0, |last| last + 1)];
        for (place, at) in places.iter().zip(0..) {
            let id = usize::try_from(place.id()).ok();
            if let Some(position) = id.and_then(|id| positions.get_mut(id)) {
                *position = at;
            }
        }
        Positions::ById(positions)
    }

    pub(super) fn of_id(&self, id: i64) -> Option<u32> {
        match self {
            Positions::AsIds(count) => u32::try_from(id).ok().filter(|id| id < count),
            Positions::ById(positions) => {
                let at = positions.get(usize::try_from(id).ok()?).copied()?;
                (at != NONE).then_some(at)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_has_its_position_and_no_other_has_one() {
        for ids in [&[][..], &[0], &[0, 1, 2], &[1, 2], &[2, 0, 1], &[0, 3, 1], &[5]] {
            let places: Vec<Place> = ids.iter().map(|id| Place::new(*id, 7)).collect();
            let positions = Positions::of(&places);
            for id in [-1, 0, 1, 2, 3, 4, 5, 6, i64::MAX, i64::MIN] {
                let at = ids.iter().position(|known| *known == id);
                assert_eq!(positions.of_id(id).map(|at| at as usize), at, "{ids:?} {id}");
            }
        }
    }
}
