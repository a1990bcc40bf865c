//! The memory that the processes which have an index open share, in a file next to it.
//!
//! Invariant: if something else cut it, it has its size again before SQLite touches it, which would
//! kill the process otherwise.

use crate::machine::files;
use std::path::Path;

/// A page of changes in the log, with its header, in bytes.
const FRAME: usize = 4_096 + 24;
/// How much of the shared memory SQLite maps at once, in bytes.
const REGION: usize = 32 * 1_024;
/// For how many pages of changes that is.
const PAGES: usize = 4_062;

/// Lengthens shared memory that is shorter than what a process may have mapped. SQLite takes the
/// zeros for no memory, and reads the log instead.
pub(super) fn lengthen(shared: &Path, log: &Path) {
    let regions = 1 + files::size(log) / FRAME / PAGES;
    let missing = (regions * REGION).saturating_sub(files::size(shared));
    if missing > 0 && files::is_file(shared) {
        // Appended, because another process may lengthen it at the same moment.
        let _ = files::append(shared, &vec![0; missing]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_that_was_cut_has_its_size_again_and_none_is_made() {
        let folder = tempfile::tempdir().expect("a folder");
        let (shared, log) = (folder.path().join("shm"), folder.path().join("wal"));
        lengthen(&shared, &log);
        assert!(!shared.exists());
        for length in [0, 3, REGION - 1, REGION, REGION + 5] {
            files::write(&shared, &vec![7; length]).expect("written");
            lengthen(&shared, &log);
            let bytes = files::read(&shared).expect("readable").expect("there");
            assert_eq!(bytes.len(), length.max(REGION));
            assert!(bytes[..length].iter().all(|byte| *byte == 7), "what is there stays");
        }
        files::write(&log, &vec![0; FRAME * PAGES]).expect("written");
        lengthen(&shared, &log);
        assert_eq!(files::size(&shared), 2 * REGION);
    }
}
