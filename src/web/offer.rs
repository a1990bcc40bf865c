//! What the command line hands to the page: what may be done there, and how answers are worded.
//!
//! Invariant: values only. Must not know how a request is answered.

use crate::knowledge::DocSummary;
use crate::workspace::Error;
use serde_json::value::RawValue;

/// What the page may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageAccess {
    ReadWrite,
    ReadOnly,
}

/// How `--json` words the answers: made by the command line, which explains errors to people.
#[derive(Clone, Copy)]
pub struct Envelope {
    pub success: fn(&str, &RawValue) -> String,
    pub failure: fn(&str, Error) -> String,
}

pub struct Offer {
    pub access: PageAccess,
    pub envelope: Envelope,
    /// co's own documents.
    pub docs: Vec<DocSummary>,
}
