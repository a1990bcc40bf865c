//! `identity log HANDLE`: the life of one fact, from the operation log and the commits together.
//!
//! Invariant: each event is told once. What co did here has the time of its operation, and the sync
//! that committed it; what was edited by hand or done elsewhere has the time that the files say,
//! else that of the sync. What was done elsewhere names the laptop of its commit.

mod join;
mod replaced;
mod sources;
mod step;

use super::log::LogError;
use crate::agents;
use crate::identity::{
    ContentHash, LayerName, Memory, RelPath, Stamp, Times,
    provenance::{Agreed, Provenance},
};
use crate::index::store::{PlacedFact, Scope, Store};
use crate::machine::{
    oplog::{self, OpVerb},
    stat::Stat,
};
use crate::merge::change::FieldChange;
use crate::workspace::{
    Error, Workspace, layers,
    named::{self, FactRef},
};
use join::Span;
use replaced::Replaced;
use serde::Serialize;
use sources::{Committed, Done, Part, Past, Rest, changed_at};
use std::collections::{BTreeMap, BTreeSet};
use step::{Known, State, Step, step};

/// What tells when an event was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeSource {
    /// An operation of this laptop.
    Operation,
    /// The fact, the ledger, or the file.
    File,
    /// Only the sync that committed it: it was done before.
    Sync,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Event {
    pub at: String,
    pub time: TimeSource,
    /// `learned`, `edited`, `tagged`, `pinned`, `unpinned`, `confirmed`, `changed` (labels),
    /// `renumbered`, `replaced`, `forgotten`, `learned again`, `touched`; `merged` if a merge
    /// united two versions, or two facts; `kept by merge` if another laptop had done otherwise;
    /// `kept apart` if both laptops edited a fact and this text got a number of its own.
    pub what: String,
    /// The text's first line, or what changed.
    pub detail: String,
    /// The same, with as much of the first line as a terminal may have room for.
    #[serde(skip)]
    pub line: String,
    /// What changed besides the text, where the detail says just that.
    #[serde(skip)]
    pub fields: Vec<FieldChange>,
    /// What it says of its time from then on, where the detail does not say it.
    #[serde(skip)]
    pub times: Option<Times>,
    /// The whole text before and after; `None` where there was no fact.
    pub before: Option<String>,
    pub after: Option<String>,
    /// `None` for what no sync has committed.
    pub commit: Option<String>,
    /// The laptop where it happened; for a commit that co did not make, its author.
    pub who: String,
    /// `o12`; `None` for what was done elsewhere, by hand since the last sync, or is no longer in
    /// the log.
    pub op: Option<String>,
    pub verb: Option<OpVerb>,
    /// The agent that did it.
    pub agent: Option<String>,
    pub session: Option<String>,
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

/// Whether there is a history of the fact that this handle names in a scope, although the fact may
/// be gone.
pub(super) fn tells_of(ws: &Workspace, text: &str, scope: Option<Scope>) -> bool {
    scope.or(ws.only).is_none_or(|scope| scope == Scope::Identity) && run(ws, text).is_ok()
}

/// Follows one fact by its origin.
pub fn run(ws: &Workspace, text: &str) -> Result<Life, Error> {
    let named = FactRef::parse(text).ok_or_else(|| LogError::NoHandle { text: text.to_owned() })?;
    if let (Some(layer), Some((_, of_it))) = (named.layer(), text.split_once('/')) {
        if layer == LayerName::here() {
            return Err(LogError::OfHere { text: text.to_owned() }.into());
        }
        // A layer has a history of its own.
        return run(&Workspace::open(layers::within(ws, layer.as_str())?), of_it);
    }
    let store = ws.identity()?;
    if named.is_of_project() {
        return Err(LogError::OfProject { text: text.to_owned() }.into());
    }
    let past = Past::of(ws)?;
    let meant = meant(&past, store, text, &named)?;
    let origin = meant.created;
    let here = named::facts_created(&BTreeSet::from([origin]), store, ws);
    let here: Vec<Memory> = here.into_iter().map(|placed| placed.memory).collect();
    let mut files: BTreeSet<RelPath> = here.iter().map(|memory| memory.path.clone()).collect();
    files.insert(meant.path.clone());
    let now = version_of(&meant, &here);
    let parts = past.parts(origin, files)?;
    let mut teller = Teller::new(&past);
    for part in &parts {
        teller.tell(part);
    }
    teller.tell_by_hand(store, &meant, now);
    let last = now.or(teller.last).unwrap_or(&meant);
    let mut events = teller.events;
    for replaced in replaced::by_others((ws, store), &past, &parts, last)? {
        let event = Event::of_replaced(replaced);
        let later = events.partition_point(|known| known.at <= event.at);
        events.insert(later, event);
    }
    for event in events.iter_mut().filter(|event| !event.fields.is_empty()) {
        named::name_fields(ws, event.fields.iter_mut());
        event.detail = FieldChange::line(&event.fields);
        event.line.clone_from(&event.detail);
    }
    events.reverse();
    Ok(Life {
        created: origin.to_string(),
        summary: last.summary(),
        first_line: last.first_line(),
        from: FactOrigin::of(last),
        events,
    })
}

/// Tells the parts of a life, oldest first.
struct Teller<'a> {
    host: &'a str,
    now: Stamp,
    events: Vec<Event>,
    known: Known,
    /// The last version.
    last: Option<&'a Memory>,
    /// The last version as it is known to co; `None` if it was gone.
    state: Option<&'a Memory>,
}

