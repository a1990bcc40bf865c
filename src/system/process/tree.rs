//! The child processes of a process, and their children.
//!
//! Invariant: only reads; a process that exits meanwhile is not an error.

use crate::system::program;

/// All processes below one.
pub(super) fn descendants(of: u32) -> Vec<u32> {
    below(of, &program::processes())
}

/// From a list of processes with their parents.
fn below(of: u32, listed: &[(u32, u32)]) -> Vec<u32> {
    let children = |pid| listed.iter().filter(move |(_, parent)| *parent == pid);
    let mut found = vec![of];
    let mut at = 0;
    while let Some(pid) = found.get(at).copied() {
        let new = children(pid).map(|(child, _)| *child).filter(|child| !found.contains(child));
        let new: Vec<u32> = new.collect();
        found.extend(new);
        at += 1;
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn all_that_it_started_is_found() {
        let listed = [(10, 1), (11, 10), (12, 11), (13, 1), (14, 10), (10, 12)];
        let mut found = below(10, &listed);
        found.sort_unstable();
        assert_eq!(found, [11, 12, 14], "and a circle ends: numbers are used again");
        let mut child = Command::new("sleep").arg("30").spawn().expect("sleep");
        assert!(descendants(std::process::id()).contains(&child.id()));
        let _ = child.kill().and_then(|()| child.wait());
    }
}
