//! What is said of the time of a fact as it is saved or changed: from when and until when it holds,
//! when to check it again, and what it replaces.
//!
//! Invariant: dates are read in the person's days and handles looked up before anything is written;
//! only a fact of the same or a nearer layer replaces one, and it is said later than that one. Must
//! not know who says it.

use super::show;
use crate::identity::{
    Bound, Calendar, ContentHash, Document, Memory, Stamp, Times,
    current::Dated,
    dates::{Reading, When},
    fact_list::nearness,
    times::{self, STALE_AFTER, SUPERSEDES, VALID_FROM, VALID_UNTIL, VERIFIED},
    validate,
    value::Value,
};
use crate::index::store::{PlacedFact, Store};
use crate::workspace::{
    Error, ErrorKind, VerbError, Workspace,
    asked::{self, DateError},
};

/// What is typed to remove a key.
pub const NONE: &str = "none";

/// As a person or an agent typed it; nothing, and a fact stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypedTimes {
    pub from: Option<String>,
    pub until: Option<String>,
    /// A span from now, or a date.
    pub check_after: Option<String>,
    /// Handles of the facts that it replaces.
    pub replaces: Vec<String>,
}

impl TypedTimes {
    pub fn is_empty(&self) -> bool {
        *self == TypedTimes::default()
    }
}

/// Why nothing is said of the time of a fact.
#[derive(Debug, thiserror::Error)]
pub enum TimingError {
    #[error("it would be over ({until}) before it begins ({from}); nothing was changed")]
    EndsTooEarly { from: String, until: String },
    #[error("a fact cannot replace itself; nothing was changed")]
    Itself,
    #[error(
        "fact {handle} belongs to a project, and only a fact of that project can replace it; \
         nothing was changed"
    )]
    Nearer { handle: String },
}

impl VerbError for TimingError {
    fn kind(&self) -> ErrorKind {
        match self {
            TimingError::EndsTooEarly { .. } | TimingError::Itself => ErrorKind::Invalid,
            TimingError::Nearer { .. } => ErrorKind::Refused,
        }
    }
}

/// Which end of several days is meant.
#[derive(Clone, Copy)]
enum Edge {
    First,
    Last,
}

/// What was typed, read.
#[derive(Debug, Default)]
pub(super) struct Timing {
    /// The keys that are written; without a value, removed.
    bounds: Vec<(&'static str, Option<Bound>)>,
    /// What it replaced before counts no more.
    drops: bool,
    /// What it replaces from now on.
    replaced: Vec<PlacedFact>,
}

impl Timing {
    /// For a fact of this store.
    pub(super) fn read(ws: &Workspace, typed: &TypedTimes, store: &Store) -> Result<Timing, Error> {
        let mut timing = Timing::default();
        for (key, typed, edge) in [
            (VALID_FROM, &typed.from, Edge::First),
            (VALID_UNTIL, &typed.until, Edge::Last),
            (STALE_AFTER, &typed.check_after, Edge::Last),
        ] {
            let Some(text) = typed else { continue };
            timing.bounds.push((key, bound(ws, text, edge)?));
        }
        let handles = typed.replaces.iter().flat_map(|typed| typed.split([',', ' ']));
        for handle in handles.filter(|handle| !handle.is_empty()) {
            if is_none(handle) {
                timing.drops = true;
                continue;
            }
            let (other, placed) = show::find(ws, handle, None)?;
            if nearness_of(ws, &other) > nearness_of(ws, store) {
                return Err(TimingError::Nearer { handle: handle.to_owned() }.into());
            }
            timing.replaced.push(placed);
        }
        Ok(timing)
    }

    /// The day after which to check the fact, if it has passed. Whoever says when to check a fact
    /// says that it holds now, so that a day before that is never due.
    pub(super) fn check_passed(&self, ws: &Workspace) -> Option<String> {
        let (_, due) = self.bounds.iter().find(|(key, _)| *key == STALE_AFTER)?;
        let due = due.filter(|due| due.end(ws.calendar()) < ws.now())?;
        Some(due.words(ws.calendar()))
    }

    pub(super) fn replaced(&self) -> &[PlacedFact] {
        &self.replaced
    }

    /// The texts that it replaces from now on.
    pub(super) fn hashes(&self) -> Vec<ContentHash> {
        self.replaced.iter().map(|placed| placed.memory.hash).collect()
    }

