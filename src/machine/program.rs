//! Other programs on this machine: where they are, and which are running.
//!
//! Invariant: only reads. [`super::process`] starts and ends them.

use super::{files, platform};
use std::path::PathBuf;

/// Whether a process with this id is running, whichever user owns it.
pub fn is_running(number: u32) -> bool {
    number > 0 && platform::is_running(number)
}

/// The program with this name on a PATH.
pub fn find(name: &str, path: &str) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let names = platform::program_names(name);
    let mut there = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    there.find(|program| files::is_executable(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_found_on_a_path() {
        assert!(find("sh", "/nowhere:/bin").is_some());
        assert!(find("sh", "relative:").is_none());
    }
}
