//! Which index a store has, and what it has to match.
//!
//! Invariant: an index of another version, place or model does not match. Must not know what is
//! searched, nor how it is brought up to date.

use super::{
    call_state::CallState,
    database::{self, Index, IndexError, Key, Use, Writer},
    model::Model,
    rows::EDITION_OF_DOCUMENTS,
    store::{Scope, Store},
};
use crate::identity::{Digest, memory::MemoryMeta};
use crate::machine::{Context, settings::RecallSettings};
use crate::recall::{alike::distinct, encoder};
use std::path::PathBuf;

/// Location of an index, and the key and model it must match to be usable.
pub(super) struct IndexSpec<'a> {
    pub(super) store: &'a Store,
    pub(super) context: &'a Context,
    pub(super) settings: &'a RecallSettings,
    pub(super) file: PathBuf,
    pub(super) key: Key,
    pub(super) model: Model,
}

impl IndexSpec<'_> {
    pub(super) fn of<'a>(store: &'a Store, context: &'a Context) -> IndexSpec<'a> {
        let (co, tables) = (env!("CARGO_PKG_VERSION"), database::edition());
        let (facts, digests, pairs) = (MemoryMeta::EDITION, Digest::EDITION, distinct::EDITION);
        let (model, documents) = (Model::of(context).0, EDITION_OF_DOCUMENTS);
        let (root, vectors) = (store.root.display(), model.name());
        let text = format!(
            "co {co} index {tables}.{facts}.{digests}.{documents}.{pairs}\n{root}\n{vectors}"
        );
        let key = Key { text, encoder: encoder::MODEL };
        let settings = &context.settings.recall;
        IndexSpec { store, context, settings, file: file_of(store, context), key, model }
    }

    /// With the facts that were saved since it was written. Fails if there is one that cannot be
    /// read now; that must not be replaced.
    pub(super) fn open(&self) -> Result<Option<Index>, IndexError> {
        self.open_as_is()?.map_or(Ok(None), |index| self.with_recent(index))
    }

    /// For a save, which reads the notes of other saves itself.
    pub(super) fn open_as_is(&self) -> Result<Option<Index>, IndexError> {
        if !self.settings.index {
            return Ok(None);
        }
        let call = &CallState::of(self.context).call;
        Index::open(&self.file, &self.key, Use::of(self.context), call)
    }

    /// For who has another way.
    pub(super) fn open_if_possible(&self) -> Option<Index> {
        self.open().ok().flatten()
    }

    /// `None` if there is none that can be updated.
    pub(super) fn update(&self) -> Result<Option<Writer>, IndexError> {
        Writer::update(&self.file, &self.key, &CallState::of(self.context).call)
    }

    /// As [`IndexSpec::update`], for a small change that does not wait for another writer.
    pub(super) fn try_update(&self) -> Result<Option<Writer>, IndexError> {
        let call = &CallState::of(self.context).call;
        Writer::try_update(&self.file, &self.key, (call, Use::of(self.context)))
    }
}

/// `local/index.db` for the usual identity of this laptop; otherwise in the store's state folder.
pub(crate) fn file_of(store: &Store, context: &Context) -> PathBuf {
    if store.scope == Scope::Identity && context.is_usual_identity() {
        context.config_dir.join("local/index.db")
    } else {
        store.state.join("index.db")
    }
}
