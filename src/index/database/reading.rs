//! How long an index is read for, and waited for.
//!
//! Invariant: only values.

use crate::machine::{Context, context::Answers};
use std::time::Duration;

/// How long an index is read for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// For one command. Mapped into memory, where the file system is local.
    Once,
    /// For many questions, so long that something else may cut the file, which would kill a process
    /// that has it mapped.
    Kept,
}

impl Use {
    /// By a process with this context.
    pub fn of(context: &Context) -> Use {
        match context.answers {
            Answers::One => Use::Once,
            Answers::Many => Use::Kept,
        }
    }
}

/// How long a reader or a writer waits for the other.
pub(super) const WAIT: Duration = Duration::from_secs(2);
