//! Other programs on this machine: where they are, which are running, and their memory.
//!
//! Invariant: only reads. [`super::process`] starts and ends them.

use super::{files, platform, process::Process};
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

/// Every process with its parent.
pub fn processes() -> Vec<(u32, u32)> {
    platform::processes(ps)
}

/// The memory of a process, in bytes.
pub fn memory(number: u32) -> Option<u64> {
    platform::memory(number, ps)
}

/// The words of a process's command line; none if the system does not tell.
pub fn words_of(number: u32) -> Vec<String> {
    // If there is `/proc`, `ps` need not be installed.
    let Ok(line) = std::fs::read(format!("/proc/{number}/cmdline")) else {
        return platform::words_of(number, ps);
    };
    let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// The folder that a process works in, where `/proc` tells.
pub fn folder_of(number: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{number}/cwd")).ok()
}

/// What the `ps` of any Unix prints; empty if there is none.
fn ps(args: &[&str]) -> String {
    let listed = Process::new("ps").args(args).run();
    listed.map_or_else(|_| String::new(), |it| String::from_utf8_lossy(&it.stdout).into_owned())
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
