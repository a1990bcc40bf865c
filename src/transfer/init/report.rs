//! What `init` did, and what the identity has now.
//!
//! Invariant: counts what is on the disk, whatever the plan was.

use super::planned::Plan;
use crate::index::store::{self, Store};
use crate::machine::{files, folder};
use crate::sync;
use crate::workspace::{
    Error,
    recognise::{self, Counts},
};
use serde::Serialize;
use std::sync::Arc;

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub plan: Plan,
    pub sync: Option<sync::Report>,
    pub cloned: bool,
    /// Why nothing was published yet.
    #[serde(skip)]
    pub unpublished: Option<Arc<Error>>,
    /// Sentences about files that a rule keeps on this laptop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stay: Vec<String>,
    pub name: Option<String>,
    pub counts: Counts,
    pub missing_secrets: Vec<String>,
}

pub fn counts(store: &Store) -> Counts {
    recognise::counts(folder::list(&store.root, "").files.iter().map(|file| &file.path))
}

pub fn name(store: &Store) -> Option<String> {
    let bytes = files::read(&store.root.join(crate::identity::kind::PROFILE)).ok().flatten()?;
    store::name_in(&String::from_utf8_lossy(&bytes))
}
