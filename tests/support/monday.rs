//! A laptop on one Monday, and facts there that hold for a time or that others replace.

use super::{Laptop, World, by_hand::at, ready::laptop};

pub const MONDAY: &str = "2026-11-16T12:00:00Z";

pub fn on_monday(world: &World) -> Laptop {
    at(&laptop(world, "a"), MONDAY)
}

/// Munich, and Hamburg that replaces it.
pub fn moved(world: &World) -> Laptop {
    let a = on_monday(world);
    a.co(&["learn", "I live in Munich"]);
    a.co(&["learn", "I live in Hamburg", "--replaces", "1"]);
    a
}

/// Half a minute later: within its second, the clock of a test runs as it likes.
pub fn later(a: &Laptop) -> Laptop {
    let now = a.env_of("CO_TEST_CLOCK").expect("because its clock is set");
    at(a, &now.replace(":00Z", ":30Z"))
}

pub fn shows(a: &Laptop, shown: &[&str], hidden: &[&str]) {
    let listed = later(a).co(&["list"]);
    assert!(shown.iter().all(|text| listed.contains(text)), "{shown:?}: {listed}");
    assert!(!hidden.iter().any(|text| listed.contains(text)), "{hidden:?}: {listed}");
}
