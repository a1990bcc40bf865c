//! The calls of the page, one per verb.
//!
//! Invariant: a row says whether the call changes something; what it answers is the `data` that the
//! command of the same name prints with `--json`. A fact is named by its hash, so that a call never
//! hits one that got its number in the meantime.

mod changes;
mod reads;

use crate::knowledge::DocSummary;
use crate::ops::{Error, recall};
use crate::system::Context;
use changes::{Accept, Edit, Forget, Learn, Pin, Redo, Reject, Undo};
use reads::{
    Assembled, Diff, Document, Documents, Laptops, Life, List, Log, Profile, Recall, Review, Show,
    Status, Watch,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

/// Bytes of the arguments of most calls. A fact has at most a few kilobytes.
pub const MAX_BODY: usize = 1 << 20;
/// Of those with an archive, in base64.
const MAX_ARCHIVE_BODY: usize = 64 << 20;

/// How a call affects the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Reads,
    Changes,
}

pub struct Row {
    pub name: &'static str,
    /// As the envelope names it.
    pub command: &'static str,
    pub effect: Effect,
    /// Bytes of its arguments.
    pub max_body: usize,
    /// `None` if the arguments do not fit.
    pub run: fn(&Call<'_>, Value) -> Option<Result<Data, Error>>,
}

pub struct Call<'a> {
    pub context: &'a Context,
    pub docs: &'a [DocSummary],
    /// Keeps what it read for the next question.
    pub recall: &'a recall::Asking,
    pub is_read_only: bool,
}

/// The arguments of a call, which know how to run it.
trait Arguments: DeserializeOwned {
    fn run(self, call: &Call<'_>) -> Result<Data, Error>;
}

const fn row<A: Arguments>(name: &'static str, command: &'static str, effect: Effect) -> Row {
    Row { name, command, effect, max_body: MAX_BODY, run: run::<A> }
}

fn run<A: Arguments>(call: &Call<'_>, arguments: Value) -> Option<Result<Data, Error>> {
    Some(serde_json::from_value::<A>(arguments).ok()?.run(call))
}

static ALL: &[Row] = &[
    row::<Watch>("watch", "web", Effect::Reads),
    row::<Status>("status", "status", Effect::Reads),
    row::<Log>("log", "identity log", Effect::Reads),
    row::<List>("list", "memory list", Effect::Reads),
    row::<Recall>("recall", "memory recall", Effect::Reads),
    row::<Show>("show", "memory show", Effect::Reads),
    row::<Life>("life", "identity log", Effect::Reads),
    row::<Laptops>("laptops", "web", Effect::Reads),
    row::<Review>("review", "review", Effect::Reads),
    Row { max_body: MAX_ARCHIVE_BODY, ..row::<Diff>("diff", "identity diff", Effect::Reads) },
    row::<Documents>("documents", "knowledge list", Effect::Reads),
    row::<Document>("document", "knowledge show", Effect::Reads),
    row::<Assembled>("context", "context", Effect::Reads),
    row::<Profile>("profile", "context", Effect::Reads),
    row::<Learn>("learn", "memory save", Effect::Changes),
    row::<Edit>("edit", "memory edit", Effect::Changes),
    row::<Pin>("pin", "memory pin", Effect::Changes),
    row::<Forget>("forget", "memory forget", Effect::Changes),
    row::<Accept>("accept", "review accept", Effect::Changes),
    row::<Reject>("reject", "review reject", Effect::Changes),
    row::<Undo>("undo", "identity undo", Effect::Changes),
    row::<Redo>("redo", "identity redo", Effect::Changes),
];

pub fn find(name: &str) -> Option<&'static Row> {
    ALL.iter().find(|row| row.name == name)
}

/// Whether a call shows that a person is there: the page looks for changes by itself.
pub fn is_by_person(row: &Row, arguments: &Value) -> bool {
    row.effect == Effect::Changes || arguments["active"] == Value::Bool(true)
}

/// What a call answers, written already: a tree of ten thousand facts takes many times their text.
pub type Data = Box<RawValue>;

fn data(report: impl Serialize) -> Data {
    to_raw_value(&report).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
