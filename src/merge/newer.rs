//! Checks that an undo does not revert changes made after the undone operation.
//!
//! Invariant: of two versions of a text, every line added since is still there, none deleted since
//! is back, and any reordering since is kept. Must not know: how the two were merged.

use super::moves;
use crate::identity::{Blob, RelPath, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// The states of an undo: the current one, what the operation left, what it found, and what would
/// be here after the undo.
#[derive(Clone, Copy)]
pub struct UndoStates<'a> {
    pub here: &'a Snapshot,
    pub after: &'a Snapshot,
    pub before: &'a Snapshot,
    pub back: &'a Snapshot,
}

impl UndoStates<'_> {
    /// Files whose newer text would be lost, or would end up beside an older version of itself.
    pub fn over_newer(&self) -> Vec<RelPath> {
        let every = |side: &'_ Snapshot| -> BTreeSet<String> {
            side.iter().flat_map(|(_, blob)| body(blob)).map(str::to_owned).collect()
        };
        let (kept, older) = (every(self.back), every(self.before));
        // A move is undone only to a place where its text can be.
        let loses_older =
            |now: &Blob| body(now).any(|line| older.contains(line) && !kept.contains(line));
        let lost =
            self.here.iter().filter(|(path, now)| self.is_lost(path, now) || loses_older(now));
        let lost: BTreeSet<RelPath> = lost.map(|(path, _)| path.clone()).collect();
        lost.into_iter().chain(self.doubled()).collect()
    }

    /// Documents that the operation moved and that were edited since: they would stay where they
    /// are, and their older text would be at the other place.
    fn doubled(&self) -> Vec<RelPath> {
        let [moved, _] = moves::of_sides([self.before, self.after, self.before]);
        let is_doubled = |(from, to): &(RelPath, RelPath)| {
            let now = self.here.get(to);
            let is_back = self.here.get(from).is_none() && self.back.get(from).is_some();
            is_back && now.is_some() && now != self.after.get(to) && now == self.back.get(to)
        };
        moved.into_iter().filter(is_doubled).map(|(_, to)| to).collect()
    }

    fn is_lost(&self, path: &RelPath, now: &Blob) -> bool {
        let left = self.after.get(path);
        if left == Some(now) || self.back.iter().any(|(_, blob)| blob == now) {
            return false;
        }
        if std::str::from_utf8(now).is_err() {
            return true;
        }
        // A fact is found by its text, whichever file it is in now.
        if path.is_memory() {
            let kept: BTreeSet<&str> = self.back.iter().flat_map(|(_, blob)| body(blob)).collect();
            let left: BTreeSet<&str> = left.into_iter().flat_map(body).collect();
            return body(now).any(|line| !left.contains(line) && !kept.contains(line));
        }
        let survives = |path: &RelPath, back: Option<&Blob>| {
            let lines = |blob: Option<&Blob>| blob.map(Lines::of).unwrap_or_default();
            let change = TextChange { left: lines(left), now: Lines::of(now) };
            change.survives(&lines(self.before.get(path)), &lines(back))
        };
        if let Some(back) = self.back.get(path) {
            return !survives(path, Some(back));
        }
        // The undo renames it, or removes it.
        let written = |(path, back): &(&RelPath, &Blob)| self.here.get(path) != Some(*back);
        let mut elsewhere = self.back.iter().filter(written);
        !elsewhere.any(|(path, back)| survives(path, Some(back))) && !survives(path, None)
    }
}

fn parts(blob: &Blob) -> (&str, &str) {
    let text = std::str::from_utf8(blob).unwrap_or_default();
    text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap_or(("", text))
}

fn body(blob: &Blob) -> impl Iterator<Item = &str> {
    parts(blob).1.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// The content of a text, line by line, with lists in the frontmatter item by item; without the
/// keys that sync writes.
#[derive(Default)]
struct Lines {
    order: Vec<String>,
    counts: BTreeMap<String, usize>,
}

impl Lines {
    fn of(blob: &Blob) -> Lines {
        let mut lines = Lines::default();
        for line in parts(blob).0.lines().map(str::trim) {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            let list = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            match list {
                _ if matches!(key, "updated" | "checksum" | "version" | "") => {}
                Some(items) => {
                    items.split(',').for_each(|item| lines.add(format!("{key}: {}", item.trim())));
                }
                None => lines.add(line.to_owned()),
            }
        }
        body(blob).for_each(|line| lines.add(line.to_owned()));
        lines
    }

    fn add(&mut self, line: String) {
        *self.counts.entry(line.clone()).or_default() += 1;
        self.order.push(line);
    }

    fn count(&self, line: &str) -> usize {
        self.counts.get(line).copied().unwrap_or(0)
    }

    /// Its lines that the other also has, in order.
    fn shared_with<'a>(&'a self, other: &Lines) -> Vec<&'a str> {
        let shared = self.order.iter().filter(|line| other.count(line) > 0);
        shared.map(String::as_str).collect()
    }
}

/// The changes to a text since the operation.
struct TextChange {
    left: Lines,
    now: Lines,
}

impl TextChange {
    fn survives(&self, before: &Lines, back: &Lines) -> bool {
        let (left, now) = (&self.left, &self.now);
        let was_moved = left.counts == now.counts && left.order != now.order;
        let keeps_order = !was_moved || now.shared_with(back) == back.shared_with(now);
        keeps_order
            && left.counts.keys().chain(now.counts.keys()).all(|line| {
                let (was, is) = (left.count(line), now.count(line));
                match is.checked_sub(was) {
                    Some(added) => back.count(line) >= added,
                    None => back.count(line) <= before.count(line).saturating_sub(was - is),
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survives([before, left, now, back]: [&str; 4]) -> bool {
        let lines = |text: &str| Lines::of(&Blob::from(text.as_bytes().to_vec()));
        TextChange { left: lines(left), now: lines(now) }.survives(&lines(before), &lines(back))
    }

    #[test]
    fn what_was_written_deleted_or_moved_since_stays() {
        let title = |name: &str| format!("---\ntitle: {name}\nupdated: 1\n---\n\nText\n");
        let [zeta, beta, alpha] = ["Zeta", "Beta", "Alpha"].map(title);
        assert!(!survives([&zeta, &beta, &alpha, &zeta]), "a key that was set since");
        assert!(survives([&zeta, &beta, &alpha, &alpha]));
        assert!(survives(["a\n", "a\nb\n", "a\nb\nc\n", "a\nc\n"]));
        assert!(!survives(["a\n", "a\nb\n", "a\nb\nc\n", "a\n"]), "a line that was added");
        assert!(!survives(["a\nx\n", "a\nx\nb\n", "a\nb\n", "a\nx\n"]), "one that was deleted");
        assert!(!survives(["a\nb\n", "a\nb\nc\n", "c\nb\na\n", "a\nb\n"]), "another order");
        let tags = |list: &str| format!("---\ntags: [{list}]\n---\n\nText\n");
        assert!(survives([&tags("a"), &tags("a, b"), &tags("a, b, c"), &tags("a, c")]));
    }
}
