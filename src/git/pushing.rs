//! The push that a person may stop: while its git runs, and no longer.
//!
//! Invariant: stopping it ends no other git, neither one before it nor one after it. Must not know
//! what a signal is.

use super::{
    GitError,
    process::{self, Output},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    None,
    Running,
    Stopped,
}

static STATE: Mutex<State> = Mutex::new(State::None);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As long as it lives, [`stop_push`] ends the git that runs.
pub(super) struct Pushing;

impl Pushing {
    pub(super) fn begin() -> Pushing {
        *state() = State::Running;
        Pushing
    }

    /// Fails if it was stopped before git was done.
    pub(super) fn end(self, output: &Output) -> Result<(), GitError> {
        let is_stopped = *state() == State::Stopped;
        if is_stopped && !output.ok { Err(GitError::Stopped) } else { Ok(()) }
    }
}

impl Drop for Pushing {
    fn drop(&mut self) {
        let mut now = state();
        if *now == State::Stopped {
            process::abort_no_more();
        }
        *now = State::None;
    }
}

/// Ends the git that pushes. `false` if none does, or if it was asked to end already.
pub(super) fn stop_push() -> bool {
    let mut now = state();
    let is_running = *now == State::Running;
    if is_running {
        *now = State::Stopped;
        process::abort_all();
    }
    is_running
}
