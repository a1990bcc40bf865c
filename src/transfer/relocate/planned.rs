//! What a move of the identity is about to do, and what it did.
//!
//! Invariant: values only. Must not know how anything is moved.

use crate::git::IgnoredAround;
use crate::machine::oplog::MovedFolder;
use crate::sync;
use crate::workspace::Error;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    pub from: PathBuf,
    pub to: PathBuf,
    #[serde(rename = "way")]
    pub method: MoveMethod,
    /// The enclosing repository that the identity will be committed in.
    pub inside: Option<PathBuf>,
    /// The enclosing repository that ignores the new folder.
    pub ignored_by: Option<IgnoredAround>,
    /// Where the repository is pushed to, and the identity with it.
    pub pushes_to: Option<sync::Upstream>,
    pub files: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveMethod {
    /// The folder, with everything in it.
    Whole {
        /// Whether a repository of its own moves along.
        repository: bool,
        #[serde(skip)]
        moved: MovedFolder,
    },
    /// The identity's files; the rest stays.
    Copy {
        /// Where the old folder is renamed to.
        aside: PathBuf,
        /// The remote that stays with the old folder, or with the repository around it.
        leaves: Option<String>,
        /// The repository around the old folder, which has its files and is not changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        within: Option<PathBuf>,
        /// What is not copied: the repository, and files that are no part of the identity.
        stays: Vec<String>,
    },
}

#[derive(Default)]
pub struct Applied {
    /// The first sync in another repository: the identity has moved in any case.
    pub synced: Option<Result<sync::Report, Error>>,
    /// What could not follow.
    pub warnings: Vec<String>,
}
