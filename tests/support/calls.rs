//! The system calls of a command, counted with `strace`, which do not depend on the machine.

use super::{Laptop, World, pair::pair};
use std::fs;

/// The system calls of a kind that a command makes.
pub fn calls_of(world: &World, laptop: &Laptop, kind: &str, command: &[&str]) -> Vec<String> {
    let log = world.path("calls");
    let log_name = log.to_str().expect("UTF-8");
    let trace = format!("trace={kind}");
    let co = env!("CARGO_BIN_EXE_co");
    let strace = ["-f", "-qq", "-e", &trace, "-o", log_name, co];
    let ended = laptop.command_of("strace", &[&strace, command].concat()).output();
    let ended = ended.expect("strace runs");
    assert!(ended.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
    fs::read_to_string(&log).expect("the log").lines().map(str::to_owned).collect()
}

/// Two laptops, of which the first has published three hundred facts more.
pub fn with_many(world: &World) -> (Laptop, Laptop) {
    let (laptop, other) = pair(world);
    for number in 100..400 {
        let created = format!("2026-01-01T{:02}:{:02}:00+00:00", number / 60, number % 60);
        let text = format!("---\nid: {number}\ncreated: {created}\n---\n\nFact number {number}\n");
        laptop.write(&format!("knowledge/memories/{number}-fact.md"), &text);
    }
    laptop.co(&["sync"]);
    (laptop, other)
}
