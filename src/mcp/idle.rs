//! Background embedding of texts without vectors while the server is idle.
//!
//! Invariant: a call never waits for more than the few texts being encoded; only one thread does
//! the work, and it ends when nothing is left.

use crate::upkeep::reindex;
use crate::workspace::Workspace;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// How long there must have been no calls.
const QUIET: Duration = Duration::from_millis(300);
/// How long it works before it checks for calls.
const SLICE: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Idle {
    /// Calls in progress.
    calls: AtomicUsize,
    /// Calls that were ever started.
    begun: AtomicUsize,
    is_working: AtomicBool,
}

/// A call in progress.
pub(super) struct Answering(Arc<Idle>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Idle {
    pub(super) fn answering(self: &Arc<Idle>) -> Answering {
        self.calls.fetch_add(1, Ordering::AcqRel);
        self.begun.fetch_add(1, Ordering::AcqRel);
        Answering(self.clone())
    }

    /// Works until nothing is left, unless another thread is already doing so.
    pub(super) fn work(&self, ws: &Workspace) {
        if self.is_working.swap(true, Ordering::AcqRel) {
            return;
        }
        while self.is_quiet() && reindex::encode_some(ws, SLICE) {}
        self.is_working.store(false, Ordering::Release);
    }

    /// Waits until there have been no calls for a while.
    fn is_quiet(&self) -> bool {
        loop {
            let before = self.begun.load(Ordering::Acquire);
            thread::sleep(QUIET);
            let is_idle = self.calls.load(Ordering::Acquire) == 0;
            if is_idle && self.begun.load(Ordering::Acquire) == before {
                return true;
            }
        }
    }
}
