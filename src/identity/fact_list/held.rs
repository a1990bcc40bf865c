//! Which facts of a list hold.
//!
//! Invariant: a list in which no fact says anything of its time is left as it is, without a look at
//! each. Must not know: the clock.

use super::{FactList, FactRow, Timed, at, short};
use crate::identity::{
    current::{self, Dated, Standing, When, Which},
    fact_view::Held,
    scope::Scope,
};

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
        let facts: Vec<Dated<'_>> = self.iter().map(|row| self.dated(row)).collect();
        let standings = current::standings(&facts, when);
        let rows: Vec<FactRow<'_>> = self.iter().collect();
        let held = |(place, standing): (usize, &Standing)| {
            let by = if let Standing::ReplacedBy(by) = standing { Some(*by) } else { None };
            let by = by.map(|by| rows[by].handle());
            let marks = current::marks(&facts[place], *standing, by.as_deref(), when);
            let is_plain = *standing == Standing::Current && marks.is_empty();
            (!is_plain).then(|| Held { standing: standing.word(), marks })
        };
        let held: Vec<Option<Held>> = standings.iter().enumerate().map(held).collect();
        for (place, held) in held.into_iter().enumerate() {
            if let Some(held) = held {
                self.set_held(place, held);
            }
        }
        let mut kept = standings.into_iter().map(|standing| which.wants(standing));
        self.rows.retain(|_| kept.next().unwrap_or(true));
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
