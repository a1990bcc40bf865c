//! How a process ended, and what it left.
//!
//! Invariant: only values. Must not know which program it was.

use std::{path::PathBuf, process::ExitStatus};

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Exited(Option<ExitStatus>),
    /// The requested number of lines was read.
    Enough,
    Silent,
    Late,
    TooMuchOutput,
    TooMuchMemory,
    Aborted,
}

impl End {
    pub fn is_success(self) -> bool {
        matches!(self, End::Exited(Some(status)) if status.success())
    }
}

#[derive(Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// What it had started and was killed with it, if it was silent or late.
    pub left: Vec<Started>,
}

/// A process below one that was killed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Started {
    /// Whether the killed program started it itself.
    pub is_direct: bool,
    /// Its command line; none if the system does not tell.
    pub words: Vec<String>,
    /// The folder that it worked in, where the system tells.
    pub folder: Option<PathBuf>,
}
