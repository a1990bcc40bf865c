//! Advisory file locks between co processes: the identity lock and the write lock.
//!
//! Invariant: locks are kernel file locks, so a killed co leaves none behind. The identity lock is
//! for sync and repair and may be held during network access; the write lock only while files
//! change, so that saving never waits for a network.

use super::{
    error::{At, SystemError},
    platform,
};
use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// Released on drop.
#[derive(Debug)]
pub struct Lock {
    _file: File,
    is_at_once: bool,
}

impl Lock {
    /// Whether nobody else had it.
    pub fn is_at_once(&self) -> bool {
        self.is_at_once
    }
}

/// Waits at most `timeout`, then fails with [`SystemError::Busy`].
pub fn folder(path: &Path, timeout: Duration) -> Result<Lock, SystemError> {
    let file = platform::lock_file(path).at("open", path)?;
    let until = Instant::now() + timeout;
    let mut is_at_once = true;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock { _file: file, is_at_once }),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                is_at_once = false;
                thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(SystemError::Busy { path: path.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(error).at("lock", path),
        }
    }
}

/// Whether no running process holds a lock on a file; false if the file is gone.
pub fn is_free(path: &Path) -> bool {
    platform::is_free(path)
}