impl<'a> Teller<'a> {
    fn new(past: &'a Past<'_>) -> Teller<'a> {
        Teller {
            host: &past.ws.host,
            now: past.ws.now(),
            events: Vec::new(),
            known: Known::Never,
            last: None,
            state: None,
        }
    }

    fn tell(&mut self, part: &'a Part) {
        let Part { done, committed, rest } = part;
        let steps: Vec<Span<State<'_>>> = done.iter().map(Span::<State<'_>>::of_done).collect();
        let commits: Vec<Option<Span<State<'_>>>> =
            committed.iter().map(Span::<State<'_>>::of_commit).collect();
        let mut next = 0;
        for (commit, run) in committed.iter().zip(join::runs(&steps, &commits)) {
            let Some(run) = run else {
                self.tell_commit(commit, commit.step.clone(), commit.after.as_ref());
                continue;
            };
            let steps = run.steps;
            self.tell_steps(&done[next..steps.start], None);
            let first = &done[steps.start];
            if run.begins_late
                && let Some(step) = step(commit.before.as_ref(), first.before.as_ref(), self.known)
            {
                self.tell_commit(commit, step, first.before.as_ref());
            }
            self.tell_steps(&done[steps.clone()], Some(commit));
            // The sync may have given it another number.
            self.state = commit.after.as_ref();
            next = steps.end;
        }
        if *rest == Rest::Told {
            self.tell_steps(&done[next..], None);
        }
    }

    fn tell_commit(&mut self, commit: &Committed, step: Step, after: Option<&'a Memory>) {
        let from = after.filter(|_| self.known == Known::Never).map(FactOrigin::of);
        let FactOrigin { agent, session, .. } = from.unwrap_or_default();
        let time = if commit.known_at.is_some() { TimeSource::File } else { TimeSource::Sync };
        let event = Event {
            commit: Some(commit.commit.clone()),
            who: commit.who.clone(),
            agent,
            session,
            ..Event::of(step, commit.known_at.unwrap_or(commit.at), time)
        };
        self.push(event, after);
    }

    fn tell_steps(&mut self, steps: &'a [Done], commit: Option<&Committed>) {
        for done in steps {
            let Some(step) = done.step(self.known) else { continue };
            let versions = done.before.as_ref().zip(done.after.as_ref());
            let by_hand = done.verb == OpVerb::ByHand;
            let (at, time) = match versions.and_then(|(old, now)| changed_at(old, now)) {
                Some(at) if by_hand => (at.min(done.at), TimeSource::File),
                _ if by_hand => (done.at, TimeSource::Sync),
                _ => (done.at, TimeSource::Operation),
            };
            let agent = done
                .client
                .as_deref()
                .map(|client| agents::client(client).map_or(client, |agent| agent.name).to_owned());
            let event = Event {
                commit: commit.map(|commit| commit.commit.clone()),
                who: if commit.is_some() { self.host.to_owned() } else { HERE.to_owned() },
                op: Some(oplog::handle(done.op)),
                verb: Some(done.verb.clone()),
                agent,
                session: done.session.clone(),
                ..Event::of(step, at, time)
            };
            self.push(event, done.after.as_ref());
            self.last = self.last.or(done.before.as_ref());
        }
    }

    /// What was done to the file since, without co.
    fn tell_by_hand(&mut self, store: &Store, meant: &Memory, now: Option<&'a Memory>) {
        let Some(step) = step(self.state, now, self.known) else { return };
        let file = now.map_or(&meant.path, |memory| &memory.path);
        let written = Stat::of(&file.below(&store.root)).filter(|_| now.is_some());
        let written = written.map(|stat| Stamp::from_micros(stat.modified.div_euclid(1000)));
        let learned = now.filter(|_| self.known == Known::Never).map(|memory| memory.created);
        let at = learned.or(written).map_or(self.now, |at| at.min(self.now));
        let event = Event { who: HERE.to_owned(), ..Event::of(step, at, TimeSource::File) };
        self.push(event, now);
    }

    fn push(&mut self, event: Event, after: Option<&'a Memory>) {
        self.events.push(event);
        self.known = Known::Before;
        self.state = after;
        self.last = after.or(self.last);
    }
}

