//! A failure in the form that a model reads: a sentence, and what can be called next.
//!
//! Invariant: never advises what only the user may allow. Must not know: the sentences of the
//! command line.

use crate::hints;
use crate::workspace::{Error, ErrorKind};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub kind: ErrorKind,
    pub message: String,
    pub hints: Vec<String>,
}

impl Failure {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), hints: Vec::new() }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hints.push(hint.into());
        self
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        explain(&error.into())
    }
}

pub fn explain(error: &Error) -> Failure {
    Failure { kind: error.kind(), message: error.to_string(), hints: hints::model(error) }
}
