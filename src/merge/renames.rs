//! Files whose name changed only in case or Unicode normalisation: on some volumes the old and new
//! name are one file, so they are one file in a merge as well.
//!
//! Invariant: symmetric in the two sides; if both renamed a file, the name that sorts last wins.

use super::blob_source::BlobSource;
use crate::identity::{Blob, FileChange, RelPath, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization;

/// Gives renamed files their new path on every side, including the base.
pub(super) fn align(base: &mut Snapshot, x: &mut Snapshot, y: &mut Snapshot) {
    let mut finally: BTreeMap<RelPath, RelPath> = BTreeMap::new();
    for side in [&*x, &*y] {
        for (was, now) in renamed(base, side) {
            let path = finally.entry(was).or_insert_with(|| now.clone());
            *path = now.max(path.clone());
        }
    }
    for (was, now) in composed(base, x, y).into_iter().chain(same_text(base, x, y)) {
        finally.entry(was).or_insert(now);
    }
    for (was, now) in finally {
        for side in [&mut *base, &mut *x, &mut *y] {
            let other: Option<RelPath> = match side.get(&was) {
                Some(_) => Some(was.clone()),
                None => side.paths().find(|path| path.folded() == was.folded()).cloned(),
            };
            let Some(other) = other.filter(|other| *other != now) else { continue };
            if side.get(&now).is_none()
                && let Some(blob) = side.remove(&other)
            {
                side.put(now.clone(), blob);
            }
        }
    }
}

/// New files that are the same on both sides, under names that differ only in how characters are
/// composed: they look the same to a person. The shorter form wins. With different texts they are
/// two files, and both stay.
fn composed(base: &Snapshot, x: &Snapshot, y: &Snapshot) -> Vec<(RelPath, RelPath)> {
    let is_new = |path: &&RelPath| !path.as_str().is_ascii() && base.get(path).is_none();
    let form = |path: &RelPath| RelPath::new(&path.as_str().nfc().collect::<String>());
    let news = |side: &Snapshot| -> BTreeMap<RelPath, RelPath> {
        let new = side.paths().filter(is_new);
        new.filter_map(|path| Some((form(path)?, path.clone()))).collect()
    };
    let there = news(y);
    let both = news(x).into_iter().filter_map(|(form, here)| {
        let is_same = |other: &&RelPath| **other != here && x.get(&here) == y.get(other);
        let other = there.get(&form).filter(is_same)?;
        Some([(here, form.clone()), (other.clone(), form)])
    });
    both.flatten().filter(|(was, now)| was != now).collect()
}

/// A new file that is the same on both sides, under names that differ in case. The last name wins.
fn same_text(base: &Snapshot, x: &Snapshot, y: &Snapshot) -> Vec<(RelPath, RelPath)> {
    let only = |side: &Snapshot, other: &Snapshot| -> BTreeMap<String, RelPath> {
        let is_new = |path: &&RelPath| base.get(path).is_none() && other.get(path).is_none();
        let new = side.paths().filter(is_new);
        new.map(|path| (path.folded(), path.clone())).collect()
    };
    let there = only(y, x);
    let both = only(x, y).into_iter().filter_map(|(folded, here)| {
        let other = there.get(&folded).filter(|other| x.get(&here) == y.get(other))?;
        let last = here.clone().max(other.clone());
        Some([(here, last.clone()), (other.clone(), last)])
    });
    both.flatten().filter(|(was, now)| was != now).collect()
}

/// Paths of the base that a side has only in another case, each with that path.
fn renamed(base: &Snapshot, side: &Snapshot) -> Vec<(RelPath, RelPath)> {
    let gone: BTreeMap<String, &RelPath> = base
        .paths()
        .filter(|path| side.get(path).is_none())
        .map(|path| (path.folded(), path))
        .collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let new = side.paths().filter(|path| base.get(path).is_none());
    new.filter_map(|path| Some(((*gone.get(&path.folded())?).clone(), path.clone()))).collect()
}

/// Paths that differ in case or normalisation only are one file on some volumes: written first and
/// deleted after that, it would be gone.
pub(super) fn add_by_case(moves: &mut BTreeMap<RelPath, BlobSource>, changes: &[FileChange]) {
    let taken: BTreeSet<RelPath> = moves.values().map(|source| source.path.clone()).collect();
    let gone = changes.iter().filter(|change| change.after.is_none());
    let gone = gone.filter(|change| !taken.contains(&change.path));
    let gone: BTreeMap<String, (&RelPath, &Blob)> = gone
        .filter_map(|change| Some((change.path.folded(), (&change.path, change.before.as_ref()?))))
        .collect();
    if gone.is_empty() {
        return;
    }
    let fresh = changes.iter().filter(|change| change.before.is_none()).map(|change| &change.path);
    let fresh: Vec<&RelPath> = fresh.filter(|path| !moves.contains_key(*path)).collect();
    for path in fresh {
        if let Some((was, blob)) = gone.get(&path.folded()) {
            let source = BlobSource { path: (*was).clone(), blob: (*blob).clone(), frees: true };
            moves.insert(path.clone(), source);
        }
    }
}

/// Pairs of paths in one tree that are one file on a case-insensitive volume.
pub fn one_file_where_case_is_ignored(tree: &Snapshot) -> Vec<(RelPath, RelPath)> {
    let mut seen: BTreeMap<String, &RelPath> = BTreeMap::new();
    let mut found = Vec::new();
    for path in tree.paths() {
        if let Some(first) = seen.insert(path.folded(), path) {
            found.push((first.clone(), path.clone()));
        }
    }
    found
}
