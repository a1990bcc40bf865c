//! Opens the search index of a store and brings it up to date before a query.
//!
//! Invariant: files are the truth. Without a catalog, with a damaged one, or on a disk that cannot be
//! written, the caller reads the files instead; nothing here fails a command.

mod alike;
mod corpus;
mod documents;
mod encoding;
mod joined;
mod model;
mod places;
mod read;
mod refresh;
mod rows;
mod saving;
mod sources;
mod words;

pub(super) use alike::alike;
pub(super) use corpus::StoreCorpus;
pub(super) use documents::{
    ChunkCorpus as SearchedDocuments, DocMeta, Documents, IndexedDocument, cards,
};
use encoding::encoded;
pub(super) use encoding::{Budget, Encoded, Encoding, encode};
pub(super) use joined::JointCorpus;
pub(super) use read::{
    CheckedStore, MemorySummary, Shown, entries, facts_by_name, memories, near, newest, reading,
    reading_closely, reading_memories, vectors,
};
pub(super) use rows::{holds_secret, kept_out};
pub(super) use saving::SaveIndex;
pub(super) use sources::{Sources, Wanted};

use super::store::{Scope, Store};
use crate::identity::{Blob, Digest, Finding, Memory, RelPath, memory::MemoryMeta};
use crate::recall::{distinct, encoder};
use crate::system::{
    Context, boot,
    catalog::{self, Catalog, CatalogError, Content, Seal, Unit},
    files,
    settings::RecallSettings,
};
use model::Model;
use serde::Serialize;
use std::{path::PathBuf, rc::Rc, time::Duration};

/// What answers a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchMode {
    /// All files are read.
    Scan,
    /// The catalog.
    Catalog,
}

/// How thoroughly the index is checked against the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// Stat the folders, and every file if there are at most `recall.look_at` of them.
    Usual,
    /// Each file.
    Whole,
    /// Rebuild the index.
    Anew,
}

/// What was done to a catalog.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Refreshed {
    pub file: PathBuf,
    /// Facts in it.
    pub files: usize,
    /// Knowledge documents in it.
    pub articles: usize,
    /// Whether it was made anew.
    pub rebuilt: bool,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
}

impl Refreshed {
    /// For the log, as the seeds word it.
    pub fn note(&self) -> Option<String> {
        let memories = if self.files == 1 { "memory" } else { "memories" };
        let articles = if self.articles == 1 { "article" } else { "articles" };
        let (facts, documents) = (self.files, self.articles);
        self.rebuilt.then(|| {
            format!("Rebuilt knowledge index ({facts} {memories}, {documents} {articles})")
        })
    }
}

/// A catalog that is up to date. Whoever asks it several things shares it.
#[derive(Clone)]
pub(super) struct Opened {
    pub(super) catalog: Rc<Catalog>,
    pub(super) refreshed: Refreshed,
    /// Files that could not be read.
    pub(super) findings: Vec<Finding>,
    /// What made the vectors of facts that are not the encoder's.
    model: Model,
    /// Why some have no vector.
    pub(super) problem: Option<String>,
}

impl Opened {
    /// Ends the read transaction, so that writers are not blocked; see [`Opened::is_unchanged`].
    pub(super) fn release(&self) -> Result<(), CatalogError> {
        self.catalog.release()
    }

    /// Begins a new read transaction; `true` if model, index and files are as they were when it was
    /// opened.
    pub(super) fn is_unchanged(&self, store: &Store, context: &Context) -> bool {
        let place = CatalogSpec::of(store, context);
        let is_same = self.model.name() == place.model.name();
        is_same
            && self.findings.is_empty()
            && self.catalog.reacquire(&place.file, &place.seal)
            && place.is_fresh(&self.catalog, Freshness::Usual)
    }
}

/// Location of an index, and the seal and model it must match to be usable.
struct CatalogSpec<'a> {
    store: &'a Store,
    context: &'a Context,
    settings: &'a RecallSettings,
    file: PathBuf,
    seal: Seal,
    model: Model,
}

impl CatalogSpec<'_> {
    fn of<'a>(store: &'a Store, context: &'a Context) -> CatalogSpec<'a> {
        let (co, tables) = (env!("CARGO_PKG_VERSION"), catalog::edition());
        let (facts, digests, pairs) = (MemoryMeta::EDITION, Digest::EDITION, distinct::EDITION);
        let (model, documents) = (Model::of(context).0, documents::EDITION);
        let (root, vectors) = (store.root.display(), model.name());
        let key = format!(
            "co {co} catalog {tables}.{facts}.{digests}.{documents}.{pairs}\n{root}\n{vectors}"
        );
        let seal = Seal::new(key, boot::id(context), encoder::MODEL);
        let settings = &context.settings.recall;
        CatalogSpec { store, context, settings, file: file_of(store, context), seal, model }
    }

    fn open(&self) -> Option<Catalog> {
        self.settings.catalog.then(|| Catalog::open(&self.file, &self.seal))?
    }
}

