//! `memory similar`: which facts mean nearly the same as one, or as each other.
//!
//! Invariant: changes nothing; similar facts are shown to a person, who decides.

use super::{
    Error,
    index::{self, CheckedStore},
    show,
    store::Scope,
};
use crate::identity::{FactView, Memory};
use crate::ops::workspace::Workspace;
use crate::recall::{
    embed,
    similar::{self, Similar},
};
use serde::Serialize;

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
    Pairs(Vec<Similar>),
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
    let mut likes: Vec<SimilarFact> = Vec::new();
    for other in ws.to_read(request.scope)? {
        let (memories, _) = index::memories(&other, ws);
        let known = index::vectors(&other, ws);
        let vectors = similar::vectors(&memories.iter().collect::<Vec<_>>(), &known);
        let is_itself =
            |memory: &Memory| other.root == store.root && memory.path == placed.memory.path;
        let scored = memories.iter().zip(vectors.cosines(&asked));
        let near = scored.filter(|(memory, cosine)| *cosine >= LEAST && !is_itself(memory));
        let calendar = ws.calendar();
        likes.extend(near.map(|(memory, cosine)| SimilarFact {
            fact: FactView::of(memory, (other.scope, memory.path.below(&other.shown)), calendar),
            score: (f64::from(cosine) * 100.0).floor() / 100.0,
        }));
    }
    likes.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| a.fact.handle.cmp(&b.fact.handle))
    });
    likes.truncate(request.limit);
    Ok(Report::Of { fact: Box::new(placed.view(ws.calendar())), similar: likes })
}

fn pairs(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let mut pairs = Vec::new();
    for store in ws.to_read(request.scope)? {
        let alike = |checked_store: &CheckedStore| {
            let memories = checked_store.reading.snapshot.memories();
            index::alike(&store, ws, &memories, &checked_store.before)
        };
        let checked_store = index::reading_memories(&store, ws);
        let found = alike(&checked_store);
        let all_loaded = checked_store.all_loaded();
        pairs.extend(if all_loaded { found } else { alike(&CheckedStore::at_files(&store)) });
    }
    pairs.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    Ok(Report::Pairs(pairs))
}
