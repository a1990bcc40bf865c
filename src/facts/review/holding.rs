//! The facts that hold, as reviews look through them.
//!
//! Invariant: what is over, replaced or not begun is not asked about, but for a fact whose
//! successor is over itself. A contradiction is asked about by one question, whichever review
//! finds it.

use super::proposal::{Proposal, Question};
use crate::identity::{
    ContentHash, FactView, Held, Memory, Stamp, Standing, When,
    current::{self, Dated},
};
use crate::index::store::Store;
use crate::recall::{
    alike::{self, opposed},
    dates::{self, NamedTime},
};
use crate::workspace::{Workspace, named::Numbers};
use std::collections::BTreeSet;

pub(super) const DAY: i64 = 24 * 60 * 60 * Stamp::SECOND;
/// After how many days without a read a fact is asked about.
pub(super) const UNREAD_DAYS: i64 = 180;
/// The word for a question whether one fact replaces another.
pub(super) const REPLACE: &str = "replace";

/// The facts of a store that hold, and how each is shown.
pub(super) struct Holding<'a> {
    ws: &'a Workspace,
    store: &'a Store,
    memories: Vec<Memory>,
    left_behind: Vec<LeftBehind>,
    numbers: Numbers,
}

/// A fact, and the one that replaces it although that is over by now: perhaps it holds again.
pub(super) struct LeftBehind {
    pub(super) fact: Memory,
    pub(super) by: Memory,
}

impl<'a> Holding<'a> {
    pub(super) fn read(ws: &'a Workspace, store: &'a Store) -> Holding<'a> {
        let all: Vec<Memory> = store.memories().0.into_iter().map(|placed| placed.memory).collect();
        let numbers = Numbers::of(ws, all.iter().map(|memory| (store.scope, memory.id)));
        let standings = {
            let dated: Vec<Dated<'_>> = all.iter().map(|memory| Dated::of(memory, 0)).collect();
            current::standings(&dated, when(ws))
        };
        let left_behind = left_behind(&all, &standings);
        let holding = all.into_iter().zip(standings);
        let holding = holding.filter(|(_, standing)| *standing == Standing::Current);
        let memories = holding.map(|(memory, _)| memory).collect();
        Holding { ws, store, memories, left_behind, numbers }
    }

    pub(super) fn when(&self) -> When<'a> {
        when(self.ws)
    }

    /// The oldest first.
    pub(super) fn by_age(&self) -> Vec<&Memory> {
        alike::by_age(&self.memories)
    }

    pub(super) fn left_behind(&self) -> &[LeftBehind] {
        &self.left_behind
    }

    pub(super) fn view(&self, memory: &Memory) -> FactView {
        let shared = self.numbers.shared(self.store.scope, memory.id);
        let view = self.store.place(memory.clone()).whole_view(shared, self.ws.calendar());
        let marks = current::marks(&Dated::of(memory, 0), Standing::Current, None, self.when());
        FactView { held: Held { standing: None, marks }, ..view }
    }

    /// Questions about facts that say different things of one subject, with their places in
    /// [`Holding::by_age`].
    pub(super) fn contradictions(&self) -> Vec<((usize, usize), Proposal)> {
        let by_age = self.by_age();
        let question = |(older, newer): (usize, usize)| {
            let (first, last) = (by_age[older], by_age[newer]);
            let what = Question::Replace { older: self.view(first), newer: self.view(last) };
            let asked = about(&[first, last], REPLACE, what, "they say different things");
            ((older, newer), asked)
        };
        opposed::pairs(&by_age).into_iter().map(question).collect()
    }

    /// When it was last learned, changed or confirmed.
    pub(super) fn last_said(&self, memory: &Memory) -> Stamp {
        Dated::of(memory, 0).last_said(self.ws.calendar())
    }

    /// A day that was in the future when the fact was learned, and has passed since anybody said
    /// that it holds.
    pub(super) fn passed(&self, memory: &Memory) -> Option<String> {
        let calendar = self.ws.calendar();
        let learned = calendar.day_in_file(memory.latest());
        let said = calendar.day_in_file(self.last_said(memory));
        let today = calendar.day(self.ws.now());
        let day = dates::named(memory.text(), learned).into_iter().find_map(|when| match when {
            NamedTime::Days(first, last) if first > learned && last < today => Some(last),
            _ => None,
        });
        day.filter(|day| *day >= said).map(|day| day.to_string())
    }
}

/// Where the successor was replaced as well, that one tells.
fn left_behind(all: &[Memory], standings: &[Standing]) -> Vec<LeftBehind> {
    let times = all.iter().filter_map(|memory| memory.times.as_deref());
    let replaced: BTreeSet<ContentHash> =
        times.flat_map(|times| times.supersedes.iter().copied()).collect();
    let left = |(fact, standing): (&Memory, &Standing)| {
        let Standing::ReplacedBy(by) = standing else { return None };
        let is_over = matches!(standings[*by], Standing::Over(_));
        let by = all.get(*by).filter(|by| is_over && !replaced.contains(&by.hash))?;
        Some(LeftBehind { fact: fact.clone(), by: by.clone() })
    };
    all.iter().zip(standings).filter_map(left).collect()
}

fn when(ws: &Workspace) -> When<'_> {
    When { at: ws.now(), calendar: ws.calendar() }
}

/// A question about these facts.
pub(super) fn about(memories: &[&Memory], word: &str, what: Question, why: &str) -> Proposal {
    let texts: Vec<&str> = memories.iter().map(|memory| memory.text()).collect();
    Proposal {
        at: memories.last().map(|memory| memory.latest().to_string()),
        why: Some(why.to_owned()),
        ..Proposal::of(hash_of(memories, word), what, texts.join("\n\n"))
    }
}

/// Hashed from what is asked about, so that an answer is valid as long as the texts are unchanged.
pub(super) fn hash_of(memories: &[&Memory], word: &str) -> ContentHash {
    let hashes: Vec<String> = memories.iter().map(|memory| memory.hash.to_string()).collect();
    ContentHash::of_body(&format!("{word} {}", hashes.join(" ")))
}