    /// When the fact has to be said at the earliest, so that it replaces the others.
    pub(super) fn said_after(&self, calendar: &Calendar) -> Option<Stamp> {
        let said = |placed: &PlacedFact| Dated::of(&placed.memory, 0).last_said(calendar);
        self.replaced.iter().map(said).max().map(|last| last.plus(Stamp::SECOND))
    }

    /// Fails if a fact with this text, and these keys, cannot be changed so.
    pub(super) fn refuse(&self, hash: ContentHash, document: &Document) -> Result<(), Error> {
        if self.replaced.iter().any(|placed| placed.memory.hash == hash) {
            return Err(TimingError::Itself.into());
        }
        for (key, _) in &self.bounds {
            validate::changeable(document, key)?;
        }
        if self.checks() {
            validate::changeable(document, VERIFIED)?;
        }
        if !self.replaced.is_empty() {
            validate::changeable(document, SUPERSEDES)?;
        }
        Ok(())
    }

    fn checks(&self) -> bool {
        self.bounds.iter().any(|(key, bound)| *key == STALE_AFTER && bound.is_some())
    }

    /// Writes the keys of a new fact.
    pub(super) fn write_new(&self, document: &mut Document) {
        for (key, bound) in &self.bounds {
            match bound {
                Some(bound) => document.set(key, Value::Text(bound.to_string())),
                None if document.get(key).is_some() => document.front_mut().remove(key),
                None => {}
            }
        }
        if self.drops && self.replaced.is_empty() && document.get(SUPERSEDES).is_some() {
            document.front_mut().remove(SUPERSEDES);
        }
        if !self.replaced.is_empty() {
            let known = Times::read(document).filter(|_| !self.drops);
            let mut hashes = known.map(|times| times.supersedes).unwrap_or_default();
            hashes.extend(self.hashes());
            hashes.sort_unstable();
            hashes.dedup();
            times::set_superseded(document, &hashes);
        }
    }

    /// Writes the keys of a fact that was there. When it is checked again counts from now: whoever
    /// says so says that it holds.
    pub(super) fn write_changed(&self, document: &mut Document, now: Stamp) {
        self.write_new(document);
        if self.checks() {
            document.set(VERIFIED, Value::Text(Bound::At(now).to_string()));
        }
    }
}

/// Fails if the fact holds at no time.
pub(super) fn refuse_never(times: Option<&Times>, calendar: &Calendar) -> Result<(), Error> {
    let bounds = times.and_then(|times| Some((times.valid_from?, times.valid_until?)));
    match bounds {
        Some((from, until)) if until.end(calendar) < from.start(calendar) => {
            let (from, until) = (from.words(calendar), until.words(calendar));
            Err(TimingError::EndsTooEarly { from, until }.into())
        }
        _ => Ok(()),
    }
}

/// What is said of the time of a fact, for whoever just said it.
pub(super) fn shown(memory: &Memory, calendar: &Calendar) -> Vec<String> {
    memory.times.as_deref().map_or_else(Vec::new, |times| bounds(times, calendar))
}

/// From when and until when a fact holds, and when it is to be checked.
pub fn bounds(times: &Times, calendar: &Calendar) -> Vec<String> {
    let line = |word: &str, bound: Option<Bound>| {
        bound.map(|bound| format!("{word} {}", bound.words(calendar)))
    };
    let lines = [
        line("from", times.valid_from),
        line("until", times.valid_until),
        line("to be checked after", times.stale_after),
    ];
    lines.into_iter().flatten().collect()
}

fn is_none(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case(NONE)
}

fn bound(ws: &Workspace, text: &str, edge: Edge) -> Result<Option<Bound>, Error> {
    if is_none(text) {
        return Ok(None);
    }
    let bound = match (asked::date(ws, text, Reading::Future)?, edge) {
        (When::Days(first, _), Edge::First) => Bound::of_day(first),
        (When::Days(_, last), Edge::Last) => Bound::of_day(last),
        (When::Time(at, _), _) => Some(Bound::At(at)),
    };
    Ok(Some(bound.ok_or_else(|| DateError::TooLate { text: text.to_owned() })?))
}

fn nearness_of(ws: &Workspace, store: &Store) -> usize {
    let stores = ws.to_read(None).unwrap_or_default();
    let place = stores.iter().position(|known| known.root == store.root);
    place.map_or(0, |place| nearness(store.scope, place, stores.len()))
}
