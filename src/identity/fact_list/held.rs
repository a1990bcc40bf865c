//! Which facts of a list hold.
//!
//! Invariant: a list in which no fact says anything of its time is left as it is, without a look at
//! each. Must not know: the clock.

use super::{FactList, FactRow, Row, Timed, at, short};
use crate::identity::{
    ContentHash,
    current::{self, Dated, Standing, When, Which},
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

impl FactList {
    /// Notes of each fact whether it holds, and leaves out those that are not wanted. The list has
    /// all facts of its stores, and each has its handle.
    pub fn keep_held(&mut self, which: Which, when: When<'_>) {
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
        let mut is_kept = vec![true; self.rows.len()];
        for ((place, standing), held) in places.into_iter().zip(standings).zip(held) {
            is_kept[place] = which.wants(standing);
            if let Some(held) = held {
                self.set_held(place, held);
            }
        }
        let mut is_kept = is_kept.into_iter();
        self.rows.retain(|_| is_kept.next().unwrap_or(true));
    }

    /// Where the facts are that say something of their time, or that one of them replaces: most do
    /// neither, and hold.
    fn places_told_of(&self) -> Vec<usize> {
        let times = self.timed.iter().filter_map(|timed| timed.times.as_ref());
        let replaced: BTreeSet<ContentHash> =
            times.flat_map(|times| times.supersedes.iter().copied()).collect();
        let is_told_of = |row: &Row| row.timed.is_some() || replaced.contains(&row.hash);
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