/// Why the embedder of the settings cannot be asked, as far as the settings say.
pub(super) fn problem(context: &Context) -> Option<String> {
    Model::of(context).1
}

/// `local/catalog.db` for the identity of this laptop; others have theirs with their caches.
pub(super) fn file_of(store: &Store, context: &Context) -> PathBuf {
    if store.scope == Scope::Identity && context.is_usual_identity() {
        context.config_dir.join("local/catalog.db")
    } else {
        store.state.join("catalog.db")
    }
}

/// The catalog of a store, up to date. None where it is switched off. An error only says why there is
/// none: whoever wants an answer reads the files.
pub(super) fn open(
    store: &Store,
    context: &Context,
    look: Freshness,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, CatalogError> {
    let place = CatalogSpec::of(store, context);
    if !place.settings.catalog {
        return Ok(None);
    }
    // A second time when another co changed it in between.
    for _ in 0..2 {
        match place.open().filter(|_| look != Freshness::Anew) {
            Some(catalog) if place.is_fresh(&catalog, look) => {
                let refreshed = place.counted(|unit| catalog.reads(unit).count_document_files())?;
                match place.opened(catalog, refreshed, Vec::new()) {
                    Err(error) if error.is_damage() => return place.build(Freshness::Anew, moved),
                    opened => return opened.map(Some),
                }
            }
            Some(catalog) => {
                drop(catalog);
                match place.refresh(moved) {
                    Ok(Some(opened)) => return Ok(Some(opened)),
                    Ok(None) => {}
                    Err(error) if error.is_damage() => return place.build(Freshness::Anew, moved),
                    Err(error) => return Err(error),
                }
            }
            None => return place.build(look, moved),
        }
    }
    Ok(None)
}

/// Status of the index of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CatalogStatus {
    /// The settings say so.
    Off,
    Missing,
    /// It is damaged, or of another version.
    Unusable,
    Good {
        facts: usize,
        /// Texts without a vector of the encoder.
        unencoded: usize,
    },
}

/// Looks at a catalog as it is: it is not brought up to date.
pub(super) fn standing(store: &Store, context: &Context) -> CatalogStatus {
    let place = CatalogSpec::of(store, context);
    if !place.settings.catalog {
        return CatalogStatus::Off;
    }
    if !files::exists(&place.file) {
        return CatalogStatus::Missing;
    }
    let counted = |catalog: Catalog| {
        let facts = catalog.reads(Unit::Whole).count_documents().ok()?;
        let missing = |unit: &Unit| catalog.reads(*unit).count_unencoded().ok();
        let unencoded: Option<usize> = Unit::ALL.iter().map(missing).sum();
        let is_on = Encoding::of(context, Budget::Blink).is_on();
        Some(CatalogStatus::Good { facts, unencoded: if is_on { unencoded? } else { 0 } })
    };
    place.open().and_then(counted).unwrap_or(CatalogStatus::Unusable)
}

/// How long a sync makes vectors.
const SYNC: Duration = Duration::from_secs(1);

/// Brings a catalog up to date, with a look at each file, and makes some of the vectors that are
/// missing. One that cannot be written is brought up to date by who asks it.
pub(super) fn catch_up(store: &Store, context: &Context) {
    if open(store, context, Freshness::Whole, &|_, _| {}).is_ok() {
        let _ = encode(store, context, Some(SYNC), &|_, _| {});
    }
}

/// As [`open`], with a look at each file, but only where there is a catalog.
fn open_existing(store: &Store, context: &Context) -> Option<Opened> {
    let place = CatalogSpec::of(store, context);
    let catalog = place.open()?;
    if place.is_fresh(&catalog, Freshness::Whole) {
        return place.opened(catalog, Refreshed::default(), Vec::new()).ok();
    }
    drop(catalog);
    place.refresh(&|_, _| {}).ok()?
}

/// The memory that a row keeps.
pub(super) fn memory(content: Content) -> Option<Memory> {
    memory_of(&content.path, content.bytes, &content.facts)
}

fn memory_of(path: &str, bytes: Vec<u8>, facts: &[u8]) -> Option<Memory> {
    let blob = Blob::known(bytes, rows::facts(facts)?)?;
    Some(Memory { path: RelPath::new(path)?, blob })
}
