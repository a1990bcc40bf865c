//! Memories that a merge made: both laptops had edited one memory, and its other text became a
//! memory of its own.
//!
//! Invariant: a memory's source is looked up, not searched for, because a merge can bring thousands
//! at once. Must not know how commits are read.

use super::Id;
use crate::identity::{ContentHash, Memory, Stamp};
use std::collections::{HashMap, HashSet};

/// A file's memory before and after a commit.
pub(super) type BeforeAfter = (Option<Memory>, Option<Memory>);

/// What the parents of a merge had, of the files that differ from the merge's.
pub(super) struct Splits {
    /// The origins that the first parent had.
    known: HashSet<Stamp>,
    /// The origins that each parent had with a text.
    origins: Vec<(Id, HashMap<ContentHash, Vec<Stamp>>)>,
}

impl Splits {
    /// A merge's parents, and what it changed against each of them.
    pub(super) fn of(parents: &[Id], differences: &[Vec<BeforeAfter>]) -> Splits {
        let first = differences.first().into_iter().flatten();
        let known = first.filter_map(|(before, _)| Some(before.as_ref()?.created)).collect();
        let by_text = |files: &[BeforeAfter]| {
            let mut origins: HashMap<ContentHash, Vec<Stamp>> = HashMap::new();
            for memory in files.iter().filter_map(|(before, _)| before.as_ref()) {
                let same = origins.entry(memory.hash).or_default();
                if same.last() != Some(&memory.created) {
                    same.push(memory.created);
                }
            }
            origins
        };
        let of_parents = parents.iter().zip(differences);
        Splits {
            known,
            origins: of_parents.map(|(parent, files)| (*parent, by_text(files))).collect(),
        }
    }

    /// Where the text of a memory of the merge comes from, if the merge made it: the first parent
    /// that has the text under another origin, and that origin.
    pub(super) fn source(&self, made: &Memory) -> Option<(Id, Stamp)> {
        if self.known.contains(&made.created) {
            return None;
        }
        self.origins.iter().find_map(|(parent, origins)| {
            let origin = origins.get(&made.hash)?.iter().find(|origin| **origin != made.created)?;
            Some((*parent, *origin))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::RelPath;

    const HOUR: &str = "2026-11-20T09:00:00Z";

    fn memory(second: i64, text: &str) -> Option<Memory> {
        let created = Stamp::parse(HOUR).expect("a stamp").stamp.plus(second * Stamp::SECOND);
        let file = format!("---\nid: 1\ncreated: {created}\n---\n\n{text}\n");
        let path = RelPath::known("knowledge/memories/001-x.md");
        Some(Memory::read(&path, &file.as_str().into()).expect("readable"))
    }

    fn parent(number: u8) -> Id {
        Id::from([number; 20])
    }

    #[test]
    fn a_text_is_found_under_another_origin() {
        let (ours, theirs) = (parent(1), parent(2));
        let against_ours = vec![
            (memory(1, "Ours"), memory(1, "Ours, kept")),
            (memory(2, "Ours too"), None),
            (None, memory(7, "Theirs")),
        ];
        let against_theirs = vec![
            (memory(1, "Theirs"), memory(1, "Ours, kept")),
            (memory(9, "Ours too"), None),
            (memory(9, "Copied"), None),
            (memory(9, "Copied"), None),
            (memory(5, "Copied"), None),
        ];
        let differences = [against_ours, against_theirs];
        let splits = Splits::of(&[ours, theirs], &differences);
        let origin = |second: i64| memory(second, "x").expect("a memory").created;
        for (made, source) in [
            (memory(7, "Theirs"), Some((theirs, origin(1)))),
            (memory(7, "Ours"), Some((ours, origin(1)))),
            (memory(7, "Ours too"), Some((ours, origin(2)))),
            (memory(9, "Ours too"), Some((ours, origin(2)))),
            (memory(7, "Copied"), Some((theirs, origin(9)))),
            (memory(9, "Copied"), Some((theirs, origin(5)))),
            // The first parent has it already.
            (memory(1, "Theirs"), None),
            (memory(2, "Copied"), None),
            (memory(7, "Of nobody"), None),
            (memory(5, "Elsewhere"), None),
        ] {
            let made = made.expect("a memory");
            assert_eq!(splits.source(&made), source, "{}", made.text());
        }
    }
}
