//! A failure in the form that a model reads: a sentence, and what can be called next.
//!
//! Invariant: hints name tools of this server, or say what only the user can do; never advises what
//! only the user may allow. Must not know: the sentences of the command line.

use crate::documents::{AddError, KnowledgeError};
use crate::facts::{
    edit::EditError, forget::ForgetError, remember::RememberError, show::ShowError,
};
use crate::identity::validate::Rejected;
use crate::index::store::StoreError;
use crate::machine::{SystemError, fetch::FetchError};
use crate::workspace::{Error, ErrorKind, guard::GuardError, transaction::TransactionError};
use std::any::Any;

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
    Failure { kind: error.kind(), message: error.to_string(), hints: hints(error) }
}

const LIST: &str = "list_memories lists the facts";
const AGAIN: &str = "nothing was changed; call it again";

fn hints(error: &Error) -> Vec<String> {
    let hint = match error {
        Error::System(error) => system(error),
        Error::Git(_) => "`co doctor` tells the user what is wrong",
        Error::Rejected(error) => rejected(error),
        Error::Topic(_) => "lower case and hyphens, e.g. `people/sarah` or `deploy-steps`",
        Error::In { source, .. } => return hints(source),
        Error::Verb(_) => {
            let error = error.of_verb();
            let hints = error.and_then(|error| ROWS.iter().find_map(|row| row(error)));
            return hints.unwrap_or_default();
        }
    };
    vec![hint.to_owned()]
}

