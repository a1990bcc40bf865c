//! `identity log`: what each command on this laptop changed, and the history of one fact.

use crate::git::{GitError, Id, MemoryChange, Repo};
use crate::identity::{
    ContentHash, Memory, Snapshot, Stamp,
    provenance::{Agreed, Provenance},
};
use crate::index::store::{PlacedFact, Scope, Store};
use crate::machine::oplog::{self, Log, OpVerb, taken_back_already};
use crate::merge::{ChangeSet, change::Meaning};
use crate::workspace::{
    Error, ErrorKind, VerbError, Workspace,
    asked::Within,
    merged_in,
    named::{self, FactRef},
};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Mutex, PoisonError},
};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LogEntry {
    pub op: u64,
    pub at: String,
    pub verb: OpVerb,
    /// The same for people, in the past tense: `learned`.
    pub did: String,
    pub what: String,
    /// The operation that this one undid.
    pub undoes: Option<u64>,
    pub undone: bool,
    /// The agent's program that did it, and its session.
    pub client: Option<String>,
    pub session: Option<String>,
    /// `None` for the identity.
    pub project: Option<String>,
    pub meaning: Meaning,
}

pub fn run(ws: &Workspace, limit: usize, within: Within) -> Result<Vec<LogEntry>, Error> {
    // Operations in a project are logged even without an identity.
    let store = ws.identity_place();
    store.settle_abandoned(ws)?;
    let log = store.log();
    let mut operations = log.operations()?;
    if operations.is_empty() {
        ws.identity()?;
    }
    // What was undone later was not undone then.
    if matches!(within, Within::Until(_)) {
        operations.retain(|operation| within.has(&operation.at));
    }
    let undone = taken_back_already(&operations);
    let entry = |operation: oplog::Operation| {
        let meaning = change_of(ws, &log, &operation).meaning().without_numbers();
        LogEntry {
            undone: undone.contains(&operation.op),
            project: operation.project.as_ref().map(|folder| ws.shown(folder)),
            client: operation.client,
            session: operation.session,
            op: operation.op,
            at: operation.at,
            did: operation.verb.past().into_owned(),
            verb: operation.verb,
            what: operation.what,
            undoes: operation.undoes,
            meaning,
        }
    };
    let is_shown =
        |operation: &oplog::Operation| !operation.is_silent() && within.has(&operation.at);
    let shown = operations.into_iter().rev().filter(is_shown);
    Ok(shown.take(limit).map(entry).collect())
}

/// Of a merge, the log keeps only what it dropped: what it brought is in its commits.
fn change_of(ws: &Workspace, log: &Log, operation: &oplog::Operation) -> ChangeSet {
    match operation.verb {
        OpVerb::Merge => merged_in::changes(ws, operation).unwrap_or_default(),
        _ => ChangeSet::of(log.change(operation).ok().flatten().unwrap_or_default()),
    }
}

/// The latest operation of a session.
pub fn latest_of(ws: &Workspace, session: &str) -> Option<u64> {
    let operations = ws.identity_place().log().operations().ok()?;
    let is_of_it = |operation: &&oplog::Operation| {
        operation.session.as_deref() == Some(session) && !operation.is_silent()
    };
    operations.iter().rev().find(is_of_it).map(|operation| operation.op)
}

/// Where the facts of a commit's history were learned: walked once for each commit.
#[derive(Debug, Default)]
pub struct KnownLaptops(Mutex<Option<(Id, LaptopsByOrigin)>>);

type LaptopsByOrigin = HashMap<Stamp, Option<String>>;

impl KnownLaptops {
    /// The laptop on which each fact was learned, by the fact's origin, as far as commits tell it.
    /// Facts that are not committed yet are of this laptop.
    pub fn of_facts(&self, ws: &Workspace) -> Result<BTreeMap<String, String>, Error> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        renew(&mut known, ws)?;
        let committed = known.as_ref().map(|(_, laptops)| laptops);
        let laptop = |origin: Stamp| match committed.and_then(|laptops| laptops.get(&origin)) {
            Some(laptop) => laptop.clone(),
            None => Some(ws.host.clone()),
        };
        let facts = ws.identity()?.memories().0.into_iter();
        let origins = facts.map(|placed| placed.memory.created);
        Ok(origins.filter_map(|origin| Some((origin.to_string(), laptop(origin)?))).collect())
    }
}

