//! `memory list`: lists every memory with its number, date, tags and first line.
//!
//! Invariant: a bad file affects only its own row; a number shared by two memories is shown with
//! part of the hash.

use crate::identity::{FactList, FactRow, Finding};
use crate::index::{self, store::Scope};
use crate::machine::files;
use crate::workspace::{Error, Workspace, named};
use serde::Serialize;

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub scope: Option<Scope>,
    /// Only memories with all of these tags.
    pub tags: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub count: usize,
    pub memories: FactList,
    /// Whether there is a memories folder.
    #[serde(skip)]
    pub folder: bool,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let stores = ws.to_read(request.scope)?;
    let folder = stores.iter().any(|store| files::is_dir(&store.memories_dir()));
    let (mut memories, mut findings) = (FactList::default(), Vec::new());
    for store in &stores {
        let (list, unfit) = index::listed(store, ws);
        findings.extend(unfit);
        memories.append(list);
    }
    findings.sort_by(|a, b| a.path.cmp(&b.path));
    // A fact without these tags may have the same number.
    named::tell_apart(ws, &mut memories);
    if !request.tags.is_empty() {
        memories.retain(|row| request.tags.iter().all(|tag| row.tags().any(|own| own == tag)));
    }
    // Pinned ones first; those without a usable number last.
    let place = |row: FactRow<'_>| (!row.is_pinned(), row.id().is_none(), row.id(), row.created());
    let told = |a: FactRow<'_>, b: FactRow<'_>| {
        a.hash().cmp(&b.hash()).then_with(|| a.path().cmp(&b.path()))
    };
    memories.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| told(a, b)));
    Ok(Report { count: memories.len(), memories, folder, findings })
}
