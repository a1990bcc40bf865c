//! What a sync costs depends on what changed, not on how much there is. Counted in system calls,
//! which do not depend on the machine.

use crate::support::{
    Laptop, World,
    calls::{calls_of, with_many},
    pair::{assert_agree, pair},
    report_skipped, require_tool,
};
use std::fs;

/// The system calls of a kind that a sync makes.
fn calls(world: &World, laptop: &Laptop, kind: &str) -> Vec<String> {
    calls_of(world, laptop, kind, &["identity", "sync"])
}

#[test]
fn many_incoming_facts_are_brought_to_the_disk_together() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let (a, b) = with_many(&world);
    let calls = calls(&world, &b, "fsync,fdatasync,syncfs,sync_file_range");
    assert_eq!(b.facts().len(), 303);
    // One disk barrier a batch and one a folder, and git's own; not one a fact.
    assert!(calls.len() < 60, "{} calls for 300 facts", calls.len());
    assert_agree(&[&a, &b]);
}

#[test]
fn a_sync_reads_what_changed_and_nothing_else() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let (a, b) = with_many(&world);
    // What was written in the second of the index is looked into once more.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    a.co(&["learn", "One more"]);
    a.co(&["identity", "sync"]);
    a.edit(
        "knowledge/memories/123-fact.md",
        "Fact number 123",
        "Fact one hundred and twenty-three",
    );
    let opened = calls(&world, &a, "openat,open");
    let memories =
        opened.iter().filter(|call| call.contains("-fact.md") && !call.contains("ENOENT"));
    let memories: Vec<&String> = memories.filter(|call| !call.contains("123-fact.md")).collect();
    assert!(memories.is_empty(), "unchanged files were opened: {memories:#?}");
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
}

#[test]
fn what_a_sync_remembers_can_be_damaged_and_lost() {
    let world = World::new();
    let (a, b) = pair(&world);
    for damage in [&b""[..], b"no database", b"\xff\xff\xff\xff"] {
        assert!(a.index().is_file(), "the sync before kept what it read");
        fs::write(a.index(), damage).expect("written");
        a.co(&["learn", &format!("After {} bytes", damage.len())]);
        a.co(&["identity", "sync"]);
    }
    fs::remove_file(a.index()).expect("removed");
    a.co(&["learn", "After nothing"]);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
}

#[test]
fn an_object_that_is_lost_stops_a_sync_before_it_writes() {
    let world = World::new();
    let (a, b) = pair(&world);
    let path = a.file_of("Prefers tabs");
    let id = a.git(&["rev-parse", &format!("HEAD:{path}")]);
    let object = a.identity().join(".git/objects").join(&id[..2]).join(&id.trim()[2..]);
    let bytes = fs::read(&object).expect("a loose object");
    fs::remove_file(&object).expect("removed");
    a.edit(&path, "Prefers tabs", "Prefers tabs, eight wide");
    let head = a.git(&["rev-parse", "HEAD"]);
    let said = a.fails(10, &["identity", "sync"]);
    assert!(said.contains("git fsck"), "{said}");
    assert!(a.read(&path).contains("eight wide"));
    assert_eq!(a.git(&["rev-parse", "HEAD"]), head);
    fs::write(&object, bytes).expect("written");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
}
