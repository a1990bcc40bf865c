//! The work tree of an identity beside git's index.
//!
//! Invariant: a file counts as unchanged only by a stat that git would trust, or by its bytes. Must
//! not know how they are compared.

use super::{Id, Staying, blob_id};
use crate::identity::{Blob, RelPath, Stamp};
use crate::machine::{folder::Reading, in_turn::InTurn};
use gix::index::entry::Stat;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{SystemTime, UNIX_EPOCH},
};

/// The coarsest resolution of file times, in seconds.
const SETTLING: u64 = 2;

/// A file with the blob and the stat that it had.
pub(super) type Seen = (RelPath, Id, Stat);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// Files whose bytes differ from the index, and files that are not in it.
    pub changed: BTreeSet<RelPath>,
    /// How many of these are not in it.
    pub new: usize,
    /// Files in the index that are not on disk.
    pub missing: BTreeSet<RelPath>,
    /// Files in the index that git skips: a sparse checkout leaves them out of the work tree, or a
    /// person marked them (`--skip-worktree`, `--assume-unchanged`).
    pub left_out: BTreeSet<RelPath>,
    /// Untracked files that are not part of what is synced: litter, what the identity's own
    /// `.gitignore` excludes, and files of a kind unknown to co that any rule of git's excludes.
    pub ignored: BTreeSet<RelPath>,
    /// Those of them that a person has to hear of.
    pub staying: Vec<Staying>,
    /// Files whose stat matches the index.
    pub(super) unchanged: Vec<Seen>,
    /// Others whose bytes are those of the index, with the stat from before they were read.
    pub(super) same_bytes: Vec<Seen>,
    /// When the comparison began, in seconds since 1970.
    pub(super) began: u64,
    /// See [`Difference::as_in_index`].
    pub(super) as_in_index: Option<String>,
}

impl Difference {
    /// Of a comparison that begins now.
    pub(super) fn begun() -> Difference {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Difference { began: now.as_secs(), ..Difference::default() }
    }

    pub fn is_clean(&self) -> bool {
        self.changed.is_empty() && self.missing.is_empty()
    }

    /// The stamp of git's index, if every file that was listed, and no other, is in it with exactly
    /// the stat that the file has.
    pub fn as_in_index(&self) -> Option<&str> {
        self.as_in_index.as_deref()
    }

    /// What is known of files whose stat is that of the index.
    pub fn stats(&self) -> Stats<'_> {
        Stats(InTurn::new(&self.unchanged, |(path, ..)| path.as_str()))
    }

    /// The stats that the index should have of the files whose bytes were compared, so that the
    /// next look need not read them: after a copy of the folder that is every file. One that was
    /// written just now may be written again without showing it.
    pub(super) fn outdated(&self) -> BTreeMap<&str, (Id, Stat)> {
        let settled = self.began.saturating_sub(SETTLING);
        let is_settled = |stat: &Stat| u64::from(stat.mtime.secs.max(stat.ctime.secs)) < settled;
        let outdated = self.same_bytes.iter().filter(|(_, _, stat)| is_settled(stat));
        outdated.map(|(path, id, stat)| (path.as_str(), (*id, *stat))).collect()
    }

    /// Whether what was read is exactly what the index has.
    pub fn is_whole(&self, reading: &Reading) -> bool {
        self.is_clean()
            && self.left_out.is_empty()
            && self.ignored.is_empty()
            && reading.unreadable.is_empty()
            && reading.closed.is_empty()
            && self.unchanged_in(reading).count() == reading.snapshot.len()
    }

    /// The blobs of files that were as the index has them, unless they were written between the
    /// comparison and the reading.
    pub(super) fn unchanged_in<'a>(
        &'a self,
        reading: &'a Reading,
    ) -> impl Iterator<Item = (Id, &'a Blob)> {
        let by_stat = self.unchanged.iter().filter_map(|(path, id, stat)| {
            let blob = reading.snapshot.get(path)?;
            let is_same = reading.mtimes.get(path) == Some(&modified(stat))
                && blob.size() == u64::from(stat.size);
            is_same.then_some((*id, blob))
        });
        let by_bytes = self.same_bytes.iter().filter_map(|(path, id, _)| {
            let blob = reading.snapshot.get(path)?;
            (blob_id(blob) == Some(*id)).then_some((*id, blob))
        });
        by_stat.chain(by_bytes)
    }
}

/// Git itself may be told to ignore some of it.
pub(super) fn is_exactly(known: &Stat, now: &Stat) -> bool {
    (known.size, known.ino, known.mtime, known.ctime) == (now.size, now.ino, now.mtime, now.ctime)
}

/// As [`Reading::mtimes`] has it.
pub(super) fn modified(stat: &Stat) -> Stamp {
    let micros = i64::from(stat.mtime.nsecs) / 1_000;
    Stamp::from_micros(i64::from(stat.mtime.secs) * Stamp::SECOND + micros)
}

/// The stats of files that were compared a moment ago, by path.
pub struct Stats<'a>(InTurn<'a, Seen>);

impl Stats<'_> {
    /// Size, nanoseconds from 1970 to the last time that it was written and changed, inode. Git
    /// keeps 32 bits of size and inode.
    pub fn get(&mut self, path: &str) -> Option<[i64; 4]> {
        let at = |secs: u32, nsecs: u32| i64::from(secs) * 1_000_000_000 + i64::from(nsecs);
        let (.., stat) = self.0.get(path)?;
        let written = at(stat.mtime.secs, stat.mtime.nsecs);
        let changed = at(stat.ctime.secs, stat.ctime.nsecs);
        Some([i64::from(stat.size), written, changed, i64::from(stat.ino)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "profile.md";

    /// A file of these bytes, modified then.
    fn reading(bytes: &str, micros: i64) -> Reading {
        let mut reading = Reading::default();
        reading.snapshot.put(RelPath::known(PATH), bytes);
        reading.mtimes.insert(RelPath::known(PATH), Stamp::from_micros(micros));
        reading
    }

    #[test]
    fn a_file_written_after_the_comparison_has_no_committed_bytes() {
        let (path, id) = (RelPath::known(PATH), blob_id(b"tea").expect("an id"));
        let mtime = gix::index::entry::stat::Time { secs: 7, nsecs: 9_999 };
        let stat = Stat { mtime, size: 3, ..Stat::default() };
        let unchanged = vec![(path.clone(), id, stat)];
        let by_stat = Difference { unchanged, ..Difference::default() };
        let by_bytes =
            Difference { same_bytes: vec![(path, id, Stat::default())], ..Difference::default() };
        for (bytes, micros, stat_tells, bytes_tell) in [
            ("tea", 7_000_009, true, true),
            ("oat", 7_000_010, false, false),
            ("oats", 7_000_009, false, false),
            ("", 7_000_009, false, false),
            ("tea", 8_000_009, false, true),
            // Git sees none either.
            ("oat", 7_000_009, true, false),
        ] {
            let reading = reading(bytes, micros);
            let taken = |difference: &Difference| difference.unchanged_in(&reading).count() == 1;
            let told = (taken(&by_stat), taken(&by_bytes));
            assert_eq!(told, (stat_tells, bytes_tell), "{bytes} {micros}");
        }
        assert_eq!(by_stat.unchanged_in(&Reading::default()).count(), 0);
        assert_eq!(by_bytes.unchanged_in(&Reading::default()).count(), 0);
    }
}
