//! `memory list`: lists memories (by default those that hold) with number, date, tags and first
//! line.
//!
//! Invariant: a file that cannot be read becomes a finding and does not stop the list; numbers that
//! two memories share are told apart by `workspace::named`.

use crate::identity::{FactList, FactRow, Finding, StandingFilter, When, tag_filter};
use crate::index::{self, store::Scope};
use crate::machine::files;
use crate::workspace::{Error, Workspace, named};
use serde::Serialize;
use std::{cmp::Ordering, collections::BTreeSet};

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub scope: Option<Scope>,
    /// Only memories with all of these tags, as [`tag_filter`] reads them.
    pub tags: Vec<String>,
    pub order: Order,
    /// The most memories to list; `None` for all.
    pub limit: Option<usize>,
    /// Those that hold, or all.
    pub which: StandingFilter,
}

/// Which memory comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Pinned ones, then by number: programs rely on it.
    #[default]
    Usual,
    /// Pinned ones, then those learned last: what a person looks for.
    Recent,
    /// Those learned last.
    Newest,
    Oldest,
    /// Those learned or changed last.
    Updated,
    /// By number; those without a usable one last.
    Number,
    /// By the letters of the first line, whatever their case.
    Name,
}

impl Order {
    fn compare(self, a: FactRow<'_>, b: FactRow<'_>) -> Ordering {
        let pinned = || b.is_pinned().cmp(&a.is_pinned());
        let newest = || b.created().cmp(&a.created()).then_with(|| b.id().cmp(&a.id()));
        let number = || {
            let place = |row: FactRow<'_>| (row.id().is_none(), row.id(), row.created());
            place(a).cmp(&place(b))
        };
        match self {
            Order::Usual => pinned().then_with(number),
            Order::Recent => pinned().then_with(newest),
            Order::Newest => newest(),
            Order::Oldest => newest().reverse(),
            Order::Updated => b.latest().cmp(&a.latest()).then_with(newest),
            Order::Number => number(),
            Order::Name => letters(a).cmp(letters(b)).then_with(number),
        }
    }
}

fn letters(row: FactRow<'_>) -> impl Iterator<Item = char> {
    row.first_line().chars().flat_map(char::to_lowercase)
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// How many there are, also those beyond the limit.
    pub count: usize,
    pub memories: FactList,
    /// How many of these there are beside them that do not hold, if only those that do are wanted.
    #[serde(skip)]
    pub not_held: usize,
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
        findings.extend(store.named(unfit));
        memories.append(list);
    }
    findings.sort_by(|a, b| a.path.cmp(&b.path));
    // A fact without these tags may have the same number.
    named::tell_apart(ws, &mut memories);
    let is_asked_for = |row: FactRow<'_>| tag_filter::has_all(row.tags(), &request.tags);
    let asked_for = |memories: &FactList| match request.tags.as_slice() {
        [] => memories.len(),
        _ => memories.iter().filter(|row| is_asked_for(*row)).count(),
    };
    let all = asked_for(&memories);
    // It may be replaced by one without them, too.
    memories.keep_held(request.which, When { at: ws.moment(), calendar: ws.calendar() });
    if !request.tags.is_empty() {
        memories.retain(is_asked_for);
    }
    let not_held = all - memories.len();
    let told = |a: FactRow<'_>, b: FactRow<'_>| {
        a.hash().cmp(&b.hash()).then_with(|| a.path().cmp(&b.path()))
    };
    memories.sort_by(|a, b| request.order.compare(a, b).then_with(|| told(a, b)));
    let count = memories.len();
    if let Some(limit) = request.limit {
        memories.truncate(limit);
    }
    Ok(Report { count, memories, not_held, folder, findings })
}

/// For each of these tags that no memory has, whether it holds or not, what to say of it.
pub fn unknown_tags(
    ws: &Workspace,
    scope: Option<Scope>,
    typed: &[String],
) -> Result<Vec<String>, Error> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let stores = ws.to_read(scope)?;
    let lists: Vec<FactList> = stores.iter().map(|store| index::listed(store, ws).0).collect();
    let known: BTreeSet<&str> =
        lists.iter().flat_map(FactList::iter).flat_map(FactRow::tags).collect();
    Ok(tag_filter::unknown(known, typed))
}
