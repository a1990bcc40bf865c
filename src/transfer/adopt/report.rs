//! What was found in a file, and what of it is not proposed.
//!
//! Invariant: nothing is left out without a reason, and a secret is not repeated.

use crate::adopt::Place;
use serde::Serialize;
use std::path::PathBuf;

/// A file and the number of proposals found in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ImportedFile {
    /// The agent or other program.
    pub source: String,
    /// What a person calls it.
    #[serde(skip)]
    pub title: String,
    pub file: PathBuf,
    pub proposals: usize,
}

/// Something in a file that is not proposed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Left {
    /// The file, as it is shown; of an archive, with the name in it.
    pub file: String,
    /// `None` for the whole file.
    pub at: Option<Place>,
    /// How it begins; empty for a secret.
    pub text: String,
    pub why: String,
    /// Whether it was left out because it resembles an existing fact, and can still be taken.
    pub is_alike: bool,
    /// Whether a person rejected it in a review.
    pub is_rejected: bool,
    /// Whether nobody misses it: how the file is built, or what is already saved.
    pub is_minor: bool,
}

impl Left {
    pub(super) fn order(&self) -> (bool, &str, usize) {
        let first = self.at.map_or(0, Place::first);
        (self.is_minor, &self.file, first)
    }
}
