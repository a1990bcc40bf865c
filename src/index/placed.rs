//! What a search needs of each text of a unit, and where in the index the text is.
//!
//! Invariant: a text and its place are at the same position. Nothing else of a row is kept, because
//! there are many.

use super::database::{IndexError, Reads, TextRow, short};
use crate::recall::corpus::Document;
use std::{collections::BTreeMap, ops::Range};

/// Where a text is: its id and that of its file, in half as many bytes, because each page of memory
/// that is touched takes longer than what is done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    id: u32,
    file: u32,
}

impl Place {
    pub(super) fn new(id: i64, file: i64) -> Place {
        Place { id: short(id), file: short(file) }
    }

    pub(super) fn id(self) -> i64 {
        self.id.into()
    }

    pub(super) fn file(self) -> i64 {
        self.file.into()
    }
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
                places.push(Place::new(row.id, row.file));
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
                paths.insert(*at, reads.path(self.places[*at as usize].file())?);
            }
            same.sort_by(|a, b| paths[a].cmp(&paths[b]));
        }
        Ok(self.in_order(order))
    }

    /// In place: a second copy of very many would have to be paged in. `order` has each position
    /// once.
    fn in_order(mut self, mut order: Vec<u32>) -> PlacedTexts {
        for start in 0..order.len() {
            let first = (self.documents[start], self.places[start]);
            let mut at = start;
            loop {
                let from = std::mem::replace(&mut order[at], at as u32) as usize;
                if from == start {
                    break;
                }
                (self.documents[at], self.places[at]) = (self.documents[from], self.places[from]);
                at = from;
            }
            (self.documents[at], self.places[at]) = first;
        }
        self
    }

    /// The texts of these runs, one run after the other.
    pub(super) fn of_runs(self, runs: &[Range<u32>]) -> PlacedTexts {
        let mut end = 0;
        let is_next = |run: &Range<u32>| std::mem::replace(&mut end, run.end) == run.start;
        // Usually: ids are given in the order of paths.
        if runs.iter().all(is_next) && end as usize == self.places.len() {
            return self;
        }
        let order = runs.iter().cloned().flatten();
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
        let place = |at: u32| Place::new(i64::from(at), 0);
        PlacedTexts {
            documents: (0..count).map(document).collect(),
            places: (0..count).map(place).collect(),
        }
    }

    #[test]
    fn each_order_is_taken_in_place() {
        for order in [&[][..], &[0], &[1, 0], &[2, 0, 1], &[3, 1, 0, 2, 4], &[4, 3, 2, 1, 0]] {
            let ordered = texts(order.len() as u32).in_order(order.to_vec());
            let lengths = ordered.documents.iter().map(|document| document.length);
            assert!(lengths.eq(order.iter().copied()), "{order:?}");
            assert!(ordered.places.iter().map(|place| place.id() as u32).eq(order.iter().copied()));
        }
    }

    #[test]
    fn runs_are_put_one_after_the_other() {
        let of = |runs: &[Range<u32>]| -> Vec<i64> {
            let PlacedTexts { documents, places } = texts(6).of_runs(runs);
            let lengths = documents.iter().map(|document| i64::from(document.length));
            assert!(lengths.eq(places.iter().map(|place| place.id())));
            places.iter().map(|place| place.id()).collect()
        };
        assert_eq!(of(&[0..2, 2..3, 3..6]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(of(&[2..3, 0..2, 3..6]), [2, 0, 1, 3, 4, 5]);
        assert_eq!(of(&[0..2, 3..6]), [0, 1, 3, 4, 5]);
        assert_eq!(of(&[0..2, 2..3]), [0, 1, 2]);
        assert_eq!(of(&[1..4, 4..6]), [1, 2, 3, 4, 5]);
        assert!(of(&[]).is_empty());
    }
}
