//! Facts as somebody writes them into files, at a moment of their own.

use super::Laptop;

/// The laptop at a moment.
pub fn at(laptop: &Laptop, moment: &str) -> Laptop {
    laptop.with_env("TZ", "UTC").with_env("CO_TEST_CLOCK", moment)
}

/// Writes a fact of 2 November with these keys.
pub fn fact(laptop: &Laptop, id: u32, keys: &str, text: &str) {
    let front = format!("id: {id}\ncreated: 2026-11-02T09:00:0{id}.5+00:00\n{keys}");
    laptop.write(
        &format!("knowledge/memories/{id:03}-by-hand.md"),
        &format!("---\n{front}---\n\n{text}\n"),
    );
}
