//! What to do next about an error: one table, with a column for a person and one for a model.
//!
//! Invariant: an error of a verb gets its hints only here. Those for a person name commands that
//! can be typed; those for a model name tools of the server, or say what only the user can do. The
//! error's own sentence says what happened. What an interface refuses itself brings its own hint.

mod agent;
mod identity;
mod knowledge;
mod layers;
mod memory;
mod phrases;
mod seal;
mod secret;
mod skill;
mod sync;
mod system;
mod timer;
mod undo;

pub use layers::about as about_layer;
pub use secret::secret;

use crate::documents::{AddError, KnowledgeError};
use crate::sync::SyncError;
use crate::transfer::{diff::DiffError, init::InitError};
use crate::workspace::{Error, guard::GuardError};
use phrases::{Hints, SYNC};
use std::{any::Any, sync::Arc};

/// The most hints shown for several failures, without duplicates.
const MAX_HINTS: usize = 3;

/// What a person can do.
pub fn person(error: &Error) -> Vec<String> {
    to_person(error, SYNC)
}

/// What only a command line can follow: its arguments, and the lists that are views of the page.
const OF_THE_COMMAND_LINE: [&str; 5] =
    ["standard input", "the command again", "`co list`", "`co log`", "`co knowledge list"];

/// Whether it names an option, as `--yes`; `---` is a line of a file.
fn names_an_option(hint: &str) -> bool {
    let mut behind = hint.split("`--").skip(1);
    behind.any(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphabetic()))
}

/// What a person can do on the page, where nobody can give an option of the command that failed.
pub fn on_page(error: &Error) -> Vec<String> {
    let refused = error.of_verb().and_then(|error| error.downcast_ref::<GuardError>());
    let mut hints = refused.map_or_else(|| person(error), memory::guard_on_page);
    let is_for_it = |hint: &str| {
        names_an_option(hint) || OF_THE_COMMAND_LINE.iter().any(|words| hint.contains(words))
    };
    hints.retain(|hint| !is_for_it(hint));
    hints
}

/// What a model can do.
pub fn model(error: &Error) -> Vec<String> {
    let hint = match error {
        Error::System(error) => system::system_by_model(error),
        Error::Git(_) => "`co doctor` tells the user what is wrong",
        Error::Rejected(error) => system::rejected_by_model(error),
        Error::Topic(_) => "lower case and hyphens, e.g. `people/sarah` or `deploy-steps`",
        Error::In { source, .. } => return model(source),
        Error::Verb(_) => {
            return error.of_verb().map_or_else(Hints::new, of_verb_by_model);
        }
    };
    vec![hint.to_owned()]
}

