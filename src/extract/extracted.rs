//! What was read of a file, what was not, and what is known of it before.
//!
//! Invariant: only values; they cross to the process that reads and back.

use super::format::FileFormat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a file contains besides the text that is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Omitted {
    /// Of reviewers.
    Comments,
    /// Headers and footers of pages and slides, with words in them.
    Headers,
    Charts,
    /// Diagrams (SmartArt) whose texts are not in the file.
    Diagrams,
    /// Objects of other programs.
    Objects,
    /// Whole files of other formats in the text.
    Documents,
    /// Of formulas that were never calculated; the formulas are read instead.
    Results,
    /// What is nested more deeply than in any file that a person made.
    Nested,
}

impl Omitted {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Omitted::Comments => "comments",
            Omitted::Headers => "headers and footers",
            Omitted::Charts => "charts",
            Omitted::Diagrams => "diagrams",
            Omitted::Objects => "embedded objects",
            Omitted::Documents => "embedded documents",
            Omitted::Results => "results of formulas that are not in the file",
            Omitted::Nested => "deeply nested text",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Extracted {
    pub format: FileFormat,
    /// The title that the file gives itself.
    pub title: Option<String>,
    pub text: String,
    /// Pages with an image and hardly any text, from 1.
    #[serde(default)]
    pub pictures: Vec<u32>,
    /// Parts that the file refers to but does not contain.
    #[serde(default)]
    pub missing: Vec<String>,
    /// What it contains that is not part of `text`.
    #[serde(default)]
    pub omitted: BTreeSet<Omitted>,
}

impl Extracted {
    pub(super) fn new(format: FileFormat, text: String) -> Extracted {
        Extracted { format, text, ..Extracted::default() }
    }
}

/// What the caller knows besides the bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hints {
    /// The file's name, for its extension.
    pub name: String,
    /// The content type that a server sent.
    pub content_type: Option<String>,
}
