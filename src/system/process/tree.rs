//! The child processes of a process, and their children.
//!
//! Invariant: only reads; a process that exits meanwhile is not an error.

use crate::system::program;

/// All processes below one.
pub(super) fn descendants(of: u32) -> Vec<u32> {
    // If there is `/proc`, `ps` need not be installed.
    let listed = if cfg!(target_os = "linux") { Vec::new() } else { program::processes() };
    below(of, |pid| {
        if cfg!(target_os = "linux") { children_by_proc(pid) } else { children_of(pid, &listed) }
    })
}

fn below(of: u32, children: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
    let mut found = children(of);
    let mut at = 0;
    while let Some(pid) = found.get(at).copied() {
        found.extend(children(pid));
        at += 1;
    }
    found
}

fn children_by_proc(pid: u32) -> Vec<u32> {
    let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    listed.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// From a list of processes with their parents.
fn children_of(pid: u32, listed: &[(u32, u32)]) -> Vec<u32> {
    listed.iter().filter(|(_, parent)| *parent == pid).map(|(child, _)| *child).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn all_that_it_started_is_found_where_only_ps_lists_it() {
        let listed = [(10, 1), (11, 10), (12, 11), (13, 1), (14, 10)];
        let mut found = below(10, |pid| children_of(pid, &listed));
        found.sort_unstable();
        assert_eq!(found, [11, 12, 14]);
        // In the format of the real one; `ps` is not on every machine.
        let mut child = Command::new("sleep").arg("30").spawn().expect("sleep");
        let listed = program::processes();
        let mine = children_of(std::process::id(), &listed);
        assert!(listed.is_empty() || mine.contains(&child.id()), "{mine:?}");
        let _ = child.kill().and_then(|()| child.wait());
    }
}
