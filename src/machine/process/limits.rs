//! How far a process may go.
//!
//! Invariant: only values. Must not know which program it is.

use super::end::Started;
use std::{sync::atomic::AtomicBool, time::Duration};

/// Whether one of these running processes is what is waited for.
pub type AwaitedTest = Box<dyn Fn(&[Started]) -> bool + Send + Sync>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProcessGroup {
    /// Ctrl-C reaches it, and it may ask on the terminal.
    Terminal,
    /// A separate process group can be killed as a whole.
    Own,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Limits {
    pub(super) silence: Option<Duration>,
    pub(super) deadline: Option<Duration>,
    /// Maximum bytes of standard output before it is killed.
    pub(super) output: Option<u64>,
    /// Bytes of standard output that are kept; the rest is read and discarded.
    pub(super) kept: Option<usize>,
    /// Maximum bytes of resident memory.
    pub(super) memory: Option<u64>,
    /// Lines of standard output after which nothing more is needed.
    pub(super) lines: Option<usize>,
    pub(super) aborted: Option<&'static AtomicBool>,
    /// Whether its child processes are killed even after a normal exit.
    pub(super) leaves_nothing: bool,
}
