//! How long a process waits for others that hold an index.
//!
//! Invariant: a command waits once. After a wait in vain it goes on without what it waited for, and
//! hardly waits again; a server does so later.

use crate::system::SystemError;
use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

const LONG: Duration = Duration::from_secs(2);
const SHORT: Duration = Duration::from_millis(50);
/// How long after a wait in vain the next ones are short.
const AFTERWARDS: Duration = Duration::from_secs(10);
/// After how long SQLite tries again.
const STEP: Duration = Duration::from_millis(5);

/// When a wait was last in vain.
static IN_VAIN: Mutex<Option<Instant>> = Mutex::new(None);

/// How long to wait now.
pub(super) fn wait() -> Duration {
    let last = IN_VAIN.lock().unwrap_or_else(PoisonError::into_inner);
    wait_after(last.map(|at| at.elapsed()))
}

fn wait_after(in_vain: Option<Duration>) -> Duration {
    if in_vain.is_some_and(|ago| ago < AFTERWARDS) { SHORT } else { LONG }
}

fn note_in_vain() {
    *IN_VAIN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
}

/// Whether SQLite shall try again, after so many times.
pub(super) fn try_again(times: i32) -> bool {
    let waited = STEP * u32::try_from(times).unwrap_or(u32::MAX);
    let is_worth_it = waited < wait();
    if is_worth_it {
        thread::sleep(STEP);
    } else {
        note_in_vain();
    }
    is_worth_it
}

/// The result of a wait for a lock, noted if it was in vain.
pub(super) fn noted<T>(waited: Result<T, SystemError>) -> Result<T, SystemError> {
    if matches!(waited, Err(SystemError::Busy { .. })) {
        note_in_vain();
    }
    waited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_wait_in_vain_the_next_are_short_for_a_while() {
        assert_eq!(wait_after(None), LONG);
        assert_eq!(wait_after(Some(Duration::ZERO)), SHORT);
        assert_eq!(wait_after(Some(AFTERWARDS / 2)), SHORT);
        assert_eq!(wait_after(Some(AFTERWARDS)), LONG);
    }
}
