//! Makes writes survive a power cut: flushes of files, folders and whole volumes.
//!
//! Invariant: a volume that does not support the strongest flush (network and exFAT volumes of
//! macOS) gets the next weaker one; a disk error is never taken for missing support. Must not know
//! what is written.

use super::{
    error::{At, SystemError},
    platform,
};
use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

/// Waits until a file is on the disk.
pub(crate) fn flush(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if platform::is_flush_unsupported(&error) => hand_over(file),
        other => other,
    }
}

/// Passes writes to the drive, which on macOS may still keep them in its cache.
fn hand_over(file: &File) -> io::Result<()> {
    match platform::hand_over(file) {
        Err(error) if platform::is_flush_unsupported(&error) => Ok(()),
        other => other,
    }
}

/// Makes the names in a folder durable. If the file system cannot do that, it is not an error: the
/// renames are done already.
pub(crate) fn flush_folder(folder: &Path) {
    if let Ok(folder) = platform::open_to_flush(folder) {
        let _ = flush(&folder);
    }
}

/// As [`flush_folder`] for many folders, with one flush of the drive's cache.
pub(crate) fn flush_folders<'a>(folders: impl IntoIterator<Item = &'a PathBuf>) {
    let mut last = None;
    for folder in folders.into_iter().filter_map(|folder| platform::open_to_flush(folder).ok()) {
        let _ = hand_over(&folder);
        last = Some(folder);
    }
    // Elsewhere, data passed to the drive is on disk.
    if let (Some(folder), true) = (last, cfg!(target_os = "macos")) {
        let _ = flush(&folder);
    }
}

/// Whether one call can flush a whole volume.
const ONE_FLUSH_FOR_ALL: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Called for each file that is staged for [`flush_staged`], while it is open.
pub(crate) fn hand_over_staged(file: &File) -> io::Result<()> {
    if ONE_FLUSH_FOR_ALL { Ok(()) } else { hand_over(file) }
}

/// Waits until staged files, all on the folder's volume, are on the disk: one flush for all.
pub(crate) fn flush_staged(folder: &Path, staged: &[&Path]) -> Result<(), SystemError> {
    let Some(last) = staged.last() else { return Ok(()) };
    if let ([_], _) | (_, false) = (staged, ONE_FLUSH_FOR_ALL) {
        return flush_each(&[last]);
    }
    match platform::flush_volume(folder) {
        Err(error) if platform::is_flush_unsupported(&error) => flush_each(staged),
        other => other.at("write", folder),
    }
}

/// As [`flush_staged`], for files that were not passed to the drive yet.
pub(crate) fn flush_written(folder: &Path, written: &[&Path]) -> Result<(), SystemError> {
    if ONE_FLUSH_FOR_ALL { flush_staged(folder, written) } else { flush_each(written) }
}

fn flush_each(files: &[&Path]) -> Result<(), SystemError> {
    let flushed = |path: &&Path| {
        platform::open_to_flush(path).and_then(|file| flush(&file)).at("write", path)
    };
    files.iter().try_for_each(flushed)
}
