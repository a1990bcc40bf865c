//! The newest texts of an index.
//!
//! Invariant: all texts are read, and so checked, but only a few are kept in memory: the others are
//! read again if those are not enough.

use super::{Content, IndexError, Reads, TextRow, lookup::content, paths::places_of};
use std::cmp::Reverse;

/// As many as a context usually shows, several times over.
const FEW: usize = 256;

/// Pinned, when it was learned or changed, its hash, its file.
type Place = (bool, i64, Reverse<u64>, i64);

fn place_of(row: &TextRow) -> Place {
    (row.pinned, row.latest, Reverse(row.hash_prefix), row.file)
}

impl Reads<'_> {
    /// Calls `is_enough` with the documents, pinned first, then newest, until it returns true. The
    /// files with these hash prefixes come back, in the order of those.
    pub fn newest(
        &self,
        wanted: &[u64],
        mut is_enough: impl FnMut(Content) -> bool,
    ) -> Result<Vec<Content>, IndexError> {
        let (places, mut contents) = (places_of(wanted), self.contents()?);
        let mut all_wanted: Option<Vec<(usize, i64)>> = None;
        'passes: for (done, most) in [(0, FEW), (FEW, usize::MAX)] {
            if done > self.count_texts() {
                break;
            }
            let mut found = Vec::new();
            let first = self.first(most, |row| {
                found.extend(places.get(&row.hash_prefix).map(|at| (*at, row.file)));
            })?;
            all_wanted = all_wanted.or(Some(found));
            for (.., file) in first.into_iter().skip(done) {
                if is_enough(content(&mut contents, file)?) {
                    break 'passes;
                }
            }
        }
        self.in_places(all_wanted.unwrap_or_default())
    }

    /// At most so many, the newest first; `each` is called with all.
    fn first(&self, most: usize, mut each: impl FnMut(&TextRow)) -> Result<Vec<Place>, IndexError> {
        let mut kept: Vec<Place> = Vec::new();
        let mut last: Option<Place> = None;
        self.each_text(|row| {
            each(&row);
            let place = place_of(&row);
            if last.is_some_and(|last| place < last) {
                return;
            }
            kept.push(place);
            if kept.len() >= most.saturating_mul(2) {
                let (_, found, _) = kept.select_nth_unstable_by(most - 1, |a, b| b.cmp(a));
                last = Some(*found);
                kept.truncate(most);
            }
        })?;
        kept.sort_unstable_by(|a, b| b.cmp(a));
        kept.truncate(most);
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::database::{FileRow, Key, Searchable, Unit, Writer};

    #[test]
    fn the_newest_come_first_however_many_are_asked_for() {
        let key = Key { text: "key".to_owned(), encoder: "model" };
        for count in [0, 1, 255, 256, 257, 511, 512, 513, 1_500] {
            let writer = Writer::in_memory(&key).expect("an index");
            let mut expected = Vec::new();
            for n in 0..count {
                // Old and new in turns, some of the same moment, a few pinned.
                let (latest, hash_prefix) = (i64::from(n * 7_919 % 1_000), u64::from(n as u32 % 3));
                let pinned = n % 400 == 7;
                let row = TextRow { latest, hash_prefix, pinned, ..TextRow::default() };
                let text = Searchable { row, ..Searchable::default() };
                let (path, searchable) = (format!("{n}.md"), vec![text]);
                // Files are numbered as they come.
                expected.push((
                    pinned,
                    latest,
                    Reverse(hash_prefix),
                    i64::from(n) + 1,
                    path.clone(),
                ));
                let row = FileRow { path, searchable, ..FileRow::default() };
                writer.insert(Unit::Facts, row).expect("inserted");
            }
            expected.sort_by(|a, b| b.cmp(a));
            let expected: Vec<String> = expected.into_iter().map(|(.., path)| path).collect();
            let index = writer.finish(&[], &|_| Vec::new()).expect("finished");
            for most in [1, 2, 255, 256, 257, 1_000, 2_000] {
                let mut found = Vec::new();
                let is_enough = |content: Content| {
                    found.push(content.path);
                    found.len() == most
                };
                let reads = index.reads(Unit::Facts);
                let wanted = reads.newest(&[2, 9, 0], is_enough).expect("read");
                assert_eq!(found, expected[..most.min(expected.len())], "{most} of {count}");
                let wanted: Vec<String> = wanted.into_iter().map(|content| content.path).collect();
                let alone = reads.with_hash_prefixes(&[2, 9, 0]).expect("read");
                let alone: Vec<String> = alone.into_iter().map(|meta| meta.path).collect();
                assert_eq!(wanted.len(), (0..count).filter(|n| n % 3 != 1).count(), "{count}");
                assert_eq!(wanted, alone, "{most} of {count}");
            }
        }
    }
}
