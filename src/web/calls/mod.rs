//! The calls of the page, one per verb.
//!
//! Invariant: a row says whether the call changes something; a call that is a command answers with
//! the `data` that the command prints with `--json`. The page names a fact by number and hash, so
//! that a call never hits one that got its number in the meantime.

mod call;
mod changes;
mod documents;
mod reads;

use crate::workspace::Error;
pub use call::Call;
use call::{Arguments, Data};
use changes::{
    AcceptAllCall, AcceptCall, CheckedCall, ConfirmCall, EditCall, ForgetCall, LearnCall, PinCall,
    RejectCall, UndoCall,
};
use documents::{
    AddDocumentCall, DocumentCall, DocumentsCall, EditDocumentCall, OpenedCall, RelatedCall,
    SearchCall,
};
use reads::{
    AssembledCall, DiffCall, LaptopsCall, LifeCall, ListCall, LogCall, ProfileCall, RecallCall,
    ReviewCall, ShowCall, StaleCall, StatusCall, TextsCall, WatchCall,
};
use serde_json::Value;

/// Bytes of the arguments of most calls. A fact has at most a few kilobytes.
pub const MAX_BODY: usize = 1 << 20;
/// Of those with a document.
const MAX_DOCUMENT_BODY: usize = 16 << 20;
/// Of those with an archive, in base64.
const MAX_ARCHIVE_BODY: usize = 64 << 20;

/// How a call affects the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallEffect {
    Reads,
    Changes,
}

pub struct CallRow {
    pub name: &'static str,
    /// As the envelope names it.
    pub command: &'static str,
    pub effect: CallEffect,
    /// Bytes of its arguments.
    pub max_body: usize,
    /// `None` if the arguments do not fit.
    pub run: fn(&Call<'_>, Value) -> Option<Result<Data, Error>>,
}

const fn row<A: Arguments>(
    name: &'static str,
    command: &'static str,
    effect: CallEffect,
) -> CallRow {
    CallRow { name, command, effect, max_body: MAX_BODY, run: read_and_run::<A> }
}

fn read_and_run<A: Arguments>(call: &Call<'_>, arguments: Value) -> Option<Result<Data, Error>> {
    Some(serde_json::from_value::<A>(arguments).ok()?.run(call))
}

static ALL: &[CallRow] = &[
    row::<WatchCall>("watch", "web", CallEffect::Reads),
    row::<StatusCall>("status", "status", CallEffect::Reads),
    row::<LogCall>("log", "identity log", CallEffect::Reads),
    row::<ListCall>("list", "memory list", CallEffect::Reads),
    row::<RecallCall>("recall", "memory recall", CallEffect::Reads),
    row::<ShowCall>("show", "memory show", CallEffect::Reads),
    row::<TextsCall>("texts", "memory show", CallEffect::Reads),
    row::<LifeCall>("life", "identity log", CallEffect::Reads),
    row::<LaptopsCall>("laptops", "web", CallEffect::Reads),
    row::<ReviewCall>("review", "review", CallEffect::Reads),
    row::<StaleCall>("stale", "review", CallEffect::Reads),
    CallRow {
        max_body: MAX_ARCHIVE_BODY,
        ..row::<DiffCall>("diff", "identity diff", CallEffect::Reads)
    },
    row::<DocumentsCall>("documents", "knowledge list", CallEffect::Reads),
    row::<DocumentCall>("document", "knowledge show", CallEffect::Reads),
    row::<RelatedCall>("related", "knowledge related", CallEffect::Reads),
    row::<SearchCall>("search", "knowledge search", CallEffect::Reads),
    row::<OpenedCall>("opened", "knowledge edit", CallEffect::Reads),
    row::<AssembledCall>("context", "context", CallEffect::Reads),
    row::<ProfileCall>("profile", "context", CallEffect::Reads),
    row::<LearnCall>("learn", "memory save", CallEffect::Changes),
    row::<EditCall>("edit", "memory edit", CallEffect::Changes),
    row::<PinCall>("pin", "memory pin", CallEffect::Changes),
    row::<ForgetCall>("forget", "memory forget", CallEffect::Changes),
    row::<ConfirmCall>("confirm", "memory confirm", CallEffect::Changes),
    row::<AcceptCall>("accept", "review accept", CallEffect::Changes),
    row::<AcceptAllCall>("accept-all", "review accept", CallEffect::Changes),
    row::<RejectCall>("reject", "review reject", CallEffect::Changes),
    row::<CheckedCall>("checked", "review accept", CallEffect::Changes),
    CallRow {
        max_body: MAX_DOCUMENT_BODY,
        ..row::<EditDocumentCall>("edit-document", "knowledge edit", CallEffect::Changes)
    },
    CallRow {
        max_body: MAX_DOCUMENT_BODY,
        ..row::<AddDocumentCall>("add-document", "knowledge write", CallEffect::Changes)
    },
    row::<UndoCall>("undo", "identity undo", CallEffect::Changes),
];

pub fn find(name: &str) -> Option<&'static CallRow> {
    ALL.iter().find(|row| row.name == name)
}

/// Whether a call shows that a person is there: the page looks for changes by itself.
pub fn is_by_person(row: &CallRow, arguments: &Value) -> bool {
    row.effect == CallEffect::Changes || arguments["active"] == Value::Bool(true)
}
