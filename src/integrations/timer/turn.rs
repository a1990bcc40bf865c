//! One run of the timer: whether it is its turn, how it ended, and what `co status` says of it.
//!
//! Invariant: what is kept is one small file, however often it runs. A failure is news once; after
//! that the runs wait, longer each time, until a sync succeeds, whoever asked for it. A sync that
//! is running is never waited for.

use super::{
    Course, Interval, System,
    record::{Record, name},
};
use crate::identity::Stamp;
use crate::index::store::Store;
use crate::machine::{self, SystemError, files, lock};
use crate::secrets;
use crate::sync::{self, NotMet};
use crate::workspace::{Error, ErrorKind, Workspace, last_sync::Last};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, time::Duration};

const FILE: &str = "timed-sync.json";
const MINUTE: i64 = 60 * Stamp::SECOND;
/// A wait that is longer was written while the clock was wrong.
const LONGEST: i64 = 25 * 60 * MINUTE;
/// Characters of a reason.
const MAX_WHY: usize = 400;

/// What is kept of the runs so far.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Runs {
    tried: Option<Stamp>,
    worked: Option<Stamp>,
    failing: Option<Failing>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Failing {
    since: Stamp,
    times: u32,
    why: String,
    /// Until then, runs do nothing.
    next: Stamp,
}

/// Why a run does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Skip {
    /// It failed before, and waits.
    Waiting,
    /// Somebody else is syncing.
    Busy,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Worked,
    /// Another process was at work, which is no news.
    Busy(String),
    Failed(String, Course),
    /// The identity is in sync, and a layer is not: no reason to wait with the identity.
    OfLayer(String),
}

impl Outcome {
    pub fn of(result: &Result<sync::Report, Error>) -> Outcome {
        let failed = |why: String, course| Outcome::Failed(why, course);
        match result {
            Ok(report) => match &report.not_met {
                None => Outcome::Worked,
                Some(why @ NotMet::NoRemote) => failed(why.to_string(), Course::Lasts),
                Some(why) => failed(why.to_string(), Course::Passes),
            },
            Err(error) => match error.kind() {
                ErrorKind::Busy => Outcome::Busy(error.to_string()),
                // A keyring that is locked opens at the next login.
                ErrorKind::NeedsChoice => failed(error.to_string(), Course::Passes),
                _ => failed(error.to_string(), Course::Lasts),
            },
        }
    }
}

/// What `co status` says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    pub every: String,
    /// How often, in words.
    #[serde(skip)]
    pub in_words: String,
    pub system: System,
    pub last_worked: Option<String>,
    /// How long ago that was, in microseconds.
    #[serde(skip)]
    pub worked_ago: Option<i64>,
    /// Why it does not work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<String>,
    /// Something that it needs and that is gone: then it does not run at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<PathBuf>,
}

impl Standing {
    pub fn is_in_trouble(&self) -> bool {
        self.why.is_some() || self.missing.is_some()
    }
}

impl Runs {
    fn file(store: &Store) -> PathBuf {
        store.state.join(FILE)
    }

    fn read(store: &Store) -> Runs {
        machine::record::read(&Runs::file(store)).unwrap_or_default()
    }

    /// The failure that still stands: any sync that succeeded since ends it.
    fn failing(&self, store: &Store) -> Option<&Failing> {
        let met = Last::read(store).met_the_remote();
        self.failing.as_ref().filter(|_| met <= self.tried)
    }
}

/// Why the run that begins now does nothing; `None` if it is its turn.
pub fn skipped(ws: &Workspace) -> Option<Skip> {
    let store = ws.identity_place();
    let runs = Runs::read(store);
    let left = runs.failing(store).map_or(0, |failing| failing.next.micros() - ws.now().micros());
    if (1..LONGEST).contains(&left) {
        return Some(Skip::Waiting);
    }
    match lock::folder(&store.root, Duration::ZERO) {
        Err(SystemError::Busy { .. }) => Some(Skip::Busy),
        // Whatever else is wrong with it, the sync says.
        Ok(_) | Err(_) => None,
    }
}

/// Keeps how a run ended; whether that is a failure that nobody was told of.
pub fn ended(ws: &Workspace, every: Interval, outcome: &Outcome) -> bool {
    let store = ws.identity_place();
    let (now, before) = (ws.now(), Runs::read(store));
    let known = before.failing(store).cloned();
    let failing = |why: &str, wait: u32, times: u32| {
        let why: String = secrets::redact(why).chars().take(MAX_WHY).collect();
        // Timers are not punctual: half an interval early is the same run.
        let early = i64::from(every.minutes()) * MINUTE / 2;
        let next = now.plus(i64::from(wait) * MINUTE - early);
        Failing { since: known.as_ref().map_or(now, |known| known.since), times, why, next }
    };
    let times = known.as_ref().map_or(1, |known| known.times.saturating_add(1));
    let (worked, failing) = match outcome {
        Outcome::Worked => (Some(now), None),
        Outcome::OfLayer(why) => (Some(now), Some(failing(why, 0, times))),
        Outcome::Busy(why) => {
            (before.worked, Some(failing(why, every.wait(times, Course::Passes), times)))
        }
        Outcome::Failed(why, course) => {
            (before.worked, Some(failing(why, every.wait(times, *course), times)))
        }
    };
    let is_told = |failing: &Failing| known.as_ref().is_some_and(|old| old.why == failing.why);
    let is_busy = matches!(outcome, Outcome::Busy(_));
    let is_news = !is_busy && failing.as_ref().is_some_and(|failing| !is_told(failing));
    let runs = Runs { tried: Some(now), worked, failing };
    if let Ok(bytes) = serde_json::to_vec(&runs) {
        let _ = files::write_private(&Runs::file(store), &bytes);
    }
    is_news
}

/// After the timer was removed.
pub(super) fn forget(ws: &Workspace) {
    let _ = files::discard(&Runs::file(ws.identity_place()));
}

/// `None` if this laptop does not sync by itself, or this call is about a layer.
pub fn standing(ws: &Workspace) -> Option<Standing> {
    if ws.own_layer().is_some() {
        return None;
    }
    let record = Record::read(ws, &name(ws))?;
    let (store, every) = (ws.identity_place(), record.every()?);
    let runs = Runs::read(store);
    let failing = runs.failing(store);
    let ago = |at: Stamp| ws.now().micros() - at.micros();
    let mut needed = record.files.iter().chain([&record.program]);
    Some(Standing {
        every: every.to_string(),
        in_words: every.in_words(),
        system: record.system,
        last_worked: runs.worked.map(|at| at.to_string()),
        worked_ago: runs.worked.map(ago),
        why: failing.map(|failing| failing.why.clone()),
        failing_since: failing.map(|failing| failing.since.to_string()),
        missing: needed.find(|file| !files::is_file(file)).cloned(),
    })
}
