//! `memory show`, and how a handle is resolved to its memory.
//!
//! Invariant: an ambiguous handle is answered with all candidates, never with a guess.

use super::life::{self, FactOrigin};
use crate::identity::{Calendar, FactView, Held, Memory, StandingFilter, handle::Shared};
use crate::index::{
    FactIndex, HeldFacts,
    store::{PlacedFact, Scope, Store},
};
use crate::workspace::{
    Error, Workspace,
    named::{self, FactRef},
};
use serde::Serialize;

pub use crate::workspace::named::ShowError;

/// A fact, whole.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub fact: FactView,
    pub updated: Option<String>,
    pub from: FactOrigin,
}

impl Report {
    /// `shared` says whether its number means another fact, too.
    pub fn of((placed, held): (&PlacedFact, Held), shared: Shared, calendar: &Calendar) -> Report {
        Report {
            fact: FactView { held, ..placed.whole_view(shared, calendar) },
            updated: placed.memory.updated.map(|at| at.to_string()),
            from: FactOrigin::of(&placed.memory),
        }
    }
}

/// Whether a fact of this store holds, and what a line says of it.
pub fn held(ws: &Workspace, store: &Store, memory: &Memory) -> Held {
    let stores = ws.to_read(None).unwrap_or_default();
    let all: Vec<&Store> = stores.iter().collect();
    let is_timeless =
        |store: &&Store| FactIndex::for_lookup(store, ws).is_some_and(|index| index.is_timeless());
    // Few identities have a fact that says when it holds.
    if memory.times.is_none() && all.iter().all(is_timeless) {
        return Held::default();
    }
    let held = HeldFacts::of_stores(&all, StandingFilter::All, ws);
    held.held(store, memory.path.as_str(), |scope, by| {
        let of_scope = stores.iter().filter(|store| store.scope == scope);
        let mut found = of_scope.flat_map(|store| named::facts_with(by.hash, store, ws));
        let known = found.next().map(|placed| named::view(ws, &placed).handle);
        known.unwrap_or_else(|| by.handle(scope, Shared::No))
    })
}

/// The memory with this handle; if several, `ErrorKind::NeedsChoice` with the candidates.
pub fn find(
    ws: &Workspace,
    text: &str,
    scope: Option<Scope>,
) -> Result<(Store, PlacedFact), Error> {
    let named =
        FactRef::parse(text).ok_or_else(|| ShowError::NoHandle { text: text.to_owned() })?;
    let mut found = Vec::new();
    for store in ws.to_read(scope)? {
        let here = named.facts_in(&store, ws);
        found.extend(here.into_iter().map(|placed| (store.clone(), placed)));
    }
    named.settle(&mut found, |(store, _)| store.scope);
    named::with_moved(ws, &named, &mut found);
    match found.len() {
        0 => {
            let is_in_log = life::tells_of(ws, text, scope);
            Err(ShowError::NotFound { text: text.to_owned(), is_in_log }.into())
        }
        1 => Ok(found.remove(0)),
        _ => Err(named::ambiguous(
            text,
            found.iter().map(|(_, placed)| (&placed.memory, placed.scope)),
        )),
    }
}
