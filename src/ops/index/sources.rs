//! The stores that a question searches, each with an index.
//!
//! Invariant: a store whose index cannot be used on disk gets one in memory, and the reason is
//! noted.

use super::{Freshness, IndexSpec, Opened, encoded, encoding::Budget, open, problem};
use crate::ops::workspace::Workspace;
use crate::ops::{
    Error,
    reindex::ReindexError,
    store::{Scope, Store},
};
use crate::system::index::{IndexError, Unit};

#[derive(Clone, Copy, Debug)]
pub(in crate::ops) struct Wanted<'a> {
    pub(in crate::ops) scope: Option<Scope>,
    /// What to search in them.
    pub(in crate::ops) units: &'a [Unit],
    /// How closely to check the files; `None` reads them all into memory.
    pub(in crate::ops) look: Option<Freshness>,
    pub(in crate::ops) budget: Budget,
}

#[derive(Default)]
pub(in crate::ops) struct Sources {
    pub(in crate::ops) stores: Vec<(Store, Opened)>,
    /// What was done to indexes, or why there is none on disk.
    pub(in crate::ops) notes: Vec<String>,
    /// Why the vectors are not from the model in the settings.
    pub(in crate::ops) problem: Option<String>,
}

impl Sources {
    pub(in crate::ops) fn open(ws: &Workspace, wanted: Wanted<'_>) -> Result<Sources, Error> {
        let mut sources = Sources { problem: problem(ws), ..Sources::default() };
        for store in ws.to_read(wanted.scope)? {
            let opened = match wanted.look {
                Some(look) => of_one(&store, ws, look, wanted),
                None => Ok(None),
            };
            let opened = opened.unwrap_or_else(|error| {
                sources.notes.push(format!("{error}; all files are read instead"));
                None
            });
            let opened = match opened {
                Some(opened) => opened,
                None => IndexSpec::of(&store, ws).in_memory(wanted.budget).map_err(ReindexError)?,
            };
            sources.notes.extend(opened.refreshed.note());
            sources.problem = opened.problem.clone().or(sources.problem.take());
            sources.stores.push((store, opened));
        }
        Ok(sources)
    }
}

fn of_one(
    store: &Store,
    ws: &Workspace,
    look: Freshness,
    wanted: Wanted<'_>,
) -> Result<Option<Opened>, IndexError> {
    let Some(opened) = open(store, ws, look, &|_, _| {})? else { return Ok(None) };
    encoded(store, ws, opened, wanted.budget, wanted.units).map(Some)
}