fn renew(known: &mut Option<(Id, LaptopsByOrigin)>, ws: &Workspace) -> Result<(), Error> {
    let repo = ws.repo()?;
    let head = repo.as_ref().map(|repo| repo.head()).transpose()?.flatten();
    if known.as_ref().map(|(head, _)| *head) == head {
        return Ok(());
    }
    *known = None;
    if let (Some(repo), Some(head)) = (repo, head) {
        *known = Some((head, repo.laptops_of_memories()?));
    }
    Ok(())
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Event {
    /// The commit's time; the current time for uncommitted changes.
    pub at: String,
    /// `learned`, `edited`, `tagged`, `renumbered`, `forgotten`, `learned again`, `touched`;
    /// `kept by merge` if another laptop had done otherwise; `kept apart` if both laptops edited a
    /// fact and this text got a number of its own.
    pub what: String,
    /// The text's first line, or what changed.
    pub detail: String,
    /// The same, with as much of the first line as a terminal may have room for.
    #[serde(skip)]
    pub line: String,
    /// `None` for uncommitted changes.
    pub commit: Option<String>,
    /// The laptop where it happened; for a commit that co did not make, its author.
    pub who: String,
}

/// The history of one fact, newest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Life {
    pub created: String,
    /// The first line of its current or last text.
    pub summary: String,
    /// As much of that line as a terminal may have room for.
    #[serde(skip)]
    pub first_line: String,
    /// Who recorded it, and who agreed.
    pub from: FactOrigin,
    pub events: Vec<Event>,
}

/// The provenance recorded in a fact.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FactOrigin {
    pub agent: Option<String>,
    pub session: Option<String>,
    pub project: Option<String>,
    /// `user` or `auto`.
    pub agreed: Option<&'static str>,
}

impl FactOrigin {
    pub fn of(memory: &Memory) -> FactOrigin {
        let Provenance { agent, session, project, agreed } = Provenance::read(&memory.document());
        FactOrigin { agent, session, project, agreed: agreed.map(Agreed::word) }
    }
}

/// Why the history of a fact cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{text} is a fact of this project; its history is in the project's repository")]
    OfProject { text: String },
    #[error("`{text}` is not the handle of a fact")]
    NoHandle { text: String },
    #[error("there has never been a fact {text}")]
    NeverThere { text: String },
}

impl VerbError for LogError {
    fn kind(&self) -> ErrorKind {
        match self {
            LogError::OfProject { .. } | LogError::NoHandle { .. } => ErrorKind::Invalid,
            LogError::NeverThere { .. } => ErrorKind::NotFound,
        }
    }
}

/// Follows one fact through the commits, by its origin.
pub fn life(ws: &Workspace, text: &str) -> Result<Life, Error> {
    let store = ws.identity()?;
    let named = FactRef::parse(text).ok_or_else(|| LogError::NoHandle { text: text.to_owned() })?;
    if named.is_of_project() {
        return Err(LogError::OfProject { text: text.to_owned() }.into());
    }
    let repo = ws.repo()?;
    let history = repo.as_ref().map(|repo| repo.memory_history()).transpose()?.unwrap_or_default();
    let meant = meant(ws, text, &named, &history)?;
    let origin = meant.created;
    let here = named::facts_created(&BTreeSet::from([origin]), store, ws);
    let now = version_of(&meant, here.into_iter().map(|placed| placed.memory));
    let now = now.as_ref();
    let of_then = || history.iter().rev().find_map(|change| change.memory_with(origin)?.1);
    let from = now.or_else(of_then).map(FactOrigin::of).unwrap_or_default();
    let mut events = committed_events(&history, origin);
    if let Some(repo) = &repo {
        let before = events_before_split(repo, &history, origin)?;
        events.splice(..0, before);
    }
    let was_there = !events.is_empty();
    let committed = committed(repo.as_deref())?.memories();
    let committed = version_of(&meant, committed);
    if let Some(step) = step(committed.as_ref(), now, was_there) {
        events.push(step.event(ws.now().to_string(), None, "this laptop".into()));
    }
    events.reverse();
    let titles = now.map(|memory| (memory.summary(), memory.first_line())).or_else(|| {
        let event = events.iter().find(|event| event.what != "forgotten")?;
        Some((event.detail.clone(), event.line.clone()))
    });
    let (summary, first_line) = titles.unwrap_or_default();
    Ok(Life { created: origin.to_string(), summary, first_line, from, events })
}

/// The identity as it is committed; empty without a repository.
fn committed(repo: Option<&Repo>) -> Result<Snapshot, GitError> {
    let Some(repo) = repo else { return Ok(Snapshot::default()) };
    repo.snapshot(repo.head()?)
}

/// What the commits did to one fact, oldest first. Two branches are told one after the other, so a
/// merge is an event, too, if it keeps what was not done last or sets a text of the fact apart.
fn committed_events(history: &[MemoryChange], origin: Stamp) -> Vec<Event> {
    let mut events = Vec::new();
    let mut was_there = false;
    let mut last: Option<&Memory> = None;
    for change in history {
        let told = match (change.memory_with(origin), change.chosen(origin)) {
            (Some((before, after)), _) => {
                let told = step(before, after, was_there);
                last = after;
                let split = last.filter(|_| change.split_from(origin).is_some());
                split.map(|split| Step::of("kept apart", split)).or(told)
            }
            (None, Some(after)) => {
                let told = step(last, after, was_there);
                last = after;
                let kept = last.map(|kept| Step::of("kept by merge", kept));
                // Of two edits made apart, the one told last has not replaced the other.
                let is_choice = told.is_some() || change.set_apart(origin);
                if is_choice { kept.or(told) } else { None }
            }
            (None, None) => continue,
        };
        was_there |= last.is_some() || told.is_some();
        let (at, commit) = (change.at.to_string(), Some(change.commit.clone()));
        events.extend(told.map(|told| told.event(at, commit, change.who.clone())));
    }
    events
}

