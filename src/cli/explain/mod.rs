//! What a person reads of an error: its sentence, and what can be done next.
//!
//! Invariant: hints name commands that can be typed, and are made nowhere else; ops says what
//! happened, and does not know these words.

mod agent;
mod identity;
mod knowledge;
mod memory;
mod secret;
mod sync;
mod system;
mod undo;

pub(super) use secret::secret;

use super::failure::Failure;
use crate::ops::{Error, diff::DiffError};

type Hints = Vec<String>;

/// The command that tries a remote once more.
const SYNC: &str = "`co sync`";

pub(super) fn explain(error: &Error) -> Failure {
    let exit = error.kind().into();
    Failure { exit, message: error.to_string(), hints: hints(error, SYNC) }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        explain(&error.into())
    }
}

/// `again` is the command that would try once more, for what failed at the remote.
fn hints(error: &Error, again: &str) -> Hints {
    match error {
        Error::System(error) => system::system(error, again),
        Error::Rejected(unfit) => system::rejected(unfit),
        Error::Topic(_) => {
            vec!["lower case and hyphens, as `people/sarah` or `deploy-steps`".into()]
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
        Error::Init(error) => identity::init(error),
        Error::Knowledge(error) => knowledge::knowledge(error),
        Error::Log(error) => memory::log(error),
        Error::Recognise(error) => identity::recognise(error),
        Error::Reindex(_) => {
            vec!["recall works without it, only slower".into()]
        }
        Error::Relocate(error) => identity::relocate(error),
        Error::Remember(error) => memory::remember(error),
        Error::Restore(error) => identity::restore(error),
        Error::Scan(error) => identity::scan(error),
        Error::Secret(error) => secret(error),
        Error::Show(error) => memory::show(error),
        Error::Source(error) => identity::source(error),
        Error::Store(error) => identity::store(error),
        Error::Sync(error) => sync::sync(error),
        Error::Transaction(error) => system::transaction(error),
        Error::Undo(error) => undo::undo(error),
    }
}
