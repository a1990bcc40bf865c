//! The number of the last operation, which saves reading the whole log.
//!
//! Invariant: written in its place, because a new file for each operation takes longer than the
//! operation; a power cut may lose it, and one that cannot be read is none. Under the log's lock.

use crate::machine::{
    error::{At, SystemError},
    files,
};
use std::{fs::OpenOptions, io::Write, path::Path};

/// `None` if there is none.
pub(super) fn read(file: &Path) -> Result<Option<u64>, SystemError> {
    Ok(files::read_text(file)?.and_then(|text| text.trim().parse().ok()))
}

/// Numbers only grow, so that a shorter one never leaves digits of a longer one behind.
pub(super) fn write(file: &Path, op: u64) -> Result<(), SystemError> {
    let digits = op.to_string();
    // Something else than a shorter number is replaced.
    if files::size(file) > digits.len() || !files::is_file(file) || files::is_link(file) {
        return files::write_private(file, digits.as_bytes());
    }
    match OpenOptions::new().write(true).open(file) {
        Ok(mut open) => open.write_all(digits.as_bytes()).at("write", file),
        // One that a restore made read-only is replaced, too.
        Err(_) => files::write_private(file, digits.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_is_read_whatever_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("last");
        assert_eq!(read(&file).expect("read"), None);
        for op in [1, 9, 10, 99, 100, 12_345, u64::MAX] {
            write(&file, op).expect("written");
            assert_eq!(read(&file).expect("read"), Some(op));
        }
        for before in ["", "7", "x", "12\n", "123456", "garbage that is longer"] {
            files::write_private(&file, before.as_bytes()).expect("written");
            write(&file, 42).expect("written");
            assert_eq!(read(&file).expect("read"), Some(42), "{before:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn one_that_is_read_only_is_replaced() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("last");
        write(&file, 7).expect("written");
        let read_only = std::fs::Permissions::from_mode(0o400);
        std::fs::set_permissions(&file, read_only).expect("set");
        write(&file, 8).expect("written");
        assert_eq!(read(&file).expect("read"), Some(8));
    }
}
