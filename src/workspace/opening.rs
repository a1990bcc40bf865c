//! Opens the world of a call.
//!
//! Invariant: what a killed co left is finished before anything is read.

use super::{Workspace, power_loss, recovery, transaction};
use crate::machine::Context;

impl Workspace {
    /// The workspace when co starts, not before each call of a server: also finishes a move that a
    /// killed co began, after which the identity is elsewhere, and restores what a restart of the
    /// laptop lost; with a message about the restored files.
    pub fn at_start(context: Context) -> (Workspace, Option<String>) {
        let ws = Workspace::open(transaction::resumed(context));
        let restored = power_loss::restore_lost(&ws);
        (ws, restored)
    }

    /// Finishes what a killed co left half-done, as far as no other co is at work.
    pub fn open(context: Context) -> Workspace {
        let ws = Workspace::unrecovered(context);
        recovery::recover(&ws);
        ws
    }
}