/// The hints for an error of one type; `None` for any other.
type Row = fn(&(dyn Any + 'static)) -> Option<Vec<String>>;

fn row<E: Any>(error: &(dyn Any + 'static), hints: fn(&E) -> Vec<String>) -> Option<Vec<String>> {
    error.downcast_ref::<E>().map(hints)
}

/// A row for each error of a verb that a tool can cause.
const ROWS: &[Row] = &[
    |error| row(error, edit),
    |error| row(error, forget),
    |error| row(error, guard),
    |error| row(error, knowledge),
    |error| row(error, remember),
    |error| row(error, show),
    |error| row(error, store),
    |error| row(error, transaction),
];

fn edit(error: &EditError) -> Vec<String> {
    let hint = match error {
        EditError::Outdated { .. } => AGAIN,
        EditError::Same { .. } => "forget one of the two with forget_memory",
    };
    vec![hint.to_owned()]
}

fn forget(error: &ForgetError) -> Vec<String> {
    let hint = match error {
        ForgetError::Nothing => "a number, `12-3fa9`, `sha256:…`, or words from the fact",
        ForgetError::NoMatch { .. } => LIST,
    };
    vec![hint.to_owned()]
}

fn guard(error: &GuardError) -> Vec<String> {
    match error {
        GuardError::Secret { name, .. } => vec![format!(
            "the user can keep it in the keyring with `co secret set {name}`; write \
             {{{{secret:{name}}}}} instead"
        )],
        GuardError::NoRule { .. } => Vec::new(),
    }
}

fn remember(error: &RememberError) -> Vec<String> {
    let hint = match error {
        RememberError::Hidden { .. } => "remove the character",
        RememberError::TooMany => "the user can answer them with `co review`",
    };
    vec![hint.to_owned()]
}

fn show(error: &ShowError) -> Vec<String> {
    let hint = match error {
        ShowError::NotFound { .. } => LIST,
        ShowError::NoHandle { .. } => {
            "refer to a fact by its number (`12`, `p12` in a project), `12-3fa9` or \
             `sha256:3fa9…`; list_memories shows them"
        }
        ShowError::Ambiguous { candidates, .. } => {
            let mut hints = candidates.clone();
            hints.push("use its handle to say which one".to_owned());
            return hints;
        }
    };
    vec![hint.to_owned()]
}

fn system(error: &SystemError) -> &'static str {
    match error {
        SystemError::Busy { .. } => "call it again in a moment",
        SystemError::Settings(_) => {
            "only the user can correct that line; `co config` shows what can be set"
        }
        SystemError::Damaged { .. } => {
            "only the user can fix the file; `co check` says what is wrong"
        }
        SystemError::NoFolder { .. } => "check the path",
        SystemError::Raised { .. } => "only the user can start the server without `sudo`",
        SystemError::Editor { .. } | SystemError::File { .. } => {
            "nothing was left half-written; `co doctor` tells the user what is wrong"
        }
    }
}

fn rejected(rejected: &Rejected) -> &'static str {
    match rejected {
        Rejected::Empty => "send some text; to delete a fact, call forget_memory",
        Rejected::TooLong(_) => "save long texts with knowledge_write",
        Rejected::Markers => "indent them, or remove them",
        Rejected::Nul => "remove it",
        Rejected::Tag(_) => "a tag must be a single line of text",
        Rejected::Carried { .. } => "only the user can fix the file",
        Rejected::Unreadable(_) => "shorten the text or the tags",
    }
}

fn knowledge(error: &KnowledgeError) -> Vec<String> {
    let hint = match error {
        KnowledgeError::NotFound { near: Some(near), .. } => {
            return vec![format!("did you mean `{near}`?")];
        }
        KnowledgeError::NoValue { known, .. } => {
            return vec![format!("one of {}", known.join(", "))];
        }
        KnowledgeError::NotFound { near: None, .. } | KnowledgeError::NothingMeant => {
            "knowledge_list lists the documents"
        }
        KnowledgeError::NoDocs { .. } => "knowledge_search finds them",
        KnowledgeError::Front { .. } => "correct it, or send the text without its `---` lines",
        KnowledgeError::ReadOnly { .. } => "docs/ holds co's own manual; choose another folder",
        KnowledgeError::OwnManual { .. } => "knowledge_list lists the user's documents",
        KnowledgeError::Locked { .. } => {
            "only the user can unlock it; write it under another topic"
        }
        KnowledgeError::Unreadable { .. } => "`co check` tells the user what is wrong",
        KnowledgeError::Taken { .. } => "choose another topic",
        KnowledgeError::TooLong { .. } => "split it into several documents",
        KnowledgeError::Field | KnowledgeError::NotUtf8 | KnowledgeError::UnreadableSeed(_) => {
            return Vec::new();
        }
        KnowledgeError::Add(error) => return add(error),
    };
    vec![hint.to_owned()]
}

fn add(error: &AddError) -> Vec<String> {
    let hint = match error {
        AddError::FromElsewhere { .. } | AddError::NotUpdated { .. } => {
            "save it under another topic with knowledge_write, or delete the existing document \
             first with knowledge_delete"
        }
        AddError::NoText { .. } => "save the text itself with knowledge_write",
        AddError::TooLarge { .. } => "only the user can allow more, in knowledge.attachment_mib",
        AddError::Fetch(FetchError::Private { .. }) => "only the user can allow that address",
        AddError::NotAdded { failed, .. } => {
            return failed.first().map_or_else(Vec::new, |error| hints(error));
        }
        _ => return Vec::new(),
    };
    vec![hint.to_owned()]
}

fn store(error: &StoreError) -> Vec<String> {
    let hint = match error {
        StoreError::NoIdentity { .. } => {
            "the user can create one with `co init`, or bring theirs from another laptop with `co \
             init URL`"
        }
        StoreError::LinkedProject { .. } => {
            "only the user can replace the link with a folder; co neither reads nor writes through it"
        }
        StoreError::NoProject { .. } => {
            "omit the scope; the user can make this a project with `mkdir .co-cli`"
        }
    };
    vec![hint.to_owned()]
}

fn transaction(error: &TransactionError) -> Vec<String> {
    let hint = match error {
        TransactionError::Changed { .. } => AGAIN,
        TransactionError::ChangedInBetween { .. } => "call it again",
        TransactionError::Unrecordable { .. } => "`co doctor` tells the user what is wrong",
        TransactionError::Ignored { .. } => {
            "tell the user: only they can change the rule; nothing was saved"
        }
        TransactionError::Link { .. } => {
            "only the user can replace the link: anything co writes through it would not be synced"
        }
    };
    vec![hint.to_owned()]
}
