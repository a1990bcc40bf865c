//! Computes what a merge discarded from one side, so that undoing the merge can restore it.
//!
//! Invariant: pure. Only what both sides changed can be lost; what only the other side changed is
//! in both results, so that undoing the difference leaves it alone.

use super::{change::ChangeSet, files::says_the_same};
use crate::identity::{
    Blob, Document, EditTimes, FileChange, Kind, Memory, RelPath, Snapshot, Stamp,
    kind::{Form, MergeRule},
    memory::stamp_of,
    value::Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// One side, stamped later than the other wherever both changed something, so that its versions win
/// the merge. `None` if nothing was changed on both sides.
pub fn stamped_last(base: &Snapshot, ours: &Snapshot, theirs: &Snapshot) -> Option<Snapshot> {
    let changed = |side: &Snapshot| -> Vec<(RelPath, Blob)> {
        let differs = |(path, blob): &(&RelPath, &Blob)| base.get(path) != Some(*blob);
        side.iter().filter(differs).map(|(path, blob)| (path.clone(), blob.clone())).collect()
    };
    let theirs = OtherStamps::of(&changed(theirs));
    let mut last = ours.clone();
    let mut any = false;
    for (path, blob) in changed(ours) {
        if let Some(later) = theirs.stamped_after(&path, &blob) {
            last.put(path, later);
            any = true;
        }
    }
    any.then_some(last)
}

/// One side with its documents stamped before everything else, so that the other side's value wins
/// for any field that both have set.
pub fn stamped_first(ours: &Snapshot) -> Snapshot {
    let mut first = ours.clone();
    for (path, blob) in ours.iter().filter(|(path, _)| path.form() == Form::Versioned) {
        let Ok(mut document) = Document::read(blob) else { continue };
        if document.front().is_some() {
            document.set("updated", Value::Text(Stamp::EPOCH.to_string()));
            first.put(path.clone(), Blob::from(document.write()));
        }
    }
    first
}

/// The other side's last stamps for what it changed.
struct OtherStamps {
    memories: BTreeMap<Stamp, Stamp>,
    documents: BTreeMap<RelPath, Stamp>,
}

impl OtherStamps {
    fn of(changed: &[(RelPath, Blob)]) -> OtherStamps {
        let mut other = OtherStamps { memories: BTreeMap::new(), documents: BTreeMap::new() };
        for (path, blob) in changed {
            if let Ok(memory) = Memory::read(path, blob)
                && path.is_memory()
            {
                other.memories.insert(memory.created, memory.latest());
            } else if let Ok(document) = Document::read(blob)
                && (path.form() == Form::Versioned || document.get("updated").is_some())
            {
                let stamp = stamp_of(&document, "updated").unwrap_or_default();
                other.documents.insert(path.clone(), stamp);
            }
        }
        other
    }

    fn stamped_after(&self, path: &RelPath, blob: &Blob) -> Option<Blob> {
        if path.is_memory() {
            let memory = Memory::read(path, blob).ok()?;
            let theirs = self.memories.get(&memory.created)?;
            let later = memory.latest().max(*theirs).plus(Stamp::SECOND);
            return Some(memory.stamped(later).blob);
        }
        let theirs = self.documents.get(path)?;
        let is_stamped = |read: &Document| match path.form() {
            Form::Versioned => read.front().is_some(),
            _ => read.get("updated").is_some(),
        };
        let mut document = Document::read(blob).ok().filter(is_stamped)?;
        let ours = stamp_of(&document, "updated").unwrap_or_default();
        let later = ours.max(*theirs).plus(Stamp::SECOND);
        document.set("updated", Value::Text(later.to_string()));
        Some(document.write().into())
    }
}

/// What a merge discarded: the change from what one side would have had to what both have now.
pub fn lost(wanted: &Snapshot, merged: &Snapshot) -> Vec<FileChange> {
    let is_kept = |blob: &Blob| merged.iter().any(|(_, kept)| kept == blob);
    let means_something = |file: &FileChange| match (&file.before, &file.after) {
        _ if matches!(file.path.kind(), Kind::Ledger | Kind::Questions) => false,
        // Of two texts that were both kept, the other one is next to it.
        (before, after) if is_carried(&file.path) => match (before, after) {
            (Some(before), _) if is_kept(before) => false,
            (Some(before), Some(after)) => !keeps_all_lines(before, after),
            (Some(_), None) => true,
            (None, _) => false,
        },
        (Some(before), Some(after)) if file.path.is_memory() => {
            let read = |blob: &Blob| Memory::read(&file.path, blob).ok();
            match (read(before), read(after)) {
                (Some(before), Some(after)) => {
                    (before.hash, &before.tags) != (after.hash, &after.tags)
                }
                _ => true,
            }
        }
        (Some(before), Some(after)) if file.path.form() == Form::Loose => {
            !keeps_lines(before, after) || !same_labels(before, after)
        }
        (Some(before), Some(after)) => !says_the_same(before, after),
        _ => true,
    };
    ChangeSet::between(wanted, merged).files.into_iter().filter(means_something).collect()
}

/// Whether it is a file whose time only git knows, and whose bytes are kept twice if they cannot be
/// merged.
fn is_carried(path: &RelPath) -> bool {
    matches!(path.row().merge, MergeRule::Text | MergeRule::KeepBoth)
}

/// Times by which one side's texts win, for files without stamps that both sides changed.
pub fn newest(base: &Snapshot, ours: &Snapshot, theirs: &Snapshot) -> EditTimes {
    let is_of_both = |(path, blob): &(&RelPath, &Blob)| {
        let other = theirs.get(path);
        (path.is_document() || is_carried(path))
            && other.is_some_and(|other| other != *blob)
            && base.get(path).is_none_or(|base| base != *blob && Some(base) != other)
    };
    ours.iter().filter(is_of_both).map(|(path, _)| (path, Stamp::from_micros(i64::MAX))).collect()
}

/// Whether every line of a text is still there, however often and wherever.
fn keeps_lines(before: &Blob, after: &Blob) -> bool {
    let text = |blob: &Blob| Document::read(blob).map(|read| read.text().to_owned());
    let (Ok(before), Ok(after)) = (text(before), text(after)) else { return false };
    has_lines_of(&before, &after)
}

/// The same for a file that has no frontmatter.
fn keeps_all_lines(before: &Blob, after: &Blob) -> bool {
    match (std::str::from_utf8(before), std::str::from_utf8(after)) {
        (Ok(before), Ok(after)) => has_lines_of(before, after),
        _ => false,
    }
}

fn has_lines_of(before: &str, after: &str) -> bool {
    let after: BTreeSet<&str> = after.lines().collect();
    before.lines().all(|line| after.contains(line))
}

/// Whether two documents have the same labels, apart from stamps.
fn same_labels(before: &Blob, after: &Blob) -> bool {
    let labelled = |blob: &Blob| {
        let mut document = Document::read(blob).ok()?;
        document.set_body(String::new());
        Some(Blob::from(document.write()))
    };
    match (labelled(before), labelled(after)) {
        (Some(before), Some(after)) => says_the_same(&before, &after),
        _ => false,
    }
}