/// Where what no sync has committed was done.
const HERE: &str = "this laptop";

impl<'a> Span<State<'a>> {
    fn of_done(done: &'a Done) -> Span<State<'a>> {
        let (from, to) = done.states();
        Span { from, to, second: done.second() }
    }

    /// `None` for what was committed elsewhere.
    fn of_commit(commit: &'a Committed) -> Option<Span<State<'a>>> {
        let (from, to) = (State(commit.before.as_ref()), State(commit.after.as_ref()));
        commit.is_own.then(|| Span { from, to, second: commit.at.micros() })
    }
}

impl Event {
    fn of(step: Step, at: Stamp, time: TimeSource) -> Event {
        let Step { what, detail, line, fields, times, before, after } = step;
        Event {
            at: at.to_string(),
            time,
            what: what.word().to_owned(),
            detail,
            line,
            fields,
            times,
            before,
            after,
            commit: None,
            who: String::new(),
            op: None,
            verb: None,
            agent: None,
            session: None,
        }
    }

    fn of_replaced(replaced: Replaced) -> Event {
        let Replaced { step, by, at, op, commit } = replaced;
        let time = if op.is_some() { TimeSource::Operation } else { TimeSource::File };
        let (commit, who) = commit.unzip();
        Event {
            who: who.unwrap_or_else(|| HERE.to_owned()),
            commit,
            agent: FactOrigin::of(&by).agent,
            op: op.map(oplog::handle),
            ..Event::of(step, at, time)
        }
    }
}

/// The fact with this handle: one that is here, or else the only one that ever had it.
fn meant(past: &Past<'_>, store: &Store, text: &str, named: &FactRef) -> Result<Memory, Error> {
    let here = named.facts_in(store, past.ws).into_iter();
    let mut found: Vec<(Store, PlacedFact)> = here.map(|placed| (store.clone(), placed)).collect();
    named::with_moved(past.ws, named, &mut found);
    let mut facts: Vec<Memory> = found.into_iter().map(|(_, placed)| placed.memory).collect();
    if facts.is_empty() {
        facts = were_named(named, past.versions()?);
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
fn were_named(named: &FactRef, versions: Vec<Memory>) -> Vec<Memory> {
    let mut last: BTreeMap<Stamp, Memory> = BTreeMap::new();
    for memory in versions {
        if named.names(&memory) {
            last.insert(memory.created, memory);
        }
    }
    let by_handle: BTreeMap<(Option<u64>, ContentHash), Memory> =
        last.into_values().map(|memory| ((memory.id, memory.hash), memory)).collect();
    by_handle.into_values().collect()
}

/// The version of a fact in one state; of several copies, the one in its place.
fn version_of<'a>(meant: &Memory, there: &'a [Memory]) -> Option<&'a Memory> {
    let in_place = there.iter().find(|memory| memory.path == meant.path);
    in_place.or_else(|| there.first())
}
