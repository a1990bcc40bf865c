//! What a text brings along besides its words, as a value: `save` and `edit` fill it, and a person
//! is told.
//!
//! Invariant: nothing that a text said of itself is dropped without a word.

use crate::workspace::Oddities;
use serde::Serialize;

/// What was taken from a text, and what was left in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Brought {
    /// Those of the tags that only the text itself gave, and that are new.
    #[serde(skip)]
    pub own_tags: Vec<String>,
    /// Keys of the text's own frontmatter that were not kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    #[serde(flatten)]
    pub oddities: Oddities,
    /// The day after which it was to be checked, if that is over: it is never due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_passed: Option<String>,
}
