//! `confirm`: a person or an agent says that facts still hold.
//!
//! Invariant: the text stays; the day of the next check moves on by the span that it had, and never
//! back. A fact that was replaced and is confirmed counts again. All facts of a store are one
//! operation.

use super::{show, timing};
use crate::identity::{
    Bound, Calendar, Document, FactView, Memory, Stamp, StandingFilter, Times,
    current::Dated,
    times::{STALE_AFTER, VERIFIED},
    validate,
    value::Value,
};
use crate::index::{
    HeldFacts,
    store::{PlacedFact, Scope, Store},
};
use crate::machine::oplog::OpVerb;
use crate::merge::change::{ChangeSet, FileChange};
use crate::workspace::{Error, Workspace, each_once, named};
use jiff::{ToSpan, Unit, civil::Date};
use serde::Serialize;

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub handles: Vec<String>,
    pub scope: Option<Scope>,
}

/// One fact.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Confirmed {
    #[serde(flatten)]
    pub fact: FactView,
    /// It was replaced, and counts again.
    pub counts_again: bool,
    /// What is said of its time.
    #[serde(skip)]
    pub shown: Vec<String>,
}

/// Confirms all of the facts, or none.
pub fn run(ws: &Workspace, request: &Request) -> Result<Vec<Confirmed>, Error> {
    let mut stores: Vec<Store> = Vec::new();
    for handle in &request.handles {
        let (store, placed) = show::find(ws, handle, request.scope)?;
        refuse_unchangeable(&placed.memory)?;
        stores.push(store);
    }
    let mut confirmed = Vec::new();
    for store in each_once(stores.iter()) {
        confirmed.extend(in_store(ws, store, request)?);
    }
    Ok(confirmed)
}

/// Fails if its file cannot say so.
pub(super) fn refuse_unchangeable(memory: &Memory) -> Result<(), Error> {
    let document = memory.document();
    validate::changeable(&document, VERIFIED)?;
    validate::changeable(&document, STALE_AFTER)?;
    Ok(())
}

fn in_store(ws: &Workspace, store: &Store, request: &Request) -> Result<Vec<Confirmed>, Error> {
    let write = ws.write_found(store)?;
    let mut facts: Vec<PlacedFact> = Vec::new();
    for handle in &request.handles {
        let (found, placed) = show::find(ws, handle, request.scope)?;
        let is_known = facts.iter().any(|known| known.memory.path == placed.memory.path);
        if found.root == store.root && !is_known {
            refuse_unchangeable(&placed.memory)?;
            facts.push(placed);
        }
    }
    let stores = ws.to_read(None).unwrap_or_default();
    let all: Vec<&Store> = stores.iter().collect();
    let held = HeldFacts::of_stores(&all, StandingFilter::All, ws);
    let mut changes = Vec::new();
    let mut done: Vec<(Memory, bool)> = Vec::new();
    for placed in &facts {
        let mut hashes = held.superseding(placed.memory.hash);
        hashes.extend(placed.memory.times.iter().flat_map(|times| times.supersedes.clone()));
        let others = hashes.into_iter().flat_map(|hash| all.iter().map(move |place| (hash, place)));
        let others = others.flat_map(|(hash, place)| named::facts_with(hash, place, ws));
        let others: Vec<Memory> = others.map(|other| other.memory).collect();
        let was = show::held(ws, store, &placed.memory).standing;
        let edited = said_again(&placed.memory, &others, (ws.now(), ws.calendar()));
        validate::file(&edited.blob)?;
        changes.push(FileChange::replacing(&placed.memory, edited.blob.clone()));
        done.push((edited, was == Some("replaced")));
    }
    let what: Vec<String> = facts.iter().map(|placed| placed.memory.summary()).collect();
    write.operation(OpVerb::Confirm, what.join(" · ")).apply(&ChangeSet::of(changes))?;
    drop(write);
    let reports = done.into_iter().map(|(memory, was_replaced)| {
        let report = report(ws, store, memory);
        let counts_again = was_replaced && report.fact.held.standing.is_none();
        Confirmed { counts_again, ..report }
    });
    Ok(reports.collect())
}

