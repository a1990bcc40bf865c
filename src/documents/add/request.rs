//! What a person asks to add as documents.
//!
//! Invariant: as it was typed; nothing is looked up here.

use crate::index::store::Scope;
use crate::machine::fetch::AddressPolicy;
use crate::secrets::Allowed;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Request {
    pub sources: Vec<Source>,
    /// Defaults to `articles/` and the title; for several items, the folder that they go into.
    pub topic: Option<String>,
    /// For a single item only.
    pub title: Option<String>,
    pub tags: Vec<String>,
    /// What a single picture shows.
    pub caption: Option<String>,
    pub scope: Option<Scope>,
    pub reach: AddressPolicy,
    pub allowed: Allowed,
}

/// What to add.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file or a folder.
    File(PathBuf),
    Url(String),
    /// Standard input, with its name and origin if given.
    Given {
        bytes: Vec<u8>,
        name: Option<String>,
        from: Option<String>,
    },
}
