//! The facts of a list, with all their texts in one buffer: a list has thousands of facts, and most
//! show one line.
//!
//! Invariant: a row shows what the [`FactView`](super::FactView) of its fact shows. Must not know:
//! where the facts come from, who shows them.

mod held;
mod row;

pub use held::nearness;
pub use row::FactRow;

use super::{
    Calendar, ContentHash, Memory, Stamp, calendar, fact_view::Held, handle::Shared, scope::Scope,
    times::Times,
};
use jiff::civil::Date;
use std::path::{Path, PathBuf};

/// Facts in the order of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FactList {
    /// Of each fact its tags, agent, project, date, first line and path.
    texts: String,
    /// Where each tag ends in `texts`.
    tag_ends: Vec<u32>,
    rows: Vec<Row>,
    /// What is known of the time of some facts; of most, nothing is.
    timed: Vec<Timed>,
    /// The stores of the facts, with their folders as messages name them.
    stores: Vec<(Scope, PathBuf)>,
    /// Where the texts and the tags of the next fact begin.
    next: (u32, u32),
}

/// Of each text, where it ends in [`FactList::texts`]: it begins where the one before it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    id: Option<u64>,
    created: Stamp,
    hash: ContentHash,
    pinned: bool,
    shared: Shared,
    store: u32,
    start: u32,
    /// Those of its tags in [`FactList::tag_ends`].
    tags: (u32, u32),
    agent: Option<u32>,
    project: Option<u32>,
    date: u32,
    first_line: u32,
    path: u32,
    /// The later of `created` and `updated`.
    latest: Stamp,
    /// Its place in [`FactList::timed`].
    timed: Option<u32>,
}

/// A fact with keys about its time, or one that another replaces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Timed {
    times: Option<Times>,
    held: Held,
}

/// What a list needs to know of a fact, besides its tags.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    pub id: Option<u64>,
    pub created: Stamp,
    /// The day it was learned, in the person's time zone.
    pub day: Date,
    pub agent: Option<&'a str>,
    pub project: Option<&'a str>,
    pub pinned: bool,
    pub hash: ContentHash,
    pub first_line: &'a str,
    /// Relative to the folder of its store.
    pub path: &'a str,
    /// The later of `created` and `updated`.
    pub latest: Stamp,
    pub times: Option<&'a Times>,
}

const fn at(end: u32) -> usize {
    end as usize
}

fn short(length: usize) -> u32 {
    u32::try_from(length).expect("because the lines of a list are far below four gigabytes")
}

impl FactList {
    /// An empty list, with room for so many facts of a store.
    pub fn of_store(scope: Scope, folder: &Path, count: usize) -> FactList {
        let (rows, stores) = (Vec::with_capacity(count), vec![(scope, folder.to_owned())]);
        FactList { rows, stores, ..FactList::default() }
    }

    /// Appends a tag of the fact that is pushed next.
    pub fn push_tag(&mut self, tag: &str) {
        self.texts.push_str(tag);
        self.tag_ends.push(short(self.texts.len()));
    }

    /// Appends a fact of the store that was named last, with the tags pushed since the one before.
    pub fn push(&mut self, fact: &Listed<'_>) {
        let (start, first_tag) = self.next;
        let tags = (first_tag, short(self.tag_ends.len()));
        let timed = fact.times.map(|times| self.pushed_times(times));
        let row = Row {
            id: fact.id,
            created: fact.created,
            hash: fact.hash,
            pinned: fact.pinned,
            shared: Shared::No,
            store: short(self.stores.len().saturating_sub(1)),
            start,
            tags,
            // In the order in which they are written down.
            agent: fact.agent.map(|agent| self.ended(agent)),
            project: fact.project.map(|project| self.ended(project)),
            date: self.ended_day(fact.day),
            first_line: self.ended(fact.first_line),
            path: self.ended(fact.path),
            latest: fact.latest,
            timed,
        };
        self.next = (row.path, tags.1);
        self.rows.push(row);
    }

    /// Appends what a fact says of its time, and returns where it is.
    fn pushed_times(&mut self, times: &Times) -> u32 {
        self.timed.push(Timed { times: Some(times.clone()), held: Held::default() });
        short(self.timed.len() - 1)
    }

    fn ended_day(&mut self, day: Date) -> u32 {
        calendar::push_text_of(day, &mut self.texts);
        short(self.texts.len())
    }

    /// Appends a text, and returns where it ends.
    fn ended(&mut self, text: &str) -> u32 {
        self.texts.push_str(text);
        short(self.texts.len())
    }

    /// Appends a memory. `first_line` is its own.
    pub fn push_memory(&mut self, memory: &Memory, first_line: &str, calendar: &Calendar) {
        memory.tags.iter().for_each(|tag| self.push_tag(tag));
        self.push(&Listed {
            id: memory.id,
            created: memory.created,
            day: memory.day(calendar),
            agent: memory.agent.as_deref(),
            project: memory.project.as_deref(),
            pinned: memory.pinned,
            hash: memory.hash,
            first_line,
            path: memory.path.as_str(),
            latest: memory.latest(),
            times: memory.times.as_deref(),
        });
    }

    /// Appends the facts of other stores.
    pub fn append(&mut self, other: FactList) {
        if self.stores.is_empty() {
            *self = other;
            return;
        }
        let (text, tag) = (short(self.texts.len()), short(self.tag_ends.len()));
        let (store, timed) = (short(self.stores.len()), short(self.timed.len()));
        self.timed.extend(other.timed);
        self.texts.push_str(&other.texts);
        self.tag_ends.extend(other.tag_ends.iter().map(|end| end + text));
        self.stores.extend(other.stores);
        self.rows.extend(other.rows.into_iter().map(|row| Row {
            store: row.store + store,
            start: row.start + text,
            tags: (row.tags.0 + tag, row.tags.1 + tag),
            agent: row.agent.map(|end| end + text),
            project: row.project.map(|end| end + text),
            date: row.date + text,
            first_line: row.first_line + text,
            path: row.path + text,
            timed: row.timed.map(|at| at + timed),
            // Each field is listed, so that a new one that is a place in `texts` is moved, too.
            id: row.id,
            created: row.created,
            hash: row.hash,
            pinned: row.pinned,
            shared: row.shared,
            latest: row.latest,
        }));
        self.next = (short(self.texts.len()), short(self.tag_ends.len()));
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Leaves out all facts behind the first so many.
    pub fn truncate(&mut self, count: usize) {
        self.rows.truncate(count);
    }

    /// Says of each fact whether its number means another one, too.
    pub fn tell_apart(&mut self, shared: impl Fn(Scope, Option<u64>) -> Shared) {
        let FactList { rows, stores, .. } = self;
        for row in rows {
            row.shared = shared(stores[at(row.store)].0, row.id);
        }
    }
}

#[cfg(test)]
mod tests;
