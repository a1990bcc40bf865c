//! The index of a store, brought up to date before it is asked.
//!
//! Invariant: files are the truth. Without a database, with a damaged one, or on a disk that cannot
//! be written, the caller reads the files instead; nothing here fails a command.

mod corpus;
mod documents;
mod joined;
mod model;
mod read;
mod refresh;
mod rows;

pub(super) use corpus::Part;
pub(super) use documents::{
    Documents, Paper, Searched as SearchedDocuments, open as open_documents,
};
pub(super) use joined::Joined;
pub(super) use read::{memories, near, newest, reading, vectors};

use super::store::{Scope, Store};
use crate::identity::{Blob, Finding, Memory, RelPath, memory::Facts};
use crate::system::{
    Context,
    index::{self, Content, Index, IndexError},
    settings::RecallSettings,
};
use model::Model;
use rows::Vectors;
use serde::Serialize;
use std::path::PathBuf;

/// What answers a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rung {
    /// All files are read.
    Scan,
    /// The index finds words; vectors are made when asked for.
    Words,
    /// The index finds words and keeps vectors.
    Hybrid,
}

/// How closely the files are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// As the settings say: folders, and of few files each.
    Usual,
    /// Each file.
    Whole,
    /// The index is made anew.
    Anew,
}

/// What was done to an index.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Refreshed {
    pub file: PathBuf,
    /// Facts in the index.
    pub files: usize,
    /// Knowledge documents in it; facts and documents have an index each.
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

pub(super) struct Opened {
    pub(super) index: Index,
    pub(super) rung: Rung,
    pub(super) refreshed: Refreshed,
    /// Files that could not be read.
    pub(super) findings: Vec<Finding>,
    /// What made the vectors.
    model: Model,
    /// Why some have no vector.
    pub(super) problem: Option<String>,
}

/// What of a store is indexed; each has a file of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Facts,
    Documents,
}

/// Where a store's index is, and what it has to be of.
struct Place<'a> {
    what: What,
    store: &'a Store,
    context: &'a Context,
    settings: &'a RecallSettings,
    file: PathBuf,
    version: String,
    model: Model,
}

impl Place<'_> {
    fn of<'a>(what: What, store: &'a Store, context: &'a Context) -> Place<'a> {
        let root = store.root.display();
        let (co, tables, facts) = (env!("CARGO_PKG_VERSION"), index::edition(), Facts::EDITION);
        let version = format!("co {co} index {tables}.{facts}\n{root}");
        let (model, edition) = match what {
            What::Facts => (Model::of(context).0, String::new()),
            What::Documents => (Model::BuiltIn, format!("\ndocuments {}", documents::EDITION)),
        };
        let version = format!("{version}{edition}");
        let settings = &context.settings.recall;
        let file = file_of(what, store, context);
        Place { what, store, context, settings, file, version, model }
    }

    fn key(&self, vectors: Vectors) -> String {
        match vectors {
            Vectors::Kept => format!("{}\nvectors of {}", self.version, self.model.name()),
            Vectors::Left => format!("{}\nno vectors", self.version),
        }
    }

    fn wanted(&self, files: usize) -> Vectors {
        // Of documents every chunk has one, which would have to be made for every question.
        let few = self.what == What::Facts && files < self.settings.vectors_from;
        match self.model.is_built_in() && few {
            true => Vectors::Left,
            false => Vectors::Kept,
        }
    }

    /// From how many files on there is an index: vectors of an endpoint are always kept.
    fn index_from(&self) -> usize {
        if self.model.is_built_in() { self.settings.index_from } else { 1 }
    }

    fn open(&self) -> Option<(Index, Vectors)> {
        let open = |vectors| Some((Index::open(&self.file, &self.key(vectors))?, vectors));
        [Vectors::Kept, Vectors::Left].into_iter().find_map(open)
    }
}

/// Why the embedder of the settings cannot be asked, as far as the settings say.
pub(super) fn problem(context: &Context) -> Option<String> {
    Model::of(context).1
}

/// `local/knowledge.db` for the identity of this laptop; others have theirs with their caches.
fn file_of(what: What, store: &Store, context: &Context) -> PathBuf {
    let name = match what {
        What::Facts => "knowledge.db",
        What::Documents => "documents.db",
    };
    match store.scope == Scope::Identity && context.is_usual_identity() {
        true => context.config_dir.join("local").join(name),
        false => store.state.join(name),
    }
}

/// The index of the documents of a store, as [`open`] has that of its facts.
pub(super) fn open_shelf(
    store: &Store,
    context: &Context,
    look: Look,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    open_place(&Place::of(What::Documents, store, context), look, moved)
}

/// The index of the facts of a store, up to date. None when there are too few files for one. An error only says
/// why there is no index: whoever wants an answer reads the files.
pub(super) fn open(
    store: &Store,
    context: &Context,
    look: Look,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    open_place(&Place::of(What::Facts, store, context), look, moved)
}

fn open_place(
    place: &Place<'_>,
    look: Look,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    // A second time when another co changed it in between.
    for _ in 0..2 {
        match place.open().filter(|_| look != Look::Anew) {
            Some((index, vectors)) if place.is_fresh(&index, look) => {
                if index.reads().count()? < place.index_from() {
                    return Ok(None);
                }
                let refreshed = place.counted(&index.reads())?;
                return place.opened(index, vectors, refreshed, Vec::new()).map(Some);
            }
            Some((index, vectors)) => {
                drop(index);
                match place.refresh(vectors, moved) {
                    Ok(Some(opened)) => return Ok(Some(opened)),
                    Ok(None) => {}
                    Err(error) if error.is_damage() => return place.build(moved),
                    Err(error) => return Err(error),
                }
            }
            None => return place.build(moved),
        }
    }
    Ok(None)
}

/// Brings an index up to date where there is one, with a look at each file. One that cannot be
/// written is brought up to date by who asks it.
pub(super) fn catch_up(store: &Store, context: &Context) {
    drop(open_existing(What::Facts, store, context));
    drop(open_existing(What::Documents, store, context));
}

/// As [`open`], with a look at each file, but only where there is an index.
fn open_existing(what: What, store: &Store, context: &Context) -> Option<Opened> {
    let place = Place::of(what, store, context);
    let (index, vectors) = place.open()?;
    if place.is_fresh(&index, Look::Whole) {
        return place.opened(index, vectors, Refreshed::default(), Vec::new()).ok();
    }
    drop(index);
    place.refresh(vectors, &|_, _| {}).ok()?
}

/// The memory that a row keeps.
pub(super) fn memory(content: Content) -> Option<Memory> {
    memory_of(&content.path, content.bytes, &content.facts)
}

fn memory_of(path: &str, bytes: Vec<u8>, facts: &[u8]) -> Option<Memory> {
    let blob = Blob::known(bytes, rows::facts(facts)?)?;
    Some(Memory { path: RelPath::new(path)?, blob })
}
