//! `review --scan`: proposals derived from a person's existing facts.
//!
//! Invariant: only proposes, never acts. A pinned fact is never proposed to be forgotten, and reads
//! are known only as far back as this laptop's log goes.

use super::{Proposal, Question};
use crate::facts::recall;
use crate::identity::{ContentHash, FactView, Memory, Stamp};
use crate::index::{self, store::Store};
use crate::machine::Context;
use crate::recall::{
    alike::{self, opposed},
    dates::{self, NamedTime},
};
use crate::workspace::{Workspace, named::Numbers};

/// After how many days without a read a fact is proposed.
const DAYS: i64 = 180;
const DAY: i64 = 24 * 60 * 60 * Stamp::SECOND;

pub fn proposals(ws: &Workspace, store: &Store) -> Vec<Proposal> {
    let (memories, _) = store.memories();
    let memories: Vec<Memory> = memories.into_iter().map(|placed| placed.memory).collect();
    let by_age = alike::by_age(&memories);
    let mut found = Vec::new();
    let numbers = Numbers::of(ws, memories.iter().map(|memory| (store.scope, memory.id)));
    let view = |memory: &Memory| -> FactView {
        let shared = numbers.shared(store.scope, memory.id);
        store.place(memory.clone()).whole_view(shared, ws.calendar())
    };
    let vectors = index::vectors(store, ws);
    let opposed = opposed::pairs(&by_age);
    for pair in alike::pairs(&by_age, &vectors) {
        if opposed.contains(&(pair.older, pair.newer)) {
            continue;
        }
        let (older, newer) = (by_age[pair.older], by_age[pair.newer]);
        let what = Question::Join { older: view(older), newer: view(newer) };
        found.push(about(&[older, newer], "join", what, "they say nearly the same thing"));
    }
    for (older, newer) in opposed {
        let (older, newer) = (by_age[older], by_age[newer]);
        let what = Question::Replace { older: view(older), newer: view(newer) };
        found.push(about(&[older, newer], "replace", what, "they say different things"));
    }
    for memory in by_age.iter().filter(|memory| !memory.pinned) {
        if let Some(day) = passed(memory, ws) {
            let why = format!("{day} has passed");
            found.push(about(&[memory], "forget", Question::Forget { fact: view(memory) }, &why));
        }
    }
    let recalled = recall::recalled_within(ws, DAYS * DAY);
    let is_old = |memory: &&&Memory| memory.latest().plus(DAYS * DAY) < ws.now();
    for memory in by_age.iter().filter(|memory| !memory.pinned).filter(is_old) {
        if recalled.as_ref().is_some_and(|read| !read.contains(&memory.hash.hash_prefix())) {
            let why = format!("not recalled for {DAYS} days");
            found.push(about(&[memory], "forget", Question::Forget { fact: view(memory) }, &why));
        }
    }
    found
}

fn about(memories: &[&Memory], word: &str, what: Question, why: &str) -> Proposal {
    let hashes: Vec<String> = memories.iter().map(|memory| memory.hash.to_string()).collect();
    // Hashed from what is proposed, so that an answer is valid as long as the texts are unchanged.
    let hash = ContentHash::of_body(&format!("{word} {}", hashes.join(" ")));
    let texts: Vec<&str> = memories.iter().map(|memory| memory.text()).collect();
    Proposal {
        at: memories.last().map(|memory| memory.latest().to_string()),
        why: Some(why.to_owned()),
        ..Proposal::of(hash, what, texts.join("\n\n"))
    }
}

/// A day that was in the future when the fact was learned, and has passed.
fn passed(memory: &Memory, context: &Context) -> Option<String> {
    let calendar = context.calendar();
    let learned = calendar.day_in_file(memory.latest());
    let today = calendar.day(context.now());
    let day = dates::named(memory.text(), learned).into_iter().find_map(|when| match when {
        NamedTime::Days(first, last) if first > learned && last < today => Some(last),
        _ => None,
    });
    day.map(|day| day.to_string())
}
