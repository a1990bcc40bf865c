//! Stat data of a file or folder, used to detect changes without reading it.
//!
//! Invariant: as in git's "racy index", a stat as recent as the clock's resolution never counts as
//! unchanged.

use super::platform::{self, FileStat, FolderStats};
use std::{
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stat {
    pub size: i64,
    /// In nanoseconds since 1970; 0 if it was too recent to be trusted.
    pub modified: i64,
    /// When content or permissions last changed.
    pub changed: i64,
    pub inode: i64,
}

/// Resolution of file systems with nanoseconds, whose times follow the kernel's tick.
const TICK: i64 = 50_000_000;
/// Resolution of others: one or two seconds.
const COARSE: i64 = 2_000_000_000;

impl Stat {
    /// Follows symlinks. `None` if the file does not exist.
    pub fn of(path: &Path) -> Option<Stat> {
        Some(Stat::from(platform::stat(&fs::metadata(path).ok()?)))
    }

    pub(crate) fn from(stat: FileStat) -> Stat {
        Stat {
            size: stat.size.cast_signed(),
            modified: stat.modified,
            changed: stat.changed,
            inode: stat.inode.cast_signed(),
        }
    }

    /// As an index stores it: one value of a row is read sooner than four.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let Stat { size, modified, changed, inode } = self;
        let mut bytes = [0; 32];
        let (places, _) = bytes.as_chunks_mut::<8>();
        for (place, number) in places.iter_mut().zip([size, modified, changed, inode]) {
            *place = number.to_le_bytes();
        }
        bytes
    }

    pub(crate) fn of_bytes(bytes: &[u8; 32]) -> Stat {
        let (places, _) = bytes.as_chunks::<8>();
        let [size, modified, changed, inode] =
            std::array::from_fn(|at| i64::from_le_bytes(places[at]));
        Stat { size, modified, changed, inode }
    }

    /// For storing: without the time if a later change could have the same one.
    pub fn settled(self) -> Stat {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        self.settled_at(i64::try_from(now).unwrap_or(i64::MAX))
    }

    /// Whether this change of something in a folder, which was just made, has a time of its own:
    /// then any later one gets another, because this one was looked at. Where the kernel or the
    /// file system does not do that, changes within a tick of the clock have one time. False where
    /// it cannot be told.
    pub fn is_exact(self, folder: &Path) -> bool {
        let is_after = |(tick, now)| tick < self.changed && self.changed <= now;
        // Some have room for whole seconds only.
        self.changed % 1_000_000_000 != 0
            && platform::since_tick().is_some_and(is_after)
            && platform::tells_changes_apart(folder)
    }

    fn settled_at(self, now: i64) -> Stat {
        let tick = if self.changed % 1_000_000_000 == 0 { COARSE } else { TICK };
        let is_young = self.changed.max(self.modified).saturating_add(tick) > now;
        if is_young { Stat { modified: 0, ..self } } else { self }
    }
}

/// Stats many files; faster where neighbours are in one folder.
#[derive(Default)]
pub struct Stats(FolderStats);

impl Stats {
    /// As [`Stat::of`].
    pub fn of(&mut self, path: &Path) -> Option<Stat> {
        self.0.followed(path).map(Stat::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_just_written_is_not_trusted_and_later_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        fs::write(&file, "a").expect("written");
        let young = Stat::of(&file).expect("there");
        // At the time of the write: a busy machine may be far behind it by now.
        let written = young.changed.max(young.modified);
        assert_eq!(young.settled_at(written).modified, 0);
        assert_ne!(young.settled_at(written), young);
        std::thread::sleep(std::time::Duration::from_millis(80));
        assert_eq!(young.settled(), young);
        fs::write(&file, "b").expect("written");
        assert_ne!(Stat::of(&file).expect("there"), young);
        assert_eq!(Stat::of(&folder.path().join("b")), None);
    }

    #[test]
    fn after_an_exact_time_there_is_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: usize| folder.path().join(name.to_string());
        let changed = || Stat::of(folder.path()).expect("there");
        for name in 0..2_000 {
            fs::write(at(name), "").expect("written");
            let before = changed();
            let is_exact = before.is_exact(folder.path());
            fs::write(at(name + 2_000), "").expect("written");
            assert!(!is_exact || changed() != before, "{before:?}");
        }
        let long_ago = Stat { changed: 1, ..changed() };
        let ahead = Stat { changed: i64::MAX, ..long_ago };
        assert!(!long_ago.is_exact(folder.path()) && !ahead.is_exact(folder.path()));
    }

    #[test]
    fn it_is_read_as_it_was_stored() {
        for stat in [
            Stat::default(),
            Stat { size: 1, modified: -2, changed: i64::MAX, inode: i64::MIN },
            Stat { size: 1 << 40, modified: 0, changed: 255, inode: 256 },
        ] {
            assert_eq!(Stat::of_bytes(&stat.to_bytes()), stat);
        }
    }

    #[test]
    fn a_stat_among_many_is_that_of_the_file_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("below")).expect("a folder");
        for name in ["a", "below/b", "c"] {
            fs::write(at(name), name).expect("written");
        }
        let mut stats = Stats::default();
        for name in ["a", "below/b", "c", "below", "below/a", "missing/a", "below/b", "a/b"] {
            assert_eq!(stats.of(&at(name)), Stat::of(&at(name)), "{name}");
        }
        fs::write(at("a"), "longer").expect("written");
        assert_eq!(stats.of(&at("a")), Stat::of(&at("a")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_the_file_that_it_leads_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "a").expect("written");
        for (target, name) in [("a", "link"), ("missing", "broken")] {
            std::os::unix::fs::symlink(target, at(name)).expect("linked");
            assert_eq!(Stats::default().of(&at(name)), Stat::of(&at(target)));
        }
    }
}
