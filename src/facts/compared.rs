//! Which facts of a store a new one resembles: the one that says the same in other words, and those
//! of which it says something else, so that it may replace them.
//!
//! Invariant: a hint; nothing is changed, and what is read is bounded. Only facts that hold are
//! named: nobody forgets a new fact because of one that is shown no more.

use crate::identity::{ContentHash, FactView, Memory, StandingFilter};
use crate::index::{
    self, FactIndex, HeldFacts,
    store::{PlacedFact, Store},
};
use crate::machine::Context;
use crate::recall::alike::{self, opposed};
use crate::workspace::{Workspace, named};
use std::cell::OnceCell;

/// With more facts than this and no index, a save does not look for a similar one.
const COMPARED: usize = 1_000;
/// How many facts are named that a new one may replace.
const NAMED: usize = 3;

/// The facts that a new one resembles.
#[derive(Debug, Default)]
pub(super) struct Resembled {
    /// With nearly the same words or meaning.
    pub(super) same: Option<PlacedFact>,
    /// Says something else of the same subject.
    pub(super) may_be_replaced: Vec<PlacedFact>,
}

/// Finds the facts of a store that new ones resemble.
pub(super) struct Comparison<'a> {
    context: &'a Context,
    store: &'a Store,
    /// Opened once a fact is found. Most new facts are like none, and then nobody need know which
    /// hold.
    index: OnceCell<Option<FactIndex<'a>>>,
}

impl<'a> Comparison<'a> {
    pub(super) fn of(store: &'a Store, context: &'a Context) -> Comparison<'a> {
        Comparison { context, store, index: OnceCell::new() }
    }

    /// A fact with nearly the same words or meaning. Without an index, only looked for among a few
    /// facts.
    pub(super) fn like(&mut self, text: &str, hash: ContentHash) -> Option<PlacedFact> {
        self.same(text, near(self.context, self.store, text, hash))
    }

    pub(super) fn resembled(&mut self, text: &str, hash: ContentHash) -> Resembled {
        let others = near(self.context, self.store, text, hash).into_iter();
        let is_opposed = opposed::opposed_to(text);
        let (opposed, others): (Vec<_>, Vec<_>) =
            others.partition(|(memory, _)| is_opposed(memory.text()));
        let opposed = self.held(opposed).into_iter().take(NAMED);
        let may_be_replaced = opposed.map(|(memory, _)| self.store.place(memory)).collect();
        Resembled { same: self.same(text, others), may_be_replaced }
    }

    /// Those that were found, as they are shown.
    pub(super) fn views(self, ws: &Workspace, facts: &[&PlacedFact]) -> Vec<FactView> {
        match self.index.into_inner().flatten() {
            Some(index) => named::views_by_index(ws, index, facts),
            None => named::views(ws, facts),
        }
    }

    fn same(&mut self, text: &str, others: Vec<(Memory, f32)>) -> Option<PlacedFact> {
        most_like(text, &others)?;
        let mut others = self.held(others);
        let at = most_like(text, &others)?;
        Some(self.store.place(others.swap_remove(at).0))
    }

    /// Those that hold, the nearest in meaning first.
    fn held(&mut self, mut facts: Vec<(Memory, f32)>) -> Vec<(Memory, f32)> {
        if facts.is_empty() {
            return facts;
        }
        let (store, which) = (self.store, StandingFilter::Current);
        let index = self.index.get_or_init(|| FactIndex::with_saved(store, self.context));
        let held = index
            .as_ref()
            .and_then(|index| HeldFacts::with_saved(store, index, which, self.context));
        let held = held.unwrap_or_else(|| {
            // An open read would block the writer of the index.
            self.index = OnceCell::from(None);
            HeldFacts::of_stores(&[store], which, self.context)
        });
        facts.retain(|(memory, _)| held.wants(store, memory.path.as_str()));
        facts
    }
}

fn most_like(text: &str, others: &[(Memory, f32)]) -> Option<usize> {
    let texts: Vec<(&str, f32)> =
        others.iter().map(|(memory, cosine)| (memory.text(), *cosine)).collect();
    alike::most_like(text, &texts)
}

/// The facts that are about much the same, the nearest in meaning first, with the cosine of each.
fn near(context: &Context, store: &Store, text: &str, hash: ContentHash) -> Vec<(Memory, f32)> {
    let few = || {
        // Counts the files before reading any.
        if store.memory_files().0.len() > COMPARED {
            return Vec::new();
        }
        let placed = store.memories().0;
        let texts: Vec<&str> = placed.iter().map(|placed| placed.memory.text()).collect();
        let cosines = alike::cosines(text, &texts);
        let mut all: Vec<(Memory, f32)> =
            placed.into_iter().map(|placed| placed.memory).zip(cosines).collect();
        all.sort_by(|(_, cosine), (_, other)| other.total_cmp(cosine));
        all
    };
    let mut others = index::near(store, context, (text, hash)).unwrap_or_else(few);
    others.retain(|(memory, _)| memory.hash != hash);
    others
}
