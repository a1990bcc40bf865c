//! `memory list`: lists every memory with its number, date, tags and first line.
//!
//! Invariant: a bad file affects only its own row; a number shared by two memories is shown with
//! part of the hash.

use super::{
    Error, index,
    named::{self, Shared},
    store::{Scope, Store},
};
use crate::identity::{Calendar, Finding, Stamp, memory::summary_of};
use crate::ops::workspace::Workspace;
use crate::system::files;
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
};

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub scope: Option<Scope>,
    /// Only memories with all of these tags.
    pub tags: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FactRow {
    pub id: Option<u64>,
    /// Identifies it uniquely: `12`, or `12-3fa9` if memories share the number.
    pub handle: String,
    /// In UTC, like every stamp of a report.
    pub created: String,
    /// The day it was learned, in the person's time zone.
    pub date: String,
    #[serde(skip)]
    origin: Stamp,
    pub tags: Vec<String>,
    /// The agent that wrote it, and the project in which it was learned.
    pub agent: Option<String>,
    pub project: Option<String>,
    pub pinned: bool,
    pub summary: String,
    /// As much of the first line as a terminal may have room for.
    #[serde(skip)]
    pub first_line: String,
    pub scope: Scope,
    pub hash: String,
    pub path: PathBuf,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub count: usize,
    pub memories: Vec<FactRow>,
    /// Whether there is a memories folder.
    #[serde(skip)]
    pub folder: bool,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let stores = ws.to_read(request.scope)?;
    let folder = stores.iter().any(|store| files::is_dir(&store.memories_dir()));
    let calendar = ws.calendar();
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    for store in &stores {
        let (entries, unfit) = index::entries(store, ws);
        findings.extend(unfit);
        rows.par_extend(entries.into_par_iter().map(|entry| row(store, entry, calendar)));
    }
    findings.sort_by(|a, b| a.path.cmp(&b.path));
    rows.retain(|row| request.tags.iter().all(|tag| row.tags.contains(tag)));
    // Pinned ones first; those without a usable number last.
    let place = |row: &FactRow| (!row.pinned, row.id.is_none(), row.id, row.origin);
    let told = |row: &FactRow| (row.hash.clone(), row.path.clone());
    rows.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| told(a).cmp(&told(b))));
    tell_apart(&mut rows, &named::taken_numbers(ws));
    Ok(Report { count: rows.len(), memories: rows, folder, findings })
}

fn row(store: &Store, entry: index::MemorySummary, calendar: &Calendar) -> FactRow {
    let facts = entry.facts;
    FactRow {
        id: facts.id,
        handle: named::handle(&facts, store.scope, Shared::No),
        summary: summary_of(&entry.first_line),
        first_line: entry.first_line,
        scope: store.scope,
        hash: facts.hash.to_string(),
        path: entry.path.below(&store.shown),
        created: facts.created.to_string(),
        origin: facts.created,
        date: facts.day(calendar).to_string(),
        pinned: facts.pinned,
        tags: facts.tags,
        agent: facts.agent,
        project: facts.project,
    }
}

/// Appends the start of the hash to an ambiguous number: two facts have it, or another fact had it
/// until a sync renumbered that one.
fn tell_apart(rows: &mut [FactRow], lost: &BTreeSet<u64>) {
    let mut counts: HashMap<(Scope, u64), usize> = HashMap::new();
    for row in rows.iter() {
        if let Some(id) = row.id {
            *counts.entry((row.scope, id)).or_default() += 1;
        }
    }
    for row in rows {
        let was_another = |id: u64| row.scope == Scope::Identity && lost.contains(&id);
        if row.id.is_some_and(|id| counts[&(row.scope, id)] > 1 || was_another(id)) {
            row.handle = format!("{}-{}", row.handle, &row.hash["sha256:".len()..][..4]);
        }
    }
}
