//! Which facts of a list hold.
//!
//! Invariant: a list in which no fact says anything of its time is left as it is, without a look at
//! each. Must not know: the clock.

use super::{FactList, FactRow, Row, Timed, at, short};
use crate::identity::{
    ContentHash,
    current::{self, Dated, Standing, StandingFilter, When},
    fact_view::Held,
    scope::Scope,
};
use std::collections::BTreeSet;

/// How near the facts of a store are, by its place among the stores of a reader: layers come from
/// far to near, then the identity, and of several projects the first is the nearest.
pub fn nearness(scope: Scope, place: usize, stores: usize) -> usize {
    match scope {
        Scope::Layer(_) | Scope::Identity => place.min(stores),
        Scope::Project => 2 * stores - place.min(stores),
    }
}

/// The first twelve bits of a hash.
fn beginning(hash: &ContentHash) -> usize {
    let [first, second, ..] = *hash.digest();
    usize::from(first) << 4 | usize::from(second >> 4)
}

impl FactList {
    /// Notes of each fact whether it holds, and leaves out those that are not wanted. The list has
    /// all facts of its stores, and each has its handle.
    pub fn keep_held(&mut self, which: StandingFilter, when: When<'_>) {
        if self.timed.is_empty() {
            return;
        }
        let places = self.places_told_of();
        let list = &*self;
        let rows: Vec<FactRow<'_>> =
            places.iter().map(|place| FactRow { list, row: &list.rows[*place] }).collect();
        let facts: Vec<Dated<'_>> = rows.iter().map(|row| list.dated(*row)).collect();
        let standings = current::standings(&facts, when);
        let held = |(fact, standing): (&Dated<'_>, &Standing)| {
            let by = if let Standing::ReplacedBy(by) = standing { Some(*by) } else { None };
            let by = by.map(|by| rows[by].handle());
            let marks = current::marks(fact, *standing, by.as_deref(), when);
            let is_plain = *standing == Standing::Current && marks.is_empty();
            (!is_plain).then(|| Held { standing: standing.word(), marks })
        };
        let held: Vec<Option<Held>> = facts.iter().zip(&standings).map(held).collect();
        for (place, held) in places.iter().zip(held) {
            if let Some(held) = held {
                self.set_held(*place, held);
            }
        }
        let unwanted = places.into_iter().zip(standings).filter(|(_, it)| !which.wants(*it));
        self.remove(unwanted.map(|(place, _)| place));
    }

    /// Without the facts in these places, which are in order. The others keep theirs: they are
    /// sorted but for a few, and a sort soon has the whole list.
    fn remove(&mut self, places: impl Iterator<Item = usize>) {
        let mut places = places.peekable();
        if places.peek().is_none() {
            return;
        }
        let mut place = 0;
        self.rows.retain(|_| {
            let is_gone = places.next_if_eq(&place).is_some();
            place += 1;
            !is_gone
        });
    }

    /// Where the facts are that say something of their time, or that one of them replaces: most do
    /// neither, and hold.
    fn places_told_of(&self) -> Vec<usize> {
        let times = self.timed.iter().filter_map(|timed| timed.times.as_ref());
        let replaced: BTreeSet<ContentHash> =
            times.flat_map(|times| times.supersedes.iter().copied()).collect();
        // Hot: the first bits tell that most facts are none of the few that are replaced.
        let mut beginnings = [false; 1 << 12];
        replaced.iter().for_each(|hash| beginnings[beginning(hash)] = true);
        let is_replaced =
            |row: &Row| beginnings[beginning(&row.hash)] && replaced.contains(&row.hash);
        let is_told_of = |row: &Row| row.timed.is_some() || is_replaced(row);
        let rows = self.rows.iter().enumerate().filter(|(_, row)| is_told_of(row));
        rows.map(|(place, _)| place).collect()
    }

    fn dated<'a>(&self, row: FactRow<'a>) -> Dated<'a> {
        row.dated(nearness(row.scope(), at(row.row.store), self.stores.len()))
    }

    fn set_held(&mut self, place: usize, held: Held) {
        if let Some(timed) = self.rows[place].timed {
            self.timed[at(timed)].held = held;
            return;
        }
        self.timed.push(Timed { times: None, held });
        self.rows[place].timed = Some(short(self.timed.len() - 1));
    }
}
