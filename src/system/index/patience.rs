//! How long a call waits for an index that others use.
//!
//! Invariant: all that a call opens share one wait; once that was in vain, nothing waits again, so
//! that waits never add up. Must not know what is waited for.

use super::IndexError;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How long a reader or a writer waits for the other.
pub(super) const WAIT: Duration = Duration::from_secs(2);

/// What is left of the one wait of a call; shared by its copies.
#[derive(Clone, Debug, Default)]
pub struct Patience(Arc<AtomicBool>);

impl Patience {
    /// Whether an index was still in use after a wait.
    pub fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn wait(&self) -> Duration {
        if self.is_spent() { Duration::ZERO } else { WAIT }
    }

    /// Remembers a wait that was in vain.
    pub(super) fn noted<T>(&self, result: Result<T, IndexError>) -> Result<T, IndexError> {
        if result.as_ref().is_err_and(IndexError::is_busy) {
            self.0.store(true, Ordering::Relaxed);
        }
        result
    }
}
