//! Two co processes at once: who may do what.
//!
//! Invariant: locks belong to open files of the kernel, so a co that dies leaves none behind. The
//! identity lock is for sync and repair and may be held while the network answers; the writing lock
//! is held only while files change, so that saving never waits for a network.

use super::error::{At, SystemError};
use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// A lock that ends when it is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Takes the lock of a folder, waiting at most `patience`.
///
/// # Errors
/// [`SystemError::Busy`] when another process keeps it.
pub fn folder(path: &Path, patience: Duration) -> Result<Lock, SystemError> {
    let file = File::open(path).at("open", path)?;
    let until = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                thread::sleep(Duration::from_millis(20))
            }
            Err(TryLockError::WouldBlock) => {
                return Err(SystemError::Busy { path: path.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(error).at("lock", path),
        }
    }
}
