//! What a process waits for, and for how long: a hook that prints without end is never silent.
//!
//! Invariant: the time counts while it runs without a break, whatever is printed meanwhile. Must
//! not know which program it is.

use super::{end::Started, limits::AwaitedTest};
use std::time::{Duration, Instant};

/// How often to look for it: the processes of a busy machine are many.
const LOOK: Duration = Duration::from_secs(1);

pub(super) struct Awaited {
    limit: Duration,
    is_awaited: AwaitedTest,
    looked: Instant,
    /// Since when it has been there.
    since: Option<Instant>,
}

impl Awaited {
    pub(super) fn new(limit: Duration, is_awaited: AwaitedTest) -> Awaited {
        Awaited { limit, is_awaited, looked: Instant::now(), since: None }
    }

    /// Whether it has been there for longer than the limit. `running` lists what runs now.
    pub(super) fn is_overdue(&mut self, running: impl FnOnce() -> Vec<Started>) -> bool {
        let before = self.looked;
        if before.elapsed() < LOOK {
            return false;
        }
        self.looked = Instant::now();
        if !(self.is_awaited)(&running()) {
            self.since = None;
            return false;
        }
        // It may have started right after the last look.
        self.since.get_or_insert(before).elapsed() > self.limit
    }
}
