//! A failure in the form that a person reads: a sentence, what to do next, and the exit code.
//!
//! Invariant: exit codes are never renumbered.

use crate::workspace::ErrorKind;
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    Done = 0,
    Found = 1,
    Usage = 2,
    Declined = 3,
    NotSetUp = 4,
    NotFound = 5,
    Refused = 6,
    NeedsUser = 7,
    Remote = 8,
    Busy = 9,
    Other = 10,
}

impl Exit {
    /// Every code with its meaning, for the help.
    pub const ALL: &[(Exit, &str)] = &[
        (Exit::Done, "done"),
        (
            Exit::Found,
            "check or secret scan found something, or diff --exit-code found a difference",
        ),
        (Exit::Usage, "invalid usage"),
        (Exit::Declined, "declined, or confirmation is needed and there is no terminal"),
        (Exit::NotSetUp, "there is no identity, repository or keyring yet"),
        (Exit::NotFound, "what you named was not found"),
        (
            Exit::Refused,
            "refused as unsafe: secret, mass deletion, unsafe archive or tree; an agent's file \
             that cannot be edited safely",
        ),
        (
            Exit::NeedsUser,
            "git needs your attention first: an unfinished rebase, a detached HEAD, changes on \
             both sides outside the identity",
        ),
        (Exit::Remote, "the remote did not answer, or refused"),
        (Exit::Busy, "another co or git is running"),
        (Exit::Other, "any other failure"),
    ];

    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Exit {
        match kind {
            ErrorKind::Conflict => Exit::Found,
            ErrorKind::Invalid => Exit::Usage,
            ErrorKind::NeedsChoice => Exit::Declined,
            ErrorKind::NotSetUp => Exit::NotSetUp,
            ErrorKind::NotFound => Exit::NotFound,
            ErrorKind::Refused => Exit::Refused,
            ErrorKind::NeedsUser => Exit::NeedsUser,
            ErrorKind::Remote => Exit::Remote,
            ErrorKind::Busy => Exit::Busy,
            ErrorKind::Other => Exit::Other,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub exit: Exit,
    /// What happened, in one sentence without a full stop.
    pub message: String,
    pub hints: Vec<String>,
}

impl Failure {
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into(), hints: Vec::new() }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hints.push(hint.into());
        self
    }
}
