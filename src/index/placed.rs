//! What a search needs of each text of a unit, and where in the index the text is.
//!
//! Invariant: a text and its place are at the same position. Nothing else of a row is kept, because
//! there are many.

use super::database::{IndexError, Reads, TextRow};
use crate::recall::corpus::Document;
use std::{collections::BTreeMap, ops::Range};

/// Where a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) id: i64,
    pub(super) file: i64,
}

/// The texts of a corpus, in its order.
#[derive(Default)]
pub(super) struct PlacedTexts {
    pub(super) documents: Vec<Document>,
    pub(super) places: Vec<Place>,
}

impl PlacedTexts {
    /// Those that are wanted, in the order of their ids.
    pub(super) fn read(
        reads: &Reads<'_>,
        mut is_wanted: impl FnMut(&TextRow) -> bool,
    ) -> Result<PlacedTexts, IndexError> {
        let count = reads.count_texts();
        let (mut documents, mut places) = (Vec::with_capacity(count), Vec::with_capacity(count));
        reads.each_text(|row| {
            if is_wanted(&row) {
                let TextRow { created, hash_prefix, length, .. } = row;
                // A key has no more than these bits.
                let source = row.source as u32;
                documents.push(Document { created, hash_prefix, source, length });
                places.push(Place { id: row.id, file: row.file });
            }
        })?;
        Ok(PlacedTexts { documents, places })
    }

    /// By time; those with the same time and text, by path.
    pub(super) fn by_time(self, reads: &Reads<'_>) -> Result<PlacedTexts, IndexError> {
        let of = |document: &Document| (document.created, document.hash_prefix);
        // Usually: ids are given in the order of time.
        if self.documents.is_sorted_by(|a, b| of(a) < of(b)) {
            return Ok(self);
        }
        let key = |at: &u32| of(&self.documents[*at as usize]);
        let mut order: Vec<u32> = (0..self.documents.len() as u32).collect();
        order.sort_by_key(key);
        for same in order.chunk_by_mut(|a, b| key(a) == key(b)).filter(|same| same.len() > 1) {
            let mut paths = BTreeMap::new();
            for at in same.iter() {
                paths.insert(*at, reads.path(self.places[*at as usize].file)?);
            }
            same.sort_by(|a, b| paths[a].cmp(&paths[b]));
        }
        Ok(self.taken(order.into_iter()))
    }

    /// The texts of these runs, one run after the other.
    pub(super) fn of_runs(self, runs: &[Range<u32>]) -> PlacedTexts {
        let mut end = 0;
        let is_next = |run: &Range<u32>| std::mem::replace(&mut end, run.end) == run.start;
        // Usually: ids are given in the order of paths.
        if runs.iter().all(is_next) && end as usize == self.places.len() {
            return self;
        }
        self.taken(runs.iter().cloned().flatten())
    }

    fn taken(&self, order: impl Iterator<Item = u32> + Clone) -> PlacedTexts {
        PlacedTexts {
            documents: order.clone().map(|at| self.documents[at as usize]).collect(),
            places: order.map(|at| self.places[at as usize]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(count: u32) -> PlacedTexts {
        let document = |at: u32| Document { length: at, ..Document::default() };
        let place = |at: u32| Place { id: i64::from(at), file: 0 };
        PlacedTexts {
            documents: (0..count).map(document).collect(),
            places: (0..count).map(place).collect(),
        }
    }

    #[test]
    fn runs_are_put_one_after_the_other() {
        let of = |runs: &[Range<u32>]| -> Vec<i64> {
            let PlacedTexts { documents, places } = texts(6).of_runs(runs);
            let lengths = documents.iter().map(|document| i64::from(document.length));
            assert!(lengths.eq(places.iter().map(|place| place.id)));
            places.iter().map(|place| place.id).collect()
        };
        assert_eq!(of(&[0..2, 2..3, 3..6]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(of(&[2..3, 0..2, 3..6]), [2, 0, 1, 3, 4, 5]);
        assert_eq!(of(&[0..2, 3..6]), [0, 1, 3, 4, 5]);
        assert_eq!(of(&[0..2, 2..3]), [0, 1, 2]);
        assert_eq!(of(&[1..4, 4..6]), [1, 2, 3, 4, 5]);
        assert!(of(&[]).is_empty());
    }
}
