//! Why a laptop was not made to sync by itself.

use crate::workspace::{ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum TimerError {
    #[error("this laptop has no systemd for users, launchd, Task Scheduler or cron")]
    NoScheduler,
    #[error("cron cannot run anything every {every}")]
    NotOfCron { every: String },
    #[error("{file} was not written by co; nothing was changed")]
    NotOurs { file: String },
    #[error("a line break or control character in `{text}` cannot be in a timer")]
    OddText { text: String },
    #[error("Task Scheduler cannot pass {name} on to co")]
    Variable { name: String },
    #[error("the timer syncs your own identity with its layers, not {layer} alone")]
    OfLayer { layer: String },
    #[error("`{command}` failed: {said}")]
    Program { command: String, said: String },
}

impl VerbError for TimerError {
    fn kind(&self) -> ErrorKind {
        match self {
            TimerError::NoScheduler => ErrorKind::NotSetUp,
            TimerError::NotOfCron { .. } | TimerError::OfLayer { .. } => ErrorKind::Invalid,
            TimerError::NotOurs { .. }
            | TimerError::OddText { .. }
            | TimerError::Variable { .. } => ErrorKind::Refused,
            TimerError::Program { .. } => ErrorKind::Other,
        }
    }
}
