//! A fact of a list, as a view into the buffers of that list.
//!
//! Invariant: what a row shows is what the [`FactView`] of its fact shows; nothing is copied before
//! it is asked for. Must not know: the order of the list, who shows it.

use super::{FactList, Row, Timed, at};
use crate::identity::{
    ContentHash, FactView, RelPath, Stamp,
    current::Dated,
    fact_view::Held,
    handle::{self, Shared},
    scope::Scope,
    summary::{summary_of, summary_parts},
    times::Times,
};
use serde::{Serialize, Serializer};
use std::{cmp::Ordering, mem, ops::Range, path::PathBuf};

/// A fact of a list.
#[derive(Clone, Copy, Debug)]
pub struct FactRow<'a> {
    pub(super) list: &'a FactList,
    pub(super) row: &'a Row,
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

    fn timed(self) -> Option<&'a Timed> {
        self.row.timed.map(|place| &self.list.timed[at(place)])
    }

    fn times(self) -> Option<&'a Times> {
        self.timed()?.times.as_ref()
    }

    /// See [`Held::marks`].
    pub fn marks(self) -> &'a [String] {
        self.timed().map_or(&[], |timed| timed.held.marks.as_slice())
    }

    /// What decides whether it holds; see [`Dated::nearness`].
    pub(super) fn dated(self, nearness: usize) -> Dated<'a> {
        Dated {
            hash: self.row.hash,
            created: self.row.created,
            latest: self.row.latest,
            nearness,
            times: self.times(),
        }
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
            layer: self.scope().layer(),
            hash: self.row.hash,
            path: self.path(),
            times: self.times().map(|times| Box::new(times.shown())),
            held: self.timed().map_or_else(Held::default, |timed| timed.held.clone()),
        }
    }
}

impl FactList {
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
}

impl Serialize for FactList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(FactRow::view))
    }
}
