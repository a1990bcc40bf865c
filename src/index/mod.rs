//! The one derived store, and the one search over it: opens the index of a store and brings it up
//! to date before a query.
//!
//! Invariant: files are the source of truth. If the index is missing, damaged or on a read-only
//! disk, a search makes one in memory and others read the files; nothing here fails a command.
//! Must not know verbs, or which stores a person means.

pub mod alike;
mod call_state;
mod corpus;
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a database is on disk")]
pub mod database;
mod documents;
mod encoding;
mod fact_index;
mod facts;
mod freshness;
mod held;
mod kept_out;
mod like;
pub mod listed;
mod model;
mod opened;
mod opening;
pub mod overview;
mod placed;
mod positions;
mod read;
mod recent;
mod refresh;
mod rows;
pub mod search;
mod seen;
mod sources;
mod spec;
pub mod store;
mod texts;
mod words;

use crate::machine::Context;
pub(crate) use alike::alike;
pub(crate) use call_state::CallState;
pub(crate) use corpus::IndexCorpus;
use database::Unit;
pub(crate) use documents::{
    DocMeta, DocumentCorpus, IndexedDocument, always_included, document_metas,
};
use encoding::encoded;
pub(crate) use encoding::{Budget, Encoded, Encoding, encode};
pub(crate) use fact_index::{BeforeWrite, FactIndex};
use facts::FactCorpus;
pub(crate) use held::HeldFacts;
use held::TimedCount;
pub(crate) use like::near;
pub(crate) use listed::listed;
use model::Model;
pub(crate) use opened::Opened;
pub use opened::{Freshness, Refreshed, SearchMode};
pub(crate) use opening::open;
pub(crate) use overview::{Overview, named_secrets, overview};
pub(crate) use read::{
    CheckedStore, Shown, facts_by_name, memories, newest, reading, reading_closely,
    reading_memories, vectors,
};
use seen::take_in_few;
pub(crate) use seen::{Seen, are_unlike_others};
pub use sources::ReindexError;
pub(crate) use sources::{Sources, Wanted};
use spec::IndexSpec;
pub(crate) use spec::file_of;
use store::Store;

use std::time::Duration;

/// Why the embedder of the settings cannot be used, as far as the settings show.
pub(crate) fn problem(context: &Context) -> Option<String> {
    Model::of(context).1
}

/// Status of the index of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IndexStatus {
    /// Switched off in the settings.
    Off,
    Missing,
    /// Damaged, or written by another version.
    Unusable,
    /// In use by somebody else, or on a disk that fails.
    Unreadable,
    Good {
        facts: usize,
        /// Texts without a vector from the encoder.
        unencoded: usize,
    },
}

/// Inspects the index without refreshing it.
pub(crate) fn standing(store: &Store, context: &Context) -> IndexStatus {
    let spec = IndexSpec::of(store, context);
    if !spec.settings.index {
        return IndexStatus::Off;
    }
    if !database::is_there(&spec.file) {
        return IndexStatus::Missing;
    }
    let index = match spec.open() {
        Ok(Some(index)) => index,
        Ok(None) => return IndexStatus::Unusable,
        Err(_) => return IndexStatus::Unreadable,
    };
    let facts = index.reads(Unit::Facts).count_texts();
    let missing = |unit: &Unit| index.reads(*unit).count_unencoded();
    let is_on = Encoding::of(context, Budget::Blink).is_on();
    let unencoded = if is_on { Unit::ALL.iter().map(missing).sum() } else { 0 };
    IndexStatus::Good { facts, unencoded }
}

/// How long a sync computes vectors.
const SYNC: Duration = Duration::from_secs(1);

/// Refreshes an index, by what a sync saw of the files, else with a stat of each, and computes some
/// of the missing vectors. If it cannot be written, the next query refreshes it.
pub(crate) fn catch_up(store: &Store, context: &Context, seen: &Seen<'_>) {
    if take_in_few(store, context, seen)
        || open(store, context, Freshness::Whole, &|_, _| {}).is_ok()
    {
        let _ = encode(store, context, Some(SYNC), &|_, _| {});
        bring_in_log(store, context);
    }
}

/// Brings the log of changes to the index itself, so that a save need not wait for that.
pub(crate) fn bring_in_log(store: &Store, context: &Context) {
    if context.settings.recall.index {
        // If that fails, a later change does it.
        let _ = database::bring_in_log(&file_of(store, context));
    }
}
