//! `review --scan`: proposals from a person's own facts: join two that say nearly the same, replace
//! one that another contradicts, forget one that is over or long unused.
//!
//! Invariant: changes nothing. It never proposes to forget a pinned fact, nor to forget one as
//! unused if this laptop's log of recalls does not go back far enough.

use super::{
    holding::{DAY, Holding, UNREAD_DAYS, about},
    proposal::{Proposal, Question},
};
use crate::facts::recall;
use crate::identity::Memory;
use crate::index::{self, store::Store};
use crate::recall::alike;
use crate::workspace::Workspace;

/// The word for a proposal to forget a fact.
pub(super) const FORGET: &str = "forget";

pub fn proposals(ws: &Workspace, store: &Store) -> Vec<Proposal> {
    let holding = Holding::read(ws, store);
    let by_age = holding.by_age();
    let mut found = Vec::new();
    let contradictions = holding.contradictions();
    let vectors = index::vectors(store, ws);
    for pair in alike::pairs(&by_age, &vectors) {
        if contradictions.iter().any(|(places, _)| *places == (pair.older, pair.newer)) {
            continue;
        }
        let (older, newer) = (by_age[pair.older], by_age[pair.newer]);
        let what = Question::Join { older: holding.view(older), newer: holding.view(newer) };
        found.push(about(&[older, newer], "join", what, "they say nearly the same thing"));
    }
    found.extend(contradictions.into_iter().map(|(_, proposal)| proposal));
    let forget = |memory: &Memory, why: &str| {
        about(&[memory], FORGET, Question::Forget { fact: holding.view(memory) }, why)
    };
    let is_free = |memory: &&&Memory| !memory.pinned;
    for memory in by_age.iter().filter(is_free) {
        let passed = holding.passed(memory);
        found.extend(passed.map(|day| forget(memory, &format!("{day} has passed"))));
    }
    let recalled = recall::recalled_within(ws, UNREAD_DAYS * DAY);
    let is_old = |memory: &&&Memory| holding.last_said(memory).plus(UNREAD_DAYS * DAY) < ws.now();
    for memory in by_age.iter().filter(is_free).filter(is_old) {
        if recalled.as_ref().is_some_and(|read| !read.contains(&memory.hash.hash_prefix())) {
            found.push(forget(memory, &format!("not recalled for {UNREAD_DAYS} days")));
        }
    }
    found
}