fn of_verb_by_model(error: &(dyn Any + 'static)) -> Hints {
    // Of several, the first that failed has its own.
    if let Some(KnowledgeError::Add(AddError::NotAdded { failed, .. })) =
        error.downcast_ref::<KnowledgeError>()
    {
        return failed.first().map_or_else(Hints::new, |error| model(error));
    }
    ROWS.iter().find_map(|row| (row.model)(error)).unwrap_or_default()
}

/// The hints for an error of one type; `None` for any other.
type Column = fn(&(dyn Any + 'static)) -> Option<Hints>;

struct Row {
    person: Column,
    model: Column,
}

fn of<E: Any>(error: &(dyn Any + 'static), hints: fn(&E) -> Hints) -> Option<Hints> {
    error.downcast_ref::<E>().map(hints)
}

/// A row; without a second column no tool causes the error.
macro_rules! row {
    ($person:expr) => {
        Row { person: |error| of(error, $person), model: |_| None }
    };
    ($person:expr, $model:expr) => {
        Row { person: |error| of(error, $person), model: |error| of(error, $model) }
    };
}

/// A row for each error of a verb.
const ROWS: &[Row] = &[
    row!(agent::agent),
    row!(memory::at),
    row!(identity::check),
    row!(identity::config),
    row!(memory::date, memory::date_by_model),
    row!(memory::edit, memory::edit_by_model),
    row!(identity::export),
    row!(memory::forget, memory::forget_by_model),
    row!(memory::guard, memory::guard_by_model),
    row!(agent::handoff, agent::handoff_by_model),
    row!(identity::hook),
    row!(identity::import),
    row!(identity::init),
    row!(knowledge::knowledge, knowledge::knowledge_by_model),
    row!(memory::last),
    row!(layers::layer, layers::layer_by_model),
    row!(layers::list),
    row!(layers::propose),
    row!(memory::log),
    row!(knowledge::profile),
    row!(sync::login),
    row!(identity::recognise),
    row!(identity::reindex),
    row!(identity::relocate),
    row!(memory::recall, memory::recall_by_model),
    row!(memory::remember, memory::remember_by_model),
    row!(identity::restore),
    row!(identity::scan),
    row!(seal::seal),
    row!(secret),
    row!(memory::show, memory::show_by_model),
    row!(skill::skill),
    row!(timer::timer),
    row!(memory::timing, memory::timing_by_model),
    row!(identity::source),
    row!(identity::store, identity::store_by_model),
    row!(sync::sync),
    row!(system::transaction, system::transaction_by_model),
    row!(undo::undo),
];

/// `again` is the command that would retry, for failures at the remote.
fn to_person(error: &Error, again: &str) -> Hints {
    match error {
        Error::System(error) => system::system(error),
        Error::Git(error) => system::git(error, again),
        Error::Rejected(unfit) => system::rejected(unfit),
        Error::Topic(_) => {
            vec!["use lower case and hyphens, e.g. `people/sarah` or `deploy-steps`".into()]
        }
        Error::In { source, .. } => to_person(source, again),
        Error::Verb(_) => error.of_verb().map_or_else(Hints::new, |error| of_verb(error, again)),
    }
}

fn of_verb(error: &(dyn Any + 'static), again: &str) -> Hints {
    of_cause(error, again)
        .unwrap_or_else(|| ROWS.iter().find_map(|row| (row.person)(error)).unwrap_or_default())
}

/// The hints of what lies below, for an error that adds only where it happened.
fn of_cause(error: &(dyn Any + 'static), again: &str) -> Option<Hints> {
    if let Some(DiffError(error)) = error.downcast_ref::<DiffError>() {
        let mut hints = to_person(error, again);
        hints.push("`co diff ARCHIVE` compares with an export".into());
        return Some(hints);
    }
    match error.downcast_ref::<InitError>() {
        Some(InitError::Elsewhere(source)) => return Some(to_person(source, SYNC)),
        Some(InitError::Unreachable { url, source }) => {
            return Some(to_person(source, &format!("`co init {url}`")));
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
    Some(to_person(source, SYNC))
}

fn of_several(errors: &[Arc<Error>]) -> Hints {
    let mut several = Hints::new();
    for hint in errors.iter().flat_map(|error| to_person(error, SYNC)) {
        if !several.contains(&hint) {
            several.push(hint);
        }
    }
    several.truncate(MAX_HINTS);
    several
}

#[cfg(test)]
mod tests {
    use super::{on_page, person};
    use crate::documents::{AddError, KnowledgeError};
    use crate::integrations::skills::SkillError;
    use crate::workspace::Error;

    #[test]
    fn the_page_shows_hints_about_a_file_and_none_with_an_option() {
        let of_files = [
            Error::from(KnowledgeError::Front { line: 2, message: "no value".to_owned() }),
            Error::from(SkillError::NoSkill { path: "deploy".to_owned() }),
        ];
        for error in of_files {
            let hints = person(&error);
            assert!(hints.iter().any(|hint| hint.contains("`---`")), "{hints:?}");
            assert_eq!(on_page(&error), hints);
        }
        let file = "oak.png".to_owned();
        let of_an_option = Error::from(KnowledgeError::Add(AddError::NoCaption { file }));
        assert!(person(&of_an_option).iter().any(|hint| hint.contains("`--caption")));
        assert!(on_page(&of_an_option).is_empty());
    }
}