fn report(ws: &Workspace, store: &Store, memory: Memory) -> Confirmed {
    let held = show::held(ws, store, &memory);
    let shown = timing::shown(&memory, ws.calendar());
    let fact = FactView { held, ..named::view(ws, &store.place(memory)) };
    Confirmed { fact, counts_again: false, shown }
}

/// The fact as it is once it was said again: later than the others, which replace it or which it
/// replaces.
pub(super) fn said_again(
    memory: &Memory,
    others: &[Memory],
    (now, calendar): (Stamp, &Calendar),
) -> Memory {
    let last = |memory: &Memory| Dated::of(memory, 0).last_said(calendar);
    let others = others.iter().filter(|other| other.hash != memory.hash);
    let after = others.map(|other| last(other).plus(Stamp::SECOND)).max();
    let said = [Some(now), after, Some(last(memory))].into_iter().flatten().max().unwrap_or(now);
    let times = memory.times.as_deref().cloned().unwrap_or_default();
    let next = next_check(&times, memory.created, now, calendar);
    let updated = said.max(memory.latest().plus(Stamp::SECOND));
    memory.edited(|document| write(document, [(VERIFIED, said), ("updated", updated)], next))
}

fn write(document: &mut Document, stamps: [(&str, Stamp); 2], next: Option<Bound>) {
    for (key, at) in stamps {
        document.set(key, Value::Text(at.with_offset()));
    }
    if let Some(next) = next {
        document.set(STALE_AFTER, Value::Text(next.to_string()));
    }
}

/// When to check it again: as long after now as it was after the last check. `None` if it stays.
fn next_check(times: &Times, created: Stamp, now: Stamp, calendar: &Calendar) -> Option<Bound> {
    let due = times.stale_after?;
    let checked = times.verified.map_or(created, |verified| verified.start(calendar));
    if due.end(calendar) <= checked {
        return None;
    }
    let next = match due {
        Bound::At(at) => Bound::At(now.plus(at.micros().checked_sub(checked.micros())?)),
        Bound::Day(_) => {
            let day = calendar.day(checked);
            Bound::of_day(moved(calendar.day(now), (day, due.day(calendar)))?)?
        }
    };
    (next.end(calendar) > due.end(calendar)).then_some(next)
}

/// A day that is as far from `day` as the two are from each other: whole months stay months.
fn moved(day: Date, (from, to): (Date, Date)) -> Option<Date> {
    let months = from.until((Unit::Month, to)).ok()?;
    if months.get_days() == 0 {
        return day.checked_add(months).ok();
    }
    let days = from.until((Unit::Day, to)).ok()?.get_days();
    day.checked_add(days.days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_check_is_as_far_as_the_last_one_was() {
        let stamp = |text: &str| Stamp::parse(text).expect("a stamp").stamp;
        let bound = |text: &str| Bound::parse(text).expect("a bound");
        let created = stamp("2026-01-31T09:00:00Z");
        for (verified, due, now, next) in [
            (None, "2026-07-31", "2026-08-15", Some("2027-02-15")),
            (Some("2026-07-31"), "2026-10-29", "2026-12-01", Some("2027-03-01")),
            (Some("2026-07-31"), "2027-07-31", "2028-02-29", Some("2029-02-28")),
            // Early, and with a clock that is wrong.
            (None, "2026-07-31", "2026-02-01", Some("2026-08-01")),
            (None, "2026-07-31", "2026-01-15", None),
            // It was due before it was checked.
            (Some("2026-09-01"), "2026-07-31", "2026-09-02", None),
        ] {
            let times = Times {
                stale_after: Some(bound(due)),
                verified: verified.map(bound),
                ..Times::default()
            };
            let found = next_check(&times, created, stamp(now), &Calendar::default());
            assert_eq!(found.map(|next| next.to_string()).as_deref(), next, "{due} {now}");
        }
        assert_eq!(next_check(&Times::default(), created, created, &Calendar::default()), None);
    }
}
