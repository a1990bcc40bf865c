//! `memory similar`: which facts mean nearly the same as one, or as each other.
//!
//! Invariant: changes nothing; similar facts are shown to a person, who decides.

use super::show;
use crate::identity::{FactList, FactView, Memory, RelPath, handle::Shared};
use crate::index::{
    self, CheckedStore,
    store::{PlacedFact, Scope, Store},
};
use crate::recall::{
    alike::{self, Similar},
    embed,
};
use crate::workspace::{Error, Workspace, named};
use serde::Serialize;
use std::{collections::HashMap, iter, path::PathBuf};

pub const DEFAULT_LIMIT: usize = 5;
/// The cosine below which two facts have little in common.
const LEAST: f32 = 0.45;

#[derive(Clone, Debug)]
pub struct Request {
    /// The fact; `None` for all facts that are nearly the same as another.
    pub handle: Option<String>,
    pub scope: Option<Scope>,
    pub limit: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SimilarFact {
    #[serde(flatten)]
    pub fact: FactView,
    /// The cosine, at most 1.
    pub score: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// The facts that are most like one, best first.
    Of {
        #[serde(flatten)]
        fact: Box<FactView>,
        similar: Vec<SimilarFact>,
    },
    /// Facts that say nearly the same as an older one.
    Pairs(Vec<SimilarPair>),
}

/// A fact, and the older one that says nearly the same.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SimilarPair {
    pub handle: String,
    pub other_handle: String,
    #[serde(flatten)]
    pub found: Similar,
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    match &request.handle {
        Some(handle) => of_one(ws, request, handle),
        None => pairs(ws, request),
    }
}

fn of_one(ws: &Workspace, request: &Request, handle: &str) -> Result<Report, Error> {
    let (store, placed) = show::find(ws, handle, request.scope)?;
    let asked = embed::embed(placed.memory.text()).packed();
    let mut likes: Vec<(f64, PlacedFact)> = Vec::new();
    for other in ws.to_read(request.scope)? {
        let (memories, _) = index::memories(&other, ws);
        let known = index::vectors(&other, ws);
        let vectors = alike::vectors(&memories.iter().collect::<Vec<_>>(), &known);
        let is_itself =
            |memory: &Memory| other.root == store.root && memory.path == placed.memory.path;
        let scored = memories.iter().zip(vectors.cosines(&asked));
        let near = scored.filter(|(memory, cosine)| *cosine >= LEAST && !is_itself(memory));
        likes.extend(near.map(|(memory, cosine)| {
            ((f64::from(cosine) * 100.0).floor() / 100.0, other.place(memory.clone()))
        }));
    }
    let handle = |placed: &PlacedFact| placed.memory.handle(placed.scope, Shared::No);
    likes.sort_by(|(score, fact), (other_score, other)| {
        other_score.total_cmp(score).then_with(|| handle(fact).cmp(&handle(other)))
    });
    let shown = &likes[..likes.len().min(request.limit)];
    let facts: Vec<&PlacedFact> =
        iter::once(&placed).chain(shown.iter().map(|(_, like)| like)).collect();
    let mut views = named::views(ws, &facts).into_iter();
    let fact = views.next().expect("because the fact itself is the first");
    let similar = views.zip(shown).map(|(fact, (score, _))| SimilarFact { fact, score: *score });
    Ok(Report::Of { fact: Box::new(fact), similar: similar.collect() })
}

fn pairs(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let mut pairs: Vec<(Store, Similar)> = Vec::new();
    for store in ws.to_read(request.scope)? {
        let alike = |checked_store: &CheckedStore| {
            let memories = checked_store.reading.snapshot.memories();
            index::alike(&store, ws, &memories, &checked_store.before)
        };
        let checked_store = index::reading_memories(&store, ws);
        let found = alike(&checked_store);
        let all_loaded = checked_store.all_loaded();
        let found = if all_loaded { found } else { alike(&CheckedStore::at_files(&store)) };
        pairs.extend(found.into_iter().map(|pair| (store.clone(), pair)));
    }
    pairs.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    Ok(Report::Pairs(with_handles(ws, request, pairs)?))
}

fn with_handles(
    ws: &Workspace,
    request: &Request,
    pairs: Vec<(Store, Similar)>,
) -> Result<Vec<SimilarPair>, Error> {
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let mut list = FactList::default();
    for store in ws.to_read(request.scope)? {
        list.append(index::listed(&store, ws).0);
    }
    named::tell_apart(ws, &mut list);
    let handles: HashMap<PathBuf, String> =
        list.iter().map(|row| (row.path(), row.handle())).collect();
    // A file that came or went in the meantime goes by its path.
    let handle = |store: &Store, path: &str| {
        let file = RelPath::new(path).map(|path| path.below(&store.shown));
        let handle = file.and_then(|file| handles.get(&file).cloned());
        handle.unwrap_or_else(|| path.to_owned())
    };
    let named = |(store, found): (Store, Similar)| SimilarPair {
        handle: handle(&store, &found.path),
        other_handle: handle(&store, &found.other_path),
        found,
    };
    Ok(pairs.into_iter().map(named).collect())
}
