//! What the system tells of the processes that run now.
//!
//! Invariant: only reads; a process that exits meanwhile is not an error.

use crate::machine::platform;
use std::path::PathBuf;

/// What the `ps` of any Unix prints, given these arguments; empty if there is none.
pub(super) type Ps = fn(&[&str]) -> String;

/// Every process with its parent.
pub(super) fn processes(ps: Ps) -> Vec<(u32, u32)> {
    platform::processes(ps)
}

/// The memory of a process, in bytes.
pub(super) fn memory(number: u32, ps: Ps) -> Option<u64> {
    platform::memory(number, ps)
}

/// The words of a process's command line; none if the system does not tell.
pub(super) fn words_of(number: u32, ps: Ps) -> Vec<String> {
    // If there is `/proc`, `ps` need not be installed.
    let Ok(line) = std::fs::read(format!("/proc/{number}/cmdline")) else {
        return platform::words_of(number, ps);
    };
    let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// The folder that a process works in, where `/proc` tells.
pub(super) fn folder_of(number: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{number}/cwd")).ok()
}
