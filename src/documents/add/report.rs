//! What became of the items that were to be added.
//!
//! Invariant: each item is a document, was left out, or failed, and says why.

use super::error::AddError;
use crate::documents::write::Written;
use crate::extract::{FileFormat, Omitted};
use crate::index::store::Scope;
use crate::knowledge::Topic;
use crate::workspace::{Error, Oddities};
use serde::Serialize;
use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

/// The document of an added item.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Added {
    pub topic: Topic,
    pub title: String,
    pub written: Written,
    pub format: FileFormat,
    /// Size in bytes.
    pub text: usize,
    pub path: PathBuf,
    /// Where the original is.
    pub attachment: Option<PathBuf>,
    /// Pages with next to no text, probably because they show an image.
    pub pictures: Vec<u32>,
    /// Parts that the file refers to but does not contain: chapters of a book.
    pub missing: Vec<String>,
    /// Pictures that the text shows and that are not in the store, as the text names them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_shown: Vec<String>,
    /// How many more there are.
    #[serde(skip_serializing_if = "is_none")]
    pub more_not_shown: usize,
    /// Labels of the file's own that co does not know.
    #[serde(skip)]
    pub own_labels: Vec<String>,
    #[serde(flatten)]
    pub oddities: Oddities,
    /// What the file contains that is not in the text: comments, charts.
    pub omitted: BTreeSet<Omitted>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// An item that was not added.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    /// As it was given.
    pub name: String,
    pub message: String,
    #[serde(skip)]
    pub error: Arc<Error>,
}

impl Failed {
    /// `name`: as it was given.
    pub(super) fn of(name: &str, error: Error) -> Failed {
        let message = error.to_string();
        Failed { name: name.to_owned(), message, error: Arc::new(error) }
    }
}

/// Files of a folder that were skipped for the same reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LeftOut {
    pub why: String,
    pub count: usize,
    /// One of them.
    pub example: String,
}

pub(super) const EMPTY: &str = "empty";
pub(super) const NOT_READABLE: &str = "not readable";
pub(super) const OTHER_KINDS: &str = "of other kinds";
pub(super) const OWN: &str = "co's own";
pub(super) const PICTURES: &str = "pictures";
/// The extensions by which pictures are skipped.
const PICTURE_ENDINGS: &[&str] = &[
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".heif", ".heic", ".avif", ".tif", ".tiff", ".svg",
    ".svgz",
];

impl LeftOut {
    /// Whether one of them may be a text, which is added if somebody names it.
    pub fn may_have_text(&self) -> bool {
        let never = [EMPTY, NOT_READABLE, OTHER_KINDS, OWN];
        !never.contains(&self.why.as_str()) && !self.are_pictures()
    }

    /// Whether they are added by name only with a caption.
    pub fn are_pictures(&self) -> bool {
        self.why == PICTURES || PICTURE_ENDINGS.contains(&self.why.as_str())
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub scope: Scope,
    pub documents: Vec<Added>,
    /// Files in folders that were skipped.
    pub left_out: Vec<LeftOut>,
    /// Documents whose files in these folders are gone; the documents stay.
    pub gone: Vec<Topic>,
    pub failed: Vec<Failed>,
}

impl Report {
    /// Why some items were not added; `None` if all were.
    pub fn error(&self) -> Option<Error> {
        let is_new = |one: &Added| one.written != Written::Unchanged;
        let failed: Vec<Arc<Error>> =
            self.failed.iter().map(|failed| Arc::clone(&failed.error)).collect();
        let of = failed.len() + self.documents.len();
        let is_rest_added = self.documents.iter().any(is_new);
        let error = AddError::NotAdded { failed, of, is_rest_added };
        (!self.failed.is_empty()).then(|| error.into())
    }
}
