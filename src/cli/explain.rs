//! An error as a person reads it: its sentence, and what to do next.
//!
//! Invariant: what to do next is said by [`crate::hints`]; what `cli` refuses itself brings its own
//! hint.

use super::failure::Failure;
use crate::hints;
use crate::workspace::Error;

pub(super) use hints::secret;

pub(super) fn explain(error: &Error) -> Failure {
    Failure { exit: error.kind().into(), message: error.to_string(), hints: hints::person(error) }
}

/// As the page says it.
pub(super) fn explain_on_page(error: &Error) -> Failure {
    Failure { hints: hints::on_page(error), ..explain(error) }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        explain(&error.into())
    }
}
