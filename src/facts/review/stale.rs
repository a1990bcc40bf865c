//! `review --stale`: facts that may no longer hold, for the person to say.
//!
//! Invariant: nothing is decided here, and nothing by time alone. An answer is in the facts' own
//! keys, so that it counts on every laptop and a fact is asked about again when it is due again;
//! only that both of a contradiction hold is kept with the answers of other reviews. Must not know
//! how an answer is carried out.

use super::{
    answer::{Answer, Replacement},
    holding::{DAY, Holding, LeftBehind, UNREAD_DAYS, about, hash_of},
    proposal::{Proposal, Question},
    scan::FORGET,
};
use crate::facts::{recall, show};
use crate::identity::{
    Bound, Memory, Stamp,
    answers::Answers,
    current::{self, Dated},
    dates::{Reading, When},
};
use crate::index::store::{Scope, Store};
use crate::workspace::{Error, Workspace, asked, named::FactRef};
use std::collections::BTreeSet;

/// How many days before its end a fact is asked about.
const SOON_DAYS: i64 = 14;

/// Unchecked ones first, then contradictions, those whose time is nearly over or named as over, and
/// those that nothing read.
pub(super) fn proposals(ws: &Workspace, store: &Store, answers: &Answers) -> Vec<Proposal> {
    let holding = Holding::read(ws, store);
    let contradictions = holding.contradictions().into_iter().map(|(_, proposal)| proposal);
    let mut found: Vec<(Reason, Proposal)> =
        contradictions.map(|proposal| (Reason::Contradicts, proposal)).collect();
    found.retain(|(_, proposal)| !answers.has(proposal.hash));
    let recalled = recall::recalled_within(ws, UNREAD_DAYS * DAY);
    for memory in holding.by_age() {
        let kept = answers.has(hash_of(&[memory], FORGET));
        let doubt = doubt(&holding, memory, recalled.as_ref());
        // Whoever said to keep it need not say so again.
        let doubt = doubt.filter(|(reason, _)| !(kept && *reason >= Reason::Passed));
        found.extend(doubt.map(|(reason, why)| {
            let what = Question::Check { fact: holding.view(memory) };
            (reason, about(&[memory], "check", what, &why))
        }));
    }
    for left in holding.left_behind() {
        if !answers.has(hash_of(&[&left.fact], FORGET)) {
            found.push((Reason::Passed, perhaps_again(&holding, left)));
        }
    }
    found.sort_by_key(|(reason, _)| *reason);
    found.into_iter().map(|(_, proposal)| proposal).collect()
}

/// Asks about a fact that another one replaced for a time which has passed.
fn perhaps_again(holding: &Holding<'_>, left: &LeftBehind) -> Proposal {
    let until = left.by.times.as_deref().and_then(|times| times.valid_until);
    let until = until.map_or_else(String::new, |until| until.words(holding.when().calendar));
    let why = format!("{} replaced it, until {until}", holding.view(&left.by).handle);
    let what = Question::Check { fact: holding.view(&left.fact) };
    about(&[&left.fact], "check", what, &why)
}

/// Why a fact is asked about, in the order in which they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Unchecked,
    Contradicts,
    Soon,
    Passed,
    Unread,
}

/// The first reason to doubt that a fact holds, in words.
fn doubt(
    holding: &Holding<'_>,
    memory: &Memory,
    recalled: Option<&BTreeSet<u64>>,
) -> Option<(Reason, String)> {
    let when = holding.when();
    let dated = Dated::of(memory, 0);
    let said = dated.last_said(when.calendar);
    if let Some(since) = current::unchecked_since(&dated, when) {
        return Some((Reason::Unchecked, format!("unchecked since {}", since.strftime("%B %Y"))));
    }
    let until = memory.times.as_deref().and_then(|times| times.valid_until);
    if let Some(until) = until {
        let asked_from = until.end(when.calendar).plus(-SOON_DAYS * DAY);
        let last = until.words(when.calendar);
        // One that was said within those days was said with its end in mind.
        let is_soon = asked_from < when.at && said < asked_from;
        return is_soon.then(|| (Reason::Soon, format!("holds until {last}")));
    }
    if memory.pinned {
        return None;
    }
    if let Some(day) = holding.passed(memory) {
        return Some((Reason::Passed, format!("{day} has passed")));
    }
    let is_old = said.plus(UNREAD_DAYS * DAY) < when.at;
    let is_unread = recalled.is_some_and(|read| !read.contains(&memory.hash.hash_prefix()));
    let why = || format!("not recalled for {UNREAD_DAYS} days");
    (is_old && is_unread).then(|| (Reason::Unread, why()))
}

/// That a fact is over since then: on that day it no longer held. Without a text, since now.
pub fn over_since(ws: &Workspace, typed: &str) -> Result<Answer, Error> {
    let before = |at: Stamp| Bound::At(at.plus(-Stamp::SECOND));
    if typed.trim().is_empty() {
        return Ok(Answer::OverSince(before(ws.now())));
    }
    let date = asked::date(ws, typed, Reading::Past)?;
    let last = match date {
        When::Days(first, _) => {
            let last = first.yesterday().ok().and_then(Bound::of_day);
            last.unwrap_or_else(|| before(date.first(ws.calendar())))
        }
        When::Time(first, _) => before(first),
    };
    Ok(Answer::OverSince(last))
}

/// What replaces a fact: another one by its handle, or a new one by its text.
pub fn replaced_by(ws: &Workspace, typed: &str) -> Result<Answer, Error> {
    if FactRef::parse(typed).is_none() {
        return Ok(Answer::ReplacedBy(Replacement::Text(typed.to_owned())));
    }
    let (_, placed) = show::find(ws, typed, Some(Scope::Identity))?;
    Ok(Answer::ReplacedBy(Replacement::Fact(placed.memory.hash)))
}
