//! What a person is told of a text that was written although a part of it is odd.
//!
//! Invariant: what was let through, or kept as text, although it looks like something else, is
//! here.

use crate::identity::incoming;
use crate::secrets::{self, Sample};
use serde::Serialize;

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Oddities {
    /// What to say of a block of labels that was kept as text.
    #[serde(skip)]
    pub kept_block: Option<&'static str>,
    /// Values of vendors' documentation that were let through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
}

impl Oddities {
    /// Of a text that stands where another stood.
    pub fn of(before: &str, text: &str) -> Oddities {
        Oddities {
            kept_block: incoming::kept_block(text),
            samples: secrets::new_samples(before.as_bytes(), text.as_bytes()),
        }
    }
}
