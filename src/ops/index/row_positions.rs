//! Maps row ids of the index to positions in a corpus.
//!
//! Invariant: unknown ids map to `None`.

/// The position of each document, sorted by row id.
pub(super) struct RowPositions(Vec<(i64, u32)>);

impl RowPositions {
    pub(super) fn of(ids: impl Iterator<Item = i64>) -> RowPositions {
        let mut positions: Vec<(i64, u32)> = ids.zip(0..).collect();
        positions.sort_unstable();
        RowPositions(positions)
    }

    pub(super) fn of_id(&self, id: i64) -> Option<u32> {
        let at = self.0.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.0[at].1)
    }
}
