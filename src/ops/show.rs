//! `memory show`, and how a handle is resolved to its memory.
//!
//! Invariant: an ambiguous handle is answered with all candidates, never with a guess.

use super::log::FactOrigin;
use super::{
    Error, ErrorKind,
    named::{self, FactRef},
    store::{PlacedFact, Scope, Store},
};
use crate::identity::{Calendar, FactView, handle::Shared};
use crate::ops::workspace::Workspace;
use serde::Serialize;

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
    pub fn of(placed: &PlacedFact, shared: Shared, calendar: &Calendar) -> Report {
        Report {
            fact: placed.whole_view(shared, calendar),
            updated: placed.memory.updated.map(|at| at.to_string()),
            from: FactOrigin::of(&placed.memory),
        }
    }
}

/// Why a handle does not identify exactly one memory.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error("`{text}` is not the handle of a fact")]
    NoHandle { text: String },
    #[error("there is no fact {text}")]
    NotFound { text: String },
    #[error("`{text}` {}", why_ambiguous(*is_renumbered))]
    Ambiguous {
        text: String,
        /// A line for each memory: its handle and how it begins.
        candidates: Vec<String>,
        /// Whether a sync gave the number to another memory.
        is_renumbered: bool,
    },
}

impl ShowError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            ShowError::NoHandle { .. } => ErrorKind::Invalid,
            ShowError::NotFound { .. } => ErrorKind::NotFound,
            ShowError::Ambiguous { .. } => ErrorKind::NeedsChoice,
        }
    }
}

fn why_ambiguous(is_renumbered: bool) -> &'static str {
    if is_renumbered {
        "has belonged to another fact since a sync, so it could mean either"
    } else {
        "matches several facts"
    }
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
        0 => Err(ShowError::NotFound { text: text.to_owned() }.into()),
        1 => Ok(found.remove(0)),
        _ => Err(named::ambiguous(
            text,
            found.iter().map(|(_, placed)| (&placed.memory, placed.scope)),
        )),
    }
}