/// What happened to a text before a merge made it a fact of its own, oldest first.
fn events_before_split(
    repo: &Repo,
    history: &[MemoryChange],
    origin: Stamp,
) -> Result<Vec<Event>, GitError> {
    let Some((parent, source)) = history.iter().find_map(|change| change.split_from(origin)) else {
        return Ok(Vec::new());
    };
    let history = repo.memory_history_of(parent)?;
    let mut events = events_before_split(repo, &history, source)?;
    events.extend(committed_events(&history, source));
    Ok(events)
}

/// The fact with this handle: one that is here, or else the only one that ever had it.
fn meant(
    ws: &Workspace,
    text: &str,
    named: &FactRef,
    history: &[MemoryChange],
) -> Result<Memory, Error> {
    let store = ws.identity()?;
    let here = named.facts_in(store, ws).into_iter();
    let mut found: Vec<(Store, PlacedFact)> = here.map(|placed| (store.clone(), placed)).collect();
    named::with_moved(ws, named, &mut found);
    let mut facts: Vec<Memory> = found.into_iter().map(|(_, placed)| placed.memory).collect();
    if facts.is_empty() {
        facts = were_named(named, history);
    }
    // Copies of a fact have one life.
    let mut seen = BTreeSet::new();
    facts.retain(|memory| seen.insert((memory.created, memory.hash)));
    match facts.as_slice() {
        [] => Err(LogError::NeverThere { text: text.to_owned() }.into()),
        [only] => Ok(only.clone()),
        several => {
            let candidates = several.iter().map(|memory| (memory, Scope::Identity));
            Err(named::ambiguous(text, candidates))
        }
    }
}

/// The facts that had this handle at some time, each as it last was with it. Of facts with the same
/// number and text, which no handle tells apart, the latest.
fn were_named(named: &FactRef, history: &[MemoryChange]) -> Vec<Memory> {
    let mut last: BTreeMap<Stamp, Memory> = BTreeMap::new();
    for memory in history.iter().flat_map(MemoryChange::memories) {
        if named.names(memory) {
            last.insert(memory.created, memory.clone());
        }
    }
    let by_handle: BTreeMap<(Option<u64>, ContentHash), Memory> =
        last.into_values().map(|memory| ((memory.id, memory.hash), memory)).collect();
    by_handle.into_values().collect()
}

/// The version of a fact in one state; of several copies, the one in its place.
fn version_of(meant: &Memory, there: impl IntoIterator<Item = Memory>) -> Option<Memory> {
    let is_it = |memory: &Memory| memory.created == meant.created;
    let copies: Vec<Memory> = there.into_iter().filter(is_it).collect();
    let in_place = copies.iter().find(|memory| memory.path == meant.path);
    in_place.or_else(|| copies.first()).cloned()
}

/// What changed from one version to the next, and what is shown of it.
struct Step {
    what: &'static str,
    detail: String,
    line: String,
}

impl Step {
    fn of(what: &'static str, memory: &Memory) -> Step {
        Step { what, detail: memory.summary(), line: memory.first_line() }
    }

    fn of_field(what: &'static str, detail: String) -> Step {
        Step { what, line: detail.clone(), detail }
    }

    fn event(self, at: String, commit: Option<String>, who: String) -> Event {
        let Step { what, detail, line } = self;
        Event { at, what: what.to_owned(), detail, line, commit, who }
    }
}

fn step(before: Option<&Memory>, after: Option<&Memory>, was_there: bool) -> Option<Step> {
    match (before, after) {
        (None, Some(now)) => {
            Some(Step::of(if was_there { "learned again" } else { "learned" }, now))
        }
        (Some(old), None) => Some(Step::of("forgotten", old)),
        (Some(old), Some(now)) if old.hash != now.hash => Some(Step::of("edited", now)),
        (Some(old), Some(now)) if old.id != now.id => {
            let id =
                |memory: &Memory| memory.id.map_or_else(|| "none".to_owned(), |id| id.to_string());
            Some(Step::of_field("renumbered", format!("{} → {}", id(old), id(now))))
        }
        (Some(old), Some(now)) if old.tags != now.tags => {
            Some(Step::of_field("tagged", now.tags.join(", ")))
        }
        (Some(old), Some(now)) if old.updated != now.updated => Some(Step::of("touched", now)),
        _ => None,
    }
}
