//! How an error is explained to a person: its sentence, and what to do next.
//!
//! Invariant: an error of a verb gets its hints only here, and they name commands that can be
//! typed; its own sentence says what happened. What `cli` refuses itself brings its own hint.

mod agent;
mod hints;
mod identity;
mod knowledge;
mod memory;
pub mod secret;
mod sync;
mod system;
mod undo;

pub(super) use secret::secret;

use super::failure::Failure;
use crate::documents::{AddError, KnowledgeError};
use crate::sync::SyncError;
use crate::transfer::{diff::DiffError, init::InitError};
use crate::workspace::Error;
use hints::{Hints, SYNC};
use std::{any::Any, sync::Arc};

/// The most hints shown for several failures, without duplicates.
const MAX_HINTS: usize = 3;

pub(super) fn explain(error: &Error) -> Failure {
    let exit = error.kind().into();
    Failure { exit, message: error.to_string(), hints: hints(error, SYNC) }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        explain(&error.into())
    }
}

/// `again` is the command that would retry, for failures at the remote.
fn hints(error: &Error, again: &str) -> Hints {
    match error {
        Error::System(error) => system::system(error),
        Error::Git(error) => system::git(error, again),
        Error::Rejected(unfit) => system::rejected(unfit),
        Error::Topic(_) => {
            vec!["use lower case and hyphens, e.g. `people/sarah` or `deploy-steps`".into()]
        }
        Error::In { source, .. } => hints(source, again),
        Error::Verb(_) => error.of_verb().map_or_else(Hints::new, |error| of_verb(error, again)),
    }
}

/// The hints for an error of one type; `None` for any other.
type Row = fn(&(dyn Any + 'static)) -> Option<Hints>;

fn row<E: Any>(error: &(dyn Any + 'static), hints: fn(&E) -> Hints) -> Option<Hints> {
    error.downcast_ref::<E>().map(hints)
}

/// A row for each error of a verb.
const ROWS: &[Row] = &[
    |error| row(error, agent::agent),
    |error| row(error, memory::at),
    |error| row(error, identity::check),
    |error| row(error, identity::config),
    |error| row(error, memory::edit),
    |error| row(error, identity::export),
    |error| row(error, memory::forget),
    |error| row(error, memory::guard),
    |error| row(error, identity::hook),
    |error| row(error, identity::import),
    |error| row(error, identity::init),
    |error| row(error, knowledge::knowledge),
    |error| row(error, memory::log),
    |error| row(error, sync::login),
    |error| row(error, identity::recognise),
    |error| row(error, identity::reindex),
    |error| row(error, identity::relocate),
    |error| row(error, memory::remember),
    |error| row(error, identity::restore),
    |error| row(error, identity::scan),
    |error| row(error, secret),
    |error| row(error, memory::show),
    |error| row(error, identity::source),
    |error| row(error, identity::store),
    |error| row(error, sync::sync),
    |error| row(error, system::transaction),
    |error| row(error, undo::undo),
];

fn of_verb(error: &(dyn Any + 'static), again: &str) -> Hints {
    of_cause(error, again)
        .unwrap_or_else(|| ROWS.iter().find_map(|row| row(error)).unwrap_or_default())
}

/// The hints of what lies below, for an error that adds only where it happened.
fn of_cause(error: &(dyn Any + 'static), again: &str) -> Option<Hints> {
    if let Some(DiffError(error)) = error.downcast_ref::<DiffError>() {
        let mut hints = hints(error, again);
        hints.push("`co diff ARCHIVE` compares with an export".into());
        return Some(hints);
    }
    match error.downcast_ref::<InitError>() {
        Some(InitError::Elsewhere(source)) => return Some(hints(source, SYNC)),
        Some(InitError::Unreachable { url, source }) => {
            return Some(hints(source, &format!("`co init {url}`")));
        }
        _ => {}
    }
    if let Some(KnowledgeError::Add(AddError::NotAdded { failed, .. })) =
        error.downcast_ref::<KnowledgeError>()
    {
        return Some(of_several(failed));
    }
    let Some(SyncError::NotPublished(source)) = error.downcast_ref::<SyncError>() else {
        return None;
    };
    Some(hints(source, SYNC))
}

fn of_several(errors: &[Arc<Error>]) -> Hints {
    let mut several = Hints::new();
    for hint in errors.iter().flat_map(|error| hints(error, SYNC)) {
        if !several.contains(&hint) {
            several.push(hint);
        }
    }
    several.truncate(MAX_HINTS);
    several
}
