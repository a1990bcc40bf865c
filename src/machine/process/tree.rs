//! The child processes of a process, and their children.
//!
//! Invariant: only reads; a process that exits meanwhile is not an error.

use super::{
    end::Started,
    listed::{self, Ps},
};

/// All processes below one.
pub(super) fn descendants(of: u32, ps: Ps) -> Vec<u32> {
    below(of, children(ps))
}

/// What all processes below one are, the nearest first.
pub(super) fn started_by(of: u32, ps: Ps) -> Vec<Started> {
    let children = children(ps);
    let direct = children(of);
    let started = |number: u32| Started {
        is_direct: direct.contains(&number),
        words: listed::words_of(number, ps),
        folder: listed::folder_of(number),
    };
    below(of, &children).into_iter().map(started).collect()
}

/// The children of each process.
fn children(ps: Ps) -> impl Fn(u32) -> Vec<u32> {
    // If there is `/proc`, `ps` need not be installed.
    let listed = if cfg!(target_os = "linux") { Vec::new() } else { listed::processes(ps) };
    move |pid| {
        if cfg!(target_os = "linux") { children_by_proc(pid) } else { children_of(pid, &listed) }
    }
}

fn below(of: u32, children: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
    let mut found = vec![of];
    let mut at = 0;
    while let Some(pid) = found.get(at).copied() {
        // Numbers are used again, so that a list may contain a circle.
        let new = children(pid).into_iter().filter(|child| !found.contains(child));
        let new: Vec<u32> = new.collect();
        found.extend(new);
        at += 1;
    }
    found.split_off(1)
}

/// Each thread has its own children.
fn children_by_proc(pid: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let listed =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let listed: Vec<String> = listed.collect();
    let numbers = listed.iter().flat_map(|listed| listed.split_whitespace());
    numbers.filter_map(|pid| pid.parse().ok()).collect()
}

/// From a list of processes with their parents.
fn children_of(pid: u32, listed: &[(u32, u32)]) -> Vec<u32> {
    listed.iter().filter(|(_, parent)| *parent == pid).map(|(child, _)| *child).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::ps, *};
    use std::process::Command;

    #[test]
    fn all_that_it_started_is_found_where_only_ps_lists_it() {
        let listed = [(10, 1), (11, 10), (12, 11), (13, 1), (14, 10), (10, 12)];
        let mut found = below(10, |pid| children_of(pid, &listed));
        found.sort_unstable();
        assert_eq!(found, [11, 12, 14]);
        // In the format of the real one; `ps` is not on every machine.
        let mut child = Command::new("sleep").arg("30").spawn().expect("sleep");
        let listed = listed::processes(ps);
        let mine = children_of(std::process::id(), &listed);
        assert!(listed.is_empty() || mine.contains(&child.id()), "{mine:?}");
        let _ = child.kill().and_then(|()| child.wait());
        let start = || Command::new("sleep").arg("30").spawn().expect("sleep");
        let child = std::thread::spawn(move || {
            let child = start();
            // While its thread lives, it is that thread's child.
            assert!(descendants(std::process::id(), ps).contains(&child.id()));
            child
        });
        let mut child = child.join().expect("a thread");
        let _ = child.kill().and_then(|()| child.wait());
    }
}
