//! Other programs on this machine: where they are, which are running, and their memory.
//!
//! Invariant: only reads. [`super::process`] starts and ends them.

use super::process::Process;
use rustix::process::{Pid, test_kill_process};
use std::path::{Path, PathBuf};

/// Whether a process with this id is running, whichever user owns it.
pub fn is_running(number: i32) -> bool {
    let Some(process) = Pid::from_raw(number).filter(|_| number > 0) else { return false };
    !matches!(test_kill_process(process), Err(rustix::io::Errno::SRCH))
}

/// The program with this name on a PATH.
pub fn find(name: &str, path: &str) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|program| is_executable(program))
}

pub fn is_executable(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(program)
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Every process with its parent, from the `ps` of any Unix; empty if there is no `ps`.
pub fn processes() -> Vec<(u32, u32)> {
    let pair = |line: &str| {
        let mut numbers = line.split_whitespace().map(|number| number.parse().ok());
        Some((numbers.next()??, numbers.next()??))
    };
    ps(&["-A", "-o", "pid=", "-o", "ppid="]).lines().filter_map(pair).collect()
}

/// The memory of a process, in bytes.
pub fn memory(pid: u32) -> Option<u64> {
    let kib: u64 = ps(&["-o", "rss=", "-p", &pid.to_string()]).trim().parse().ok()?;
    Some(kib * 1024)
}

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
