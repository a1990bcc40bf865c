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
mod like;
pub mod listed;
mod model;
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
pub mod store;
mod texts;
mod words;

use crate::identity::{Blob, Digest, Finding, Memory, RelPath, memory::MemoryMeta};
use crate::machine::{Context, settings::RecallSettings};
use crate::recall::{alike::distinct, encoder};
pub(crate) use alike::alike;
pub(crate) use call_state::CallState;
use call_state::Compared;
pub(crate) use corpus::IndexCorpus;
use database::{Content, Index, IndexError, Key, Unit, Use, Writer};
pub(crate) use documents::{
    DocMeta, DocumentCorpus, IndexedDocument, always_included, document_metas,
};
use encoding::encoded;
pub(crate) use encoding::{Budget, Encoded, Encoding, encode};
pub(crate) use fact_index::{BeforeWrite, FactIndex};
pub(crate) use facts::FactCorpus;
pub(crate) use held::{HeldFacts, TimedCount};
pub(crate) use like::near;
pub(crate) use listed::listed;
use model::Model;
pub(crate) use overview::{Overview, named_secrets, overview};
pub(crate) use read::{
    CheckedStore, Shown, facts_by_name, memories, newest, reading, reading_closely,
    reading_memories, vectors,
};
use seen::take_in_few;
pub(crate) use seen::{Seen, are_unlike_others};
pub use sources::ReindexError;
pub(crate) use sources::{Sources, Wanted};
use store::{Scope, Store};

use serde::Serialize;
use std::{path::PathBuf, rc::Rc, time::Duration};

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
    /// Stat the folders, and every file if there are at most `recall.look_at` of them.
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
    model: Model,
    mode: SearchMode,
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
    fn has_read_all(&self) -> bool {
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

/// Location of an index, and the key and model it must match to be usable.
struct IndexSpec<'a> {
    store: &'a Store,
    context: &'a Context,
    settings: &'a RecallSettings,
    file: PathBuf,
    key: Key,
    model: Model,
}

impl IndexSpec<'_> {
    fn of<'a>(store: &'a Store, context: &'a Context) -> IndexSpec<'a> {
        let (co, tables) = (env!("CARGO_PKG_VERSION"), database::edition());
        let (facts, digests, pairs) = (MemoryMeta::EDITION, Digest::EDITION, distinct::EDITION);
        let (model, documents) = (Model::of(context).0, documents::EDITION);
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
    fn open(&self) -> Result<Option<Index>, IndexError> {
        self.open_as_is()?.map_or(Ok(None), |index| self.with_recent(index))
    }

    /// For a save, which reads the notes of other saves itself.
    fn open_as_is(&self) -> Result<Option<Index>, IndexError> {
        if !self.settings.index {
            return Ok(None);
        }
        let call = &CallState::of(self.context).call;
        Index::open(&self.file, &self.key, Use::of(self.context), call)
    }

    /// For who has another way.
    fn open_if_possible(&self) -> Option<Index> {
        self.open().ok().flatten()
    }

    /// `None` if there is none that can be updated.
    fn update(&self) -> Result<Option<Writer>, IndexError> {
        Writer::update(&self.file, &self.key, &CallState::of(self.context).call)
    }

    /// As [`IndexSpec::update`], for a small change that does not wait for another writer.
    fn try_update(&self) -> Result<Option<Writer>, IndexError> {
        let call = &CallState::of(self.context).call;
        Writer::try_update(&self.file, &self.key, (call, Use::of(self.context)))
    }
}

/// Why the embedder of the settings cannot be used, as far as the settings show.
pub(crate) fn problem(context: &Context) -> Option<String> {
    Model::of(context).1
}

/// `local/index.db` for the usual identity of this laptop; otherwise in the store's state folder.
pub(crate) fn file_of(store: &Store, context: &Context) -> PathBuf {
    if store.scope == Scope::Identity && context.is_usual_identity() {
        context.config_dir.join("local/index.db")
    } else {
        store.state.join("index.db")
    }
}

/// Opens the up-to-date index of a store; `None` if indexes are switched off. On an error, the
/// caller reads the files.
pub(crate) fn open(
    store: &Store,
    context: &Context,
    look: Freshness,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    let opened = opened(store, context, look, moved)?;
    if opened.as_ref().is_some_and(Opened::has_read_all) {
        CallState::of(context).set_compared(store, Compared::All);
    }
    let note = opened.as_ref().and_then(|opened| opened.refreshed.note());
    note.into_iter().for_each(|note| context.note(note));
    Ok(opened)
}

fn opened(
    store: &Store,
    context: &Context,
    look: Freshness,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    let spec = IndexSpec::of(store, context);
    if !spec.settings.index {
        return Ok(None);
    }
    // Tries again if another co changed it in between.
    for _ in 0..2 {
        let there = match spec.open() {
            // Who asks for a new one gets it, unless somebody uses the old one.
            Err(error) if look != Freshness::Anew || error.is_busy() => return Err(error),
            there => there.ok().flatten().filter(|_| look != Freshness::Anew),
        };
        match there {
            Some(index)
                if (look == Freshness::Usual
                    && CallState::of(context).is_compared(store, Compared::All))
                    || spec.is_fresh(&index, look) =>
            {
                let refreshed = spec.counted(|unit| index.reads(unit).count_document_files());
                match spec.opened(index, refreshed, Vec::new()) {
                    Err(error) if error.is_damage() => return spec.build(Freshness::Anew, moved),
                    opened => return opened.map(Some),
                }
            }
            Some(index) if index.is_sparse() => {
                drop(index);
                return spec.build(Freshness::Anew, moved);
            }
            Some(index) => match spec.refresh(index, moved) {
                Ok(Some(opened)) => return Ok(Some(opened)),
                Ok(None) => {}
                Err(error) if error.is_damage() => return spec.build(Freshness::Anew, moved),
                Err(error) => return Err(error),
            },
            None => return spec.build(look, moved),
        }
    }
    Ok(None)
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

/// As [`open`] with a stat of each file, but only if there is an index.
fn open_existing(store: &Store, context: &Context) -> Option<Opened> {
    let spec = IndexSpec::of(store, context);
    let index = spec.open_if_possible()?;
    if spec.is_fresh(&index, Freshness::Whole) {
        return spec.opened(index, Refreshed::default(), Vec::new()).ok();
    }
    spec.refresh(index, &|_, _| {}).ok()?
}

/// The memory stored in a row.
pub(crate) fn memory(content: Content) -> Option<Memory> {
    memory_of(&content.path, content.bytes, &content.facts)
}

fn memory_of(path: &str, bytes: Vec<u8>, facts: &[u8]) -> Option<Memory> {
    let blob = Blob::known(bytes, rows::facts(facts)?)?;
    Some(Memory { path: RelPath::new(path)?, blob })
}
