//! The stores that a question searches, each with an index.
//!
//! Invariant: a store whose index cannot be used on disk gets one in memory, and the reason is
//! noted.

use super::{
    Freshness, IndexSpec, Opened,
    database::{IndexError, Unit},
    encoded,
    encoding::Budget,
    open, problem,
    store::Store,
};
use crate::machine::Context;

/// Why an index was not written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {0}")]
pub struct ReindexError(#[source] pub IndexError);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// What to search in them.
    pub(crate) units: &'a [Unit],
    /// How closely to check the files; `None` reads them all into memory.
    pub(crate) look: Option<Freshness>,
    pub(crate) budget: Budget,
}

#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) stores: Vec<(Store, Opened)>,
    /// What was done to indexes, or why there is none on disk.
    pub(crate) notes: Vec<String>,
    /// Why the vectors are not from the model in the settings.
    pub(crate) problem: Option<String>,
}

impl Sources {
    pub(crate) fn open(
        context: &Context,
        stores: &[Store],
        wanted: Wanted<'_>,
    ) -> Result<Sources, ReindexError> {
        let mut sources = Sources { problem: problem(context), ..Sources::default() };
        for store in stores {
            let opened = match wanted.look {
                Some(look) => of_one(store, context, look, wanted),
                None => Ok(None),
            };
            let opened = opened.unwrap_or_else(|error| {
                sources.notes.push(format!("{error}; all files are read instead"));
                None
            });
            let opened = match opened {
                Some(opened) => opened,
                None => {
                    IndexSpec::of(store, context).in_memory(wanted.budget).map_err(ReindexError)?
                }
            };
            sources.notes.extend(opened.refreshed.note());
            sources.problem = opened.problem.clone().or(sources.problem.take());
            sources.stores.push((store.clone(), opened));
        }
        Ok(sources)
    }
}

fn of_one(
    store: &Store,
    context: &Context,
    look: Freshness,
    wanted: Wanted<'_>,
) -> Result<Option<Opened>, IndexError> {
    let Some(opened) = open(store, context, look, &|_, _| {})? else { return Ok(None) };
    encoded(store, context, opened, wanted.budget, wanted.units).map(Some)
}
