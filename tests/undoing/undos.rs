//! The undos and redos of a story: which operation they are about, and what is known of it.
//!
//! Invariant: every one is judged, and a dry run of it changes nothing.

use super::{
    Wrong,
    log::{Entry, Log, Way},
    oracle::{self, Published, Taken, Target},
    stores::{self, LEDGER, Place, Stores},
    story::{Deed, Story},
};
use std::collections::BTreeSet;

impl Story {
    /// A file of an operation gets newer bytes, then the operation is taken back.
    pub fn provokes(&mut self, who: usize, n: usize) -> Result<(), Wrong> {
        let (_, log) = self.state(who);
        let person = &self.people[who];
        let known = person.done.iter().filter(|(op, _)| !log.is_undone(**op));
        let known: Vec<(u64, Vec<String>)> = known
            .filter_map(|(op, done)| {
                let paths = done.changes.as_ref()?.keys();
                Some((*op, paths.filter(|path| *path != LEDGER).cloned().collect()))
            })
            .collect();
        let Some((op, paths)) = self.dice.pick(&known).cloned() else {
            return self.acts(who, n);
        };
        self.types(who, n, &paths);
        self.takes_back(who, Way::Undo, Some(op))
    }

    /// Any of the last operations by its number, now and then one that never was.
    pub fn takes_back_some(&mut self, who: usize, way: Way) -> Result<(), Wrong> {
        let (_, log) = self.state(who);
        let last: Vec<u64> = log.0.iter().rev().take(10).map(|entry| entry.op).collect();
        let op = match self.dice.below(12) {
            0 => Some(4_000),
            _ => self.dice.pick(&last).copied(),
        };
        self.takes_back(who, way, op)
    }

    pub fn takes_back(&mut self, who: usize, way: Way, asked: Option<u64>) -> Result<(), Wrong> {
        let (before, log) = self.state(who);
        let verb = if way == Way::Undo { "undo" } else { "redo" };
        let form = ["o", "O", "o", "#"][self.dice.below(4)];
        let handle = asked.map(|op| format!("{form}{op}"));
        let mut words = vec![verb, "--yes"];
        words.extend(handle.as_deref());
        if self.dice.below(4) == 0 {
            self.tries(who, &words)?;
        }
        let said = self.run(who, Place::Identity, &words);
        let (after, log_after) = self.looks(who);
        let op = match asked {
            Some(op) => log.named(way, op),
            None => log.newest(way),
        };
        let others = if (way, asked) == (Way::Undo, None) {
            self.intact(who, &log, &before)
        } else {
            Vec::new()
        };
        let person = &self.people[who];
        let theirs = self.said_by_others(who);
        let target = op.map(|op| {
            let done = person.done.get(&op);
            let is_out = done.is_none_or(|done| person.syncs > done.syncs);
            let is_here = log.find(op).is_some_and(|entry| entry.place == Place::Identity);
            let published = if is_out && is_here { Published::Perhaps } else { Published::No };
            let changes = done.and_then(|done| done.changes.as_ref());
            Target { op, changes, published, theirs: &theirs }
        });
        let taken = Taken {
            way,
            target,
            before: &before,
            after: &after,
            log: &log,
            log_after: &log_after,
            said: &said,
            others: &others,
        };
        oracle::judge(&taken)?;
        let blemish = oracle::is_told(&taken).err();
        let fresh = self.fresh(&log, &log_after)?;
        self.learns(who, &before, &after, &fresh);
        self.blemish = self.blemish.take().or(blemish);
        Ok(())
    }

    /// A dry run changes nothing.
    fn tries(&mut self, who: usize, words: &[&str]) -> Result<(), Wrong> {
        let (before, log) = self.state(who);
        self.run(who, Place::Identity, &[words, &["--dry-run"]].concat());
        let (after, log_after) = self.looks(who);
        if before != after || log != log_after {
            return Err(Wrong::of("a dry run wrote", stores::shown(&before, &after)));
        }
        Ok(())
    }

    /// Of the last operations that count those that a bare undo may offer.
    fn intact(&self, who: usize, log: &Log, now: &Stores) -> Vec<u64> {
        let counting =
            log.0.iter().rev().filter(|entry| entry.undoes.is_none() && !log.is_undone(entry.op));
        let all_loaded = |entry: &&Entry| {
            let changes = self.people[who].done.get(&entry.op).and_then(|op| op.changes.as_ref());
            changes.is_some_and(|changes| oracle::all_loaded(changes, now))
        };
        counting.take(4).filter(all_loaded).map(|entry| entry.op).collect()
    }

    /// Texts that somebody else added or changed as well.
    fn said_by_others(&self, who: usize) -> BTreeSet<String> {
        let by_others = |deeds: &Vec<(usize, Deed)>| {
            deeds.iter().any(|(other, deed)| *other != who && *deed != Deed::Removed)
        };
        let said = self.deeds.iter().filter(|(_, deeds)| by_others(deeds));
        said.map(|(body, _)| body.clone()).collect()
    }
}
