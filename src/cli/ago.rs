//! How long ago something was, on every screen that says so.
//!
//! Invariant: pure. In a hand-off, which is a file, `identity::handoff` says it.

use super::style::plural;
use crate::foreign::{Said, said};

/// A time span as people say it.
pub(super) fn since(micros: i64) -> Said {
    // Rounded to the nearest minute.
    let minutes = (micros + 30_000_000) / 60_000_000;
    let count = |count: i64, one: &str, many: &str| {
        said!("{} ago", plural(usize::try_from(count).unwrap_or(0), one, many))
    };
    match minutes {
        ..1 => Said::from("just now"),
        1..120 => count(minutes, "minute", "minutes"),
        120..2_880 => count(minutes / 60, "hour", "hours"),
        _ => count(minutes / 1_440, "day", "days"),
    }
}
