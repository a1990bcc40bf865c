//! What can be done after a failure that concerns documents.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::{Hints, NOTHING_CHANGED};
use crate::documents::{AddError, KnowledgeError, profile::ProfileError};
use crate::machine::fetch::FetchError;

pub(super) fn knowledge(error: &KnowledgeError) -> Hints {
    let hint = match error {
        KnowledgeError::NotFound { near: Some(near), .. }
        | KnowledgeError::Unnamed { near: Some(near), .. } => {
            return vec![format!("did you mean `{near}`?")];
        }
        KnowledgeError::NoValue { known, .. } => {
            return vec![format!("one of {}", known.join(", "))];
        }
        KnowledgeError::Several { .. } => "name one of them",
        KnowledgeError::Add(error) => return add(error),
        KnowledgeError::Field | KnowledgeError::UnreadableSeed(_) => return Hints::new(),
        KnowledgeError::NotFound { near: None, .. }
        | KnowledgeError::Unnamed { near: None, .. }
        | KnowledgeError::NothingMeant => "`co knowledge list` lists your documents",
        KnowledgeError::NoDocs { .. } => "`co knowledge list --namespace docs` lists them",
        KnowledgeError::ReadOnly { .. } => "docs/ holds co's own manual; choose another folder",
        KnowledgeError::OwnManual { .. } => "`co knowledge list` lists your documents",
        KnowledgeError::Locked { .. } => {
            "remove that line from its frontmatter first, or write it under another topic"
        }
        KnowledgeError::Outdated { .. } => "edit it again, starting from the new text",
        KnowledgeError::Unreadable { .. } => "`co check` shows what is wrong with the files",
        KnowledgeError::Taken { .. } => "choose another topic, or delete that document first",
        KnowledgeError::Exists { .. } => "choose another topic, or edit that document",
        KnowledgeError::TooLong { .. } => "keep it as a file: `co knowledge add FILE`",
        KnowledgeError::Front { .. } => "correct it, or remove its `---` lines to keep it as text",
        KnowledgeError::NotUtf8 => "save it as UTF-8",
    };
    vec![hint.to_owned()]
}

pub(super) fn profile(error: &ProfileError) -> Hints {
    let hint = match error {
        ProfileError::NoField { known, .. } if !known.is_empty() => {
            return vec![format!("it has {}", known.join(", "))];
        }
        ProfileError::NoField { .. } => "`co profile set KEY VALUE` adds one",
        ProfileError::Several { path, .. } => {
            return vec![format!("change the one that you mean in {path}")];
        }
        ProfileError::Key { .. } => {
            "use a word or two, without a colon: `co profile set Editor vim`"
        }
        ProfileError::Value { key } => {
            return vec![format!(
                "`co profile unset {key}` removes it; longer text: `co learn TEXT`"
            )];
        }
        ProfileError::Zone { meant: Some(meant), .. } => {
            return vec![format!("did you mean {meant}?")];
        }
        ProfileError::Zone { .. } => "use a name such as Europe/Berlin or America/New_York",
    };
    vec![hint.to_owned()]
}

fn add(error: &AddError) -> Hints {
    let hint = match error {
        AddError::FromElsewhere { topic } => {
            return vec![format!("choose another topic, or `co knowledge delete {topic}` first")];
        }
        // The cause has its own hints.
        AddError::NotAdded { .. } => return Hints::new(),
        AddError::NotUpdated { .. } => {
            "`--topic TOPIC` adds it as another document; or delete this one first"
        }
        AddError::OwnFolder { .. } => {
            "its documents are in the identity already; `co knowledge list` shows them"
        }
        AddError::Folder { .. } => "check the path",
        AddError::TitleOfSeveral => "omit --title",
        AddError::IntoProfile => "`co knowledge write profile/NAME -` writes one of its parts",
        AddError::EmptyName => "is a shell variable unset?",
        AddError::TooMany { .. } => "add some of the folders inside it",
        AddError::NoText { .. } => "`co knowledge write TOPIC -` takes a text that you supply",
        AddError::NoCaption { .. } => "`--caption \"…\"` says what it shows",
        AddError::CaptionOfSeveral => "add the pictures one by one, each with its caption",
        AddError::CaptionOfText { .. } => "omit --caption; --title gives it a name",
        AddError::TooLarge { .. } => {
            "every laptop would store it; `co config set knowledge.attachment_mib 64` sets the \
             maximum"
        }
        AddError::NoFile { .. } | AddError::NotRegular { .. } => {
            "name a file, a folder, a URL, or `-` for standard input"
        }
        AddError::InvisibleName { .. } => "rename the file",
        AddError::Fetch(FetchError::Private { .. }) => "use `--allow-private` to fetch it anyway",
        AddError::Fetch(FetchError::Login(_)) => "save the page to a file, and add that",
        AddError::Fetch(_) => "save the page to a file and add that: `co knowledge add FILE`",
    };
    vec![hint.to_owned()]
}

pub(super) fn knowledge_by_model(error: &KnowledgeError) -> Hints {
    let hint = match error {
        KnowledgeError::NotFound { near: Some(near), .. }
        | KnowledgeError::Unnamed { near: Some(near), .. } => {
            return vec![format!("did you mean `{near}`?")];
        }
        KnowledgeError::NoValue { known, .. } => {
            return vec![format!("one of {}", known.join(", "))];
        }
        KnowledgeError::Outdated { .. } => NOTHING_CHANGED,
        KnowledgeError::Several { .. } => "name one of them",
        KnowledgeError::NotFound { near: None, .. }
        | KnowledgeError::Unnamed { near: None, .. }
        | KnowledgeError::NothingMeant => "knowledge_list lists the documents",
        KnowledgeError::NoDocs { .. } => "knowledge_search finds them",
        KnowledgeError::Front { .. } => "correct it, or send the text without its `---` lines",
        KnowledgeError::ReadOnly { .. } => "docs/ holds co's own manual; choose another folder",
        KnowledgeError::OwnManual { .. } => "knowledge_list lists the user's documents",
        KnowledgeError::Locked { .. } => {
            "only the user can unlock it; write it under another topic"
        }
        KnowledgeError::Unreadable { .. } => "`co check` tells the user what is wrong",
        KnowledgeError::Taken { .. } | KnowledgeError::Exists { .. } => "choose another topic",
        KnowledgeError::TooLong { .. } => "split it into several documents",
        KnowledgeError::Field | KnowledgeError::NotUtf8 | KnowledgeError::UnreadableSeed(_) => {
            return Hints::new();
        }
        KnowledgeError::Add(error) => return add_by_model(error),
    };
    vec![hint.to_owned()]
}

fn add_by_model(error: &AddError) -> Hints {
    let hint = match error {
        AddError::FromElsewhere { .. } | AddError::NotUpdated { .. } => {
            "save it under another topic with knowledge_write, or delete the existing document \
             first with knowledge_delete"
        }
        AddError::NoText { .. } => "save the text itself with knowledge_write",
        AddError::TooLarge { .. } => "only the user can allow more, in knowledge.attachment_mib",
        AddError::Fetch(FetchError::Private { .. }) => "only the user can allow that address",
        // Of several that were not added, the first has its own hints.
        _ => return Hints::new(),
    };
    vec![hint.to_owned()]
}
