//! One call of the page: what it may use, and what it answers.
//!
//! Invariant: the answer is text once the call is done. Must not know which calls there are.

use crate::facts::{log, recall};
use crate::knowledge::DocSummary;
use crate::workspace::{Error, Workspace};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::{RawValue, to_raw_value};

pub struct Call<'a> {
    pub ws: &'a Workspace,
    pub docs: &'a [DocSummary],
    /// Keeps what it read for the next question.
    pub recall: &'a recall::RecallWorker,
    pub laptops: &'a log::KnownLaptops,
    pub is_read_only: bool,
}

/// The arguments of a call, which know how to run it.
pub(super) trait Arguments: DeserializeOwned {
    fn run(self, call: &Call<'_>) -> Result<Data, Error>;
}

/// What a call answers, written already: a tree of ten thousand facts takes many times their text.
pub type Data = Box<RawValue>;

pub(super) fn data(report: impl Serialize) -> Data {
    to_raw_value(&report).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
