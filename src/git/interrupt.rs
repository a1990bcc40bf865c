//! Ctrl-C while git pushes: git ends, and this process goes on to say what came of it.
//!
//! Invariant: at any other moment, and the second time, Ctrl-C ends this process; every other
//! signal does as it always did. Must not know: what the person is told.

use super::pushing::stop_push;
use std::{sync::Once, thread};

static WATCHED: Once = Once::new();
/// The exit code of a program that Ctrl-C ended: 128, and the number of the signal.
const INTERRUPTED: i32 = 130;

/// From now on, Ctrl-C ends a push rather than this process.
pub fn watch() {
    WATCHED.call_once(|| {
        thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Without it, Ctrl-C ends this process.
            let Ok(runtime) = runtime else { return };
            while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
                if !stop_push() {
                    end();
                }
            }
        });
    });
}

#[expect(clippy::exit, reason = "a watched signal cannot be given back to the system")]
fn end() -> ! {
    std::process::exit(INTERRUPTED)
}
