//! An index that was brought up to date, and what was done to it.
//!
//! Invariant: all reads of it see one state, until it is paused. Must not know what is searched.

use super::{
    call_state::CallState,
    database::{Index, IndexError, Unit},
    model::Model,
    spec::IndexSpec,
    store::Store,
};
use crate::identity::Finding;
use crate::machine::Context;
use serde::Serialize;
use std::{path::PathBuf, rc::Rc};

/// How a question is answered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchMode {
    /// By reading all files, into an index in memory.
    Scan,
    /// From the index on disk. Its name in JSON is older.
    #[serde(rename = "catalog")]
    Index,
}

/// How thoroughly the index is checked against the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// Stat the folders, and every file if there are at most `recall.look_at` of them and not only
    /// git writes there.
    Usual,
    /// Stat each file.
    Whole,
    /// Rebuild the index.
    Anew,
}

/// What was done to an index.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Refreshed {
    pub file: PathBuf,
    /// Facts in it.
    pub files: usize,
    /// Knowledge documents in it.
    pub articles: usize,
    /// Whether it was rebuilt.
    pub rebuilt: bool,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
}

impl Refreshed {
    /// A note for the log if the index was rebuilt.
    pub fn note(&self) -> Option<String> {
        let memories = if self.files == 1 { "memory" } else { "memories" };
        let articles = if self.articles == 1 { "article" } else { "articles" };
        let (facts, documents) = (self.files, self.articles);
        self.rebuilt.then(|| {
            format!("Rebuilt knowledge index ({facts} {memories}, {documents} {articles})")
        })
    }
}

/// An up-to-date index, shared by several queries.
#[derive(Clone)]
pub(crate) struct Opened {
    pub(crate) index: Rc<Index>,
    pub(crate) refreshed: Refreshed,
    /// Files that could not be read.
    pub(crate) findings: Vec<Finding>,
    /// The model of the fact vectors that are not the encoder's.
    pub(super) model: Model,
    pub(super) mode: SearchMode,
    /// Why some texts have no vector.
    pub(crate) problem: Option<String>,
}

impl Opened {
    /// Ends the snapshot; see [`Opened::is_unchanged`].
    pub(crate) fn pause(&self) -> Result<(), IndexError> {
        self.index.pause()
    }

    /// Begins a new snapshot; `true` if model, index and files have not changed since it was
    /// opened.
    pub(crate) fn is_unchanged(&self, store: &Store, context: &Context) -> bool {
        let spec = IndexSpec::of(store, context);
        let is_same = self.model.name() == spec.model.name();
        is_same
            && self.index.resume(&CallState::of(context).call)
            && spec.is_fresh(&self.index, self.look())
    }

    /// Whether each file could be read: those that could not are tried, and reported, again. Such
    /// an index has no folders, and is never as the files are.
    pub(super) fn has_read_all(&self) -> bool {
        self.index.reads(Unit::Facts).folders().is_ok_and(|folders| !folders.is_empty())
    }

    /// How closely the files have to be checked: nothing on disk says what others read meanwhile.
    fn look(&self) -> Freshness {
        match self.mode {
            SearchMode::Scan => Freshness::Whole,
            SearchMode::Index => Freshness::Usual,
        }
    }
}
