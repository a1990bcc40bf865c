//! Other programs on this machine: where they are, which are running, and their memory.
//!
//! Invariant: [`super::process`] starts them; from here they are only looked up, and killed.

use super::platform;
use std::path::{Path, PathBuf};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Whether a process with this id is running, whichever user owns it.
pub fn is_running(number: u32) -> bool {
    look_up(number, ProcessRefreshKind::nothing()).process(Pid::from_u32(number)).is_some()
}

/// The program with this name on a PATH.
pub fn find(name: &str, path: &str) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let names = platform::program_names(name);
    let there = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    there.into_iter().find(|program| is_executable(program))
}

pub fn is_executable(program: &Path) -> bool {
    let is_program =
        |meta: std::fs::Metadata| meta.is_file() && platform::is_executable(&meta) != Some(false);
    std::fs::metadata(program).is_ok_and(is_program)
}

/// Every process with its parent.
pub fn processes() -> Vec<(u32, u32)> {
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, false, kind);
    let with_parent = |(pid, process): (&Pid, &sysinfo::Process)| {
        Some((pid.as_u32(), process.parent()?.as_u32()))
    };
    system.processes().iter().filter_map(with_parent).collect()
}

/// The memory of a process, in bytes.
pub fn memory(number: u32) -> Option<u64> {
    let system = look_up(number, ProcessRefreshKind::nothing().with_memory());
    system.process(Pid::from_u32(number)).map(sysinfo::Process::memory)
}

/// Ends a process at once, if it is there and permitted.
pub fn kill(number: u32) {
    let system = look_up(number, ProcessRefreshKind::nothing());
    if let Some(process) = system.process(Pid::from_u32(number)) {
        process.kill();
    }
}

fn look_up(number: u32, kind: ProcessRefreshKind) -> System {
    let mut system = System::new();
    let one = [Pid::from_u32(number)];
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&one), false, kind.without_tasks());
    system
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
