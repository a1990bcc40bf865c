//! The facts of a list, with all their texts in one buffer: a list has thousands of facts, and most
//! show one line.
//!
//! Invariant: a row shows what the [`FactView`] of its fact shows. Must not know: where the facts
//! come from, who shows them.

use super::{
    Calendar, ContentHash, FactView, Memory, RelPath, Stamp, calendar,
    handle::{self, Shared},
    scope::Scope,
    summary::{summary_of, summary_parts},
};
use jiff::civil::Date;
use serde::{Serialize, Serializer};
use std::{
    cmp::Ordering,
    mem,
    ops::Range,
    path::{Path, PathBuf},
};

/// Facts in the order of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FactList {
    /// Of each fact its tags, agent, project, date, first line and path.
    texts: String,
    /// Where each tag ends in `texts`.
    tag_ends: Vec<u32>,
    rows: Vec<Row>,
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
    latest: Stamp,
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
}

/// What a list needs to know of a fact, besides its tags.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    pub id: Option<u64>,
    pub created: Stamp,
    /// See [`MemoryMeta::latest`](super::memory::MemoryMeta::latest).
    pub latest: Stamp,
    /// The day it was learned, in the person's time zone.
    pub day: Date,
    pub agent: Option<&'a str>,
    pub project: Option<&'a str>,
    pub pinned: bool,
    pub hash: ContentHash,
    pub first_line: &'a str,
    /// Relative to the folder of its store.
    pub path: &'a str,
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
        let row = Row {
            id: fact.id,
            created: fact.created,
            latest: fact.latest,
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
        };
        self.next = (row.path, tags.1);
        self.rows.push(row);
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
            latest: memory.latest(),
            day: memory.day(calendar),
            agent: memory.agent.as_deref(),
            project: memory.project.as_deref(),
            pinned: memory.pinned,
            hash: memory.hash,
            first_line,
            path: memory.path.as_str(),
        });
    }

    /// Appends the facts of other stores.
    pub fn append(&mut self, other: FactList) {
        if self.stores.is_empty() {
            *self = other;
            return;
        }
        let (text, tag) = (short(self.texts.len()), short(self.tag_ends.len()));
        let store = short(self.stores.len());
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
            ..row
        }));
        self.next = (short(self.texts.len()), short(self.tag_ends.len()));
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = FactRow<'_>> {
        self.rows.iter().map(|row| FactRow { list: self, row })
    }

    /// Sorts the facts; those that are equal keep their order.
    pub fn sort_by(&mut self, order: impl Fn(FactRow<'_>, FactRow<'_>) -> Ordering) {
        let mut rows = mem::take(&mut self.rows);
        let list = &*self;
        rows.sort_by(|a, b| order(FactRow { list, row: a }, FactRow { list, row: b }));
        self.rows = rows;
    }

    /// Leaves out all other facts.
    pub fn retain(&mut self, is_kept: impl Fn(FactRow<'_>) -> bool) {
        let mut rows = mem::take(&mut self.rows);
        let list = &*self;
        rows.retain(|row| is_kept(FactRow { list, row }));
        self.rows = rows;
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

impl Serialize for FactList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(FactRow::view))
    }
}

/// A fact of a list.
#[derive(Clone, Copy, Debug)]
pub struct FactRow<'a> {
    list: &'a FactList,
    row: &'a Row,
}

impl<'a> FactRow<'a> {
    pub fn id(self) -> Option<u64> {
        self.row.id
    }

    pub fn created(self) -> Stamp {
        self.row.created
    }

    /// When it was last learned or changed.
    pub fn latest(self) -> Stamp {
        self.row.latest
    }

    pub fn hash(self) -> ContentHash {
        self.row.hash
    }

    pub fn is_pinned(self) -> bool {
        self.row.pinned
    }

    /// Whether its number means another fact, too.
    pub fn shared(self) -> Shared {
        self.row.shared
    }

    pub fn scope(self) -> Scope {
        self.list.stores[at(self.row.store)].0
    }

    /// See [`FactView::handle`].
    pub fn handle(self) -> String {
        handle::shown(self.row.id, &self.row.hash, self.scope(), self.row.shared)
    }

    pub fn has_tags(self) -> bool {
        self.row.tags.0 < self.row.tags.1
    }

    pub fn tags(self) -> impl Iterator<Item = &'a str> + Clone {
        let FactRow { list, row } = self;
        let mut start = row.start;
        list.tag_ends[at(row.tags.0)..at(row.tags.1)].iter().map(move |end| {
            let tag = &list.texts[at(start)..at(*end)];
            start = *end;
            tag
        })
    }

    fn text(self, place: Range<u32>) -> &'a str {
        &self.list.texts[at(place.start)..at(place.end)]
    }

    fn tags_end(self) -> u32 {
        let last = self.has_tags().then(|| self.list.tag_ends[at(self.row.tags.1) - 1]);
        last.unwrap_or(self.row.start)
    }

    fn agent_end(self) -> u32 {
        self.row.agent.unwrap_or_else(|| self.tags_end())
    }

    /// The agent that wrote it.
    pub fn agent(self) -> Option<&'a str> {
        self.row.agent.map(|end| self.text(self.tags_end()..end))
    }

    /// The project in which it was learned.
    pub fn project(self) -> Option<&'a str> {
        self.row.project.map(|end| self.text(self.agent_end()..end))
    }

    /// See [`FactView::date`].
    pub fn date(self) -> &'a str {
        let start = self.row.project.unwrap_or_else(|| self.agent_end());
        self.text(start..self.row.date)
    }

    /// See [`FactView::first_line`].
    pub fn first_line(self) -> &'a str {
        self.text(self.row.date..self.row.first_line)
    }

    /// See [`summary_parts`].
    pub fn summary_parts(self) -> (&'a str, &'static str) {
        summary_parts(self.first_line())
    }

    /// The file for messages.
    pub fn path(self) -> PathBuf {
        let folder = &self.list.stores[at(self.row.store)].1;
        let path = self.text(self.row.first_line..self.row.path);
        // A path that leaves the folder is no path of a fact, so its folder is named.
        RelPath::file_below(folder, path).unwrap_or_else(|| folder.clone())
    }

    /// The fact as other verbs show it.
    pub fn view(self) -> FactView {
        FactView {
            id: self.row.id,
            handle: self.handle(),
            created: self.row.created,
            date: self.date().to_owned(),
            tags: self.tags().map(str::to_owned).collect(),
            agent: self.agent().map(str::to_owned),
            project: self.project().map(str::to_owned),
            pinned: self.row.pinned,
            summary: summary_of(self.first_line()),
            first_line: self.first_line().to_owned(),
            content: None,
            scope: self.scope(),
            hash: self.row.hash,
            path: self.path(),
        }
    }
}

#[cfg(test)]
mod tests;
