//! Compares an index with stats that were taken of the files of its store a moment ago.
//!
//! Invariant: a file counts as the index has it only by its stat, as git's index had it or as it is
//! now; one that was written since the stats were taken is found by the next look.

use super::{
    IndexSpec,
    database::{Index, Stat, Unit},
    fact_index::{BeforeWrite, FEW, unit_of},
    overview::as_git_has_it,
    store::Store,
};
use crate::git::index::Difference;
use crate::identity::{FileChange, Memory, RelPath};
use crate::machine::Context;
use std::collections::HashSet;

/// What a sync knows of the files of a store.
pub(crate) enum Seen<'a> {
    Stats(&'a Difference),
    /// The index was found to have every other file as it is; the folders, with their stats from
    /// before they were listed for that.
    AllBut(&'a [FileChange], &'a [(String, Stat)]),
}

fn of_file(file: &FileChange) -> Option<(Unit, RelPath)> {
    Some((unit_of(&file.path)?, file.path.clone()))
}

/// Takes in the files that changed, if these are few and none came or went unnoticed. Returns
/// whether the index is up to date now.
pub(super) fn take_in_few(store: &Store, context: &Context, seen: &Seen<'_>) -> bool {
    let spec = IndexSpec::of(store, context);
    // A write leaves vectors from an endpoint to the next query.
    let Some(index) = spec.open().ok().flatten().filter(|_| spec.model.is_built_in()) else {
        return false;
    };
    let listed = if let Seen::AllBut(_, listed) = seen { *listed } else { &[] };
    if !spec.has_same_folders_since(&index, listed) {
        return false;
    }
    let paths = match seen {
        Seen::AllBut(files, _) => Some(files.iter().filter_map(of_file).collect()),
        Seen::Stats(difference) => spec.changed(&index, difference),
    };
    let Some(paths) = paths else { return false };
    // An open read would block the writer.
    drop(index);
    paths.is_empty() || BeforeWrite::of(spec, paths).take_in_edited().unwrap_or(false)
}

/// Whether the index has each other of the `all` files among the facts as it is, each is a fact
/// with a number, and no two facts, these included, have one text, origin or number.
pub(crate) fn are_unlike_others(
    store: &Store,
    context: &Context,
    (facts, all): (&[Memory], usize),
    seen: &Difference,
) -> bool {
    let spec = IndexSpec::of(store, context);
    let index = spec.open().ok().flatten();
    index.and_then(|index| spec.keys_differ(&index, (facts, all), seen)).unwrap_or(false)
}

impl IndexSpec<'_> {
    /// As [`are_unlike_others`]; `None` if the index cannot tell.
    fn keys_differ(
        &self,
        index: &Index,
        (facts, all): (&[Memory], usize),
        seen: &Difference,
    ) -> Option<bool> {
        let new: HashSet<&str> = facts.iter().map(|fact| fact.path.as_str()).collect();
        let mut changed = self.changed(index, seen)?.into_iter();
        if !changed.all(|(_, path)| new.contains(path.as_str())) {
            return None;
        }
        let reads = index.reads(Unit::Facts);
        let mut own = Vec::new();
        for path in new {
            if reads.has(path).ok()? {
                own.push(reads.content_at(path).ok()?.id);
            }
        }
        // A file that is no fact has no text.
        let mut rows = reads.texts().ok()?;
        rows.retain(|row| !own.contains(&row.file));
        if rows.len() + facts.len() != all {
            return None;
        }
        let (mut texts, mut origins, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let of_facts =
            facts.iter().map(|fact| (fact.hash.hash_prefix(), fact.created.micros(), fact.id));
        let of_rows = rows.iter().map(|row| (row.hash_prefix, row.created, row.number));
        for (text, origin, number) in of_rows.chain(of_facts) {
            texts.push(text);
            origins.push(origin);
            numbers.push(number?);
        }
        Some(are_distinct(texts) && are_distinct(origins) && are_distinct(numbers))
    }

    /// The files that are not as the index has them; `None` if there are many, or the index has
    /// others as well.
    fn changed(&self, index: &Index, seen: &Difference) -> Option<Vec<(Unit, RelPath)>> {
        let mut seen = seen.stats();
        let (mut changed, mut are_few) = (Vec::new(), true);
        let looked = index.reads(Unit::Facts).each_file(|path, row| {
            // A row that was too recent to be trusted has no time.
            let is_seen = row.modified != 0 && seen.get(path) == Some(as_git_has_it(&row));
            if is_seen || Stat::of(&self.store.root.join(path)) == Some(row) {
                return true;
            }
            let path = RelPath::new(path).and_then(|path| Some((unit_of(&path)?, path)));
            are_few = path.is_some() && changed.len() < FEW;
            changed.extend(path);
            are_few
        });
        looked.ok()?;
        are_few.then_some(changed)
    }
}

fn are_distinct<T: Ord>(mut all: Vec<T>) -> bool {
    all.sort_unstable();
    all.is_sorted_by(|one, other| one < other)
}
