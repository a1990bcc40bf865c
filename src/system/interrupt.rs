//! Ctrl-C while git pushes: git ends, and this process goes on to say what came of it.
//!
//! Invariant: before the first [`watch`], a signal ends this process as it always does. Must not
//! know: what the person is told.

use super::{
    git::{self, Talk},
    platform,
};
use std::{
    sync::{Mutex, Once, PoisonError},
    thread,
};

static WATCHED: Once = Once::new();
/// How far the push had come.
static STOPPED: Mutex<Option<Talk>> = Mutex::new(None);

/// From now on, Ctrl-C ends the git that runs, and every later one at once.
pub fn watch() {
    WATCHED.call_once(|| {
        thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Without it, a signal ends this process.
            let Ok(runtime) = runtime else { return };
            if runtime.block_on(platform::interrupted()).is_ok() {
                *STOPPED.lock().unwrap_or_else(PoisonError::into_inner) = Some(git::talk());
                git::abort_all();
            }
        });
    });
}

/// How far the push had come when the person stopped it; `None` if nobody did.
pub fn stopped_at() -> Option<Talk> {
    STOPPED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
