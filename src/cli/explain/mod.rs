//! How an error is explained to a person: its sentence, and what to do next.
//!
//! Invariant: an error of `ops` gets its hints only here, and they name commands that can be typed;
//! its own sentence says what happened. What `cli` refuses itself brings its own hint.

mod agent;
mod hints;
mod identity;
mod knowledge;
mod memory;
mod secret;
mod sync;
mod system;
mod undo;

pub(super) use secret::secret;

use super::failure::Failure;
use crate::ops::{
    Error,
    diff::DiffError,
    init::InitError,
    knowledge::{AddError, KnowledgeError},
    sync::SyncError,
};
use hints::{Hints, SYNC};
use std::sync::Arc;

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
        Error::System(error) => system::system(error, again),
        Error::Rejected(unfit) => system::rejected(unfit),
        Error::Topic(_) => {
            vec!["use lower case and hyphens, e.g. `people/sarah` or `deploy-steps`".into()]
        }
        Error::In { source, .. } => hints(source, again),
        Error::Agent(error) => agent::agent(error),
        Error::At(error) => memory::at(error),
        Error::Check(error) => identity::check(error),
        Error::Config(error) => identity::config(error),
        Error::Diff(DiffError(error)) => {
            let mut hints = hints(error, again);
            hints.push("`co diff ARCHIVE` compares with an export".into());
            hints
        }
        Error::Edit(error) => memory::edit(error),
        Error::Export(error) => identity::export(error),
        Error::Forget(error) => memory::forget(error),
        Error::Guard(error) => memory::guard(error),
        Error::Hook(error) => identity::hook(error),
        Error::Import(error) => identity::import(error),
        Error::Init(InitError::Elsewhere(source)) => hints(source, SYNC),
        Error::Init(InitError::Unreachable { url, source }) => {
            hints(source, &format!("`co init {url}`"))
        }
        Error::Init(error) => identity::init(error),
        Error::Knowledge(KnowledgeError::Add(AddError::NotAdded { failed, .. })) => {
            of_several(failed)
        }
        Error::Knowledge(error) => knowledge::knowledge(error),
        Error::Log(error) => memory::log(error),
        Error::Recognise(error) => identity::recognise(error),
        Error::Reindex(_) => {
            vec!["recall works without it, only more slowly".into()]
        }
        Error::Relocate(error) => identity::relocate(error),
        Error::Remember(error) => memory::remember(error),
        Error::Restore(error) => identity::restore(error),
        Error::Scan(error) => identity::scan(error),
        Error::Secret(error) => secret(error),
        Error::Show(error) => memory::show(error),
        Error::Source(error) => identity::source(error),
        Error::Store(error) => identity::store(error),
        Error::Sync(SyncError::NotPublished(source)) => hints(source, SYNC),
        Error::Sync(error) => sync::sync(error),
        Error::Transaction(error) => system::transaction(error),
        Error::Undo(error) => undo::undo(error),
    }
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
