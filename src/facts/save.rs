//! `memory save`: one fact, one file.
//!
//! Invariant: with an index, a save reads no other memory file (the hint about similar facts
//! compares at most a fixed number of vectors); without one, every memory is read once. A known
//! text gets a new stamp, not a second file; nothing is overwritten.

use super::{
    brought::Brought,
    compared::Comparison,
    confirm, review, show, superseding,
    timing::{self, Timing, TypedTimes},
};
use crate::identity::{
    ContentHash, FactView, Memory, Stamp, handle::Shared, incoming, memory, provenance::Provenance,
    slug, times::Times, validate, value::Value,
};
use crate::index::{
    FactIndex,
    store::{PlacedFact, Scope, Store},
};
use crate::machine::{files, oplog::OpVerb};
use crate::merge::change::{ChangeSet, FileChange};
use crate::secrets::{self, Allowed};
use crate::workspace::{
    Error, ErrorKind, Oddities, Workspace, guard, ledger, named,
    transaction::{Recorded, Write},
};
use serde::Serialize;

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub text: String,
    pub tags: Vec<String>,
    /// Defaults to the project if inside one, or else the identity.
    pub scope: Option<Scope>,
    pub source: Option<String>,
    pub provenance: Provenance,
    /// When it holds, and what it replaces.
    pub times: TypedTimes,
    /// Facts of which it says something else, and which a person said that it does not replace.
    pub both_hold: Vec<ContentHash>,
    pub allowed: Allowed,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub fact: FactView,
    pub filename: String,
    /// The text was known: only stamp and tags changed.
    pub known: bool,
    /// It was replaced, and counts again.
    #[serde(skip)]
    pub counts_again: bool,
    /// Tags added to a known fact.
    pub new_tags: Vec<String>,
    /// The first fact in a project, whose repository others may read.
    pub first_in_project: bool,
    /// False when the operation log could not be written.
    pub undoable: bool,
    /// What the text brought along.
    #[serde(flatten)]
    pub brought: Brought,
    /// A fact with nearly the same meaning. Not looked for in large collections without an index.
    pub similar: Option<FactView>,
    /// The facts that it replaces from now on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<FactView>,
    /// Older facts of which it says something else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub may_replace: Vec<FactView>,
    /// What is said of its time.
    #[serde(skip)]
    pub when: Vec<String>,
}

/// The labels that a text brought along.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnLabels {
    /// Apart from those that were given anyway.
    tags: Vec<String>,
    left_out: Vec<String>,
}

impl Request {
    /// The text apart from its own labels, whose tags are added; and those labels.
    pub fn arrived(&self) -> (Request, OwnLabels) {
        let incoming::Fact { text, tags: mut own, left_out } = incoming::fact(&self.text);
        own.retain(|tag| !self.tags.contains(tag));
        let tags = self.tags.iter().chain(&own).cloned().collect();
        (Request { text, tags, ..self.clone() }, OwnLabels { tags: own, left_out })
    }
}

impl Report {
    /// With what was taken from the text itself.
    pub fn with(self, own: OwnLabels) -> Report {
        let own_tags = validate::tags(&own.tags).unwrap_or_default();
        let brought = Brought { own_tags, left_out: own.left_out, ..self.brought };
        Report { brought, ..self }
    }

    /// With what it says of its time, as it is now.
    fn timed(self, ws: &Workspace, store: &Store, memory: &Memory, timing: &Timing) -> Report {
        if memory.times.is_none() {
            return self;
        }
        let held = show::held(ws, store, memory);
        let when = timing::shown(memory, ws.calendar());
        let replaces = views(ws, timing.replaced());
        let brought = Brought { check_passed: timing.check_passed(ws), ..self.brought };
        Report { fact: FactView { held, ..self.fact }, when, replaces, brought, ..self }
    }
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let (request, own) = request.arrived();
    Ok(run_arrived(ws, &request)?.with(own))
}

/// The facts of which a text says something else, before it is saved.
///
/// Fails as [`run`] would.
pub fn may_replace(ws: &Workspace, request: &Request) -> Result<Vec<FactView>, Error> {
    let (request, _) = request.arrived();
    let text = accepted(&request)?;
    let store = ws.to_write(request.scope)?;
    let timing = Timing::read(ws, &request.times, &store)?;
    let hash = ContentHash::of_body(&text);
    let mut others = Comparison::of(&store, ws);
    let found = unsaid(others.resembled(&text, hash).may_be_replaced, &timing);
    Ok(others.views(ws, &found.iter().collect::<Vec<&PlacedFact>>()))
}

/// Those of which nothing was said yet. One that is replaced later still holds.
fn unsaid(mut found: Vec<PlacedFact>, timing: &Timing) -> Vec<PlacedFact> {
    found.retain(|placed| !timing.hashes().contains(&placed.memory.hash));
    found
}

fn views(ws: &Workspace, facts: &[PlacedFact]) -> Vec<FactView> {
    named::views(ws, &facts.iter().collect::<Vec<&PlacedFact>>())
}

/// The text in the form in which it is saved.
fn accepted(request: &Request) -> Result<String, Error> {
    let text = validate::text(&request.text)?;
    let beside: Vec<&str> =
        request.tags.iter().chain(&request.source).map(String::as_str).collect();
    guard::refuse_text(&text, &beside, "", &request.allowed, "Nothing was saved.")?;
    // The marks let every later scan accept what was allowed here.
    Ok(secrets::marked_text(&text, &request.allowed))
}

/// Like [`run`], for a text without its own frontmatter: dashes at its start are text.
pub(crate) fn run_arrived(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let text = accepted(request)?;
    let tags = validate::tags(&request.tags)?;
    let store = ws.to_write(request.scope)?;
    let timing = Timing::read(ws, &request.times, &store)?;
    let beside = request.both_hold.iter().flat_map(|hash| named::facts_with(*hash, &store, ws));
    let beside: Vec<Memory> = beside.map(|placed| placed.memory).collect();
    let write = ws.write(&store)?;
    let hash = ContentHash::of_body(&text);
    let index = FactIndex::for_save(&store, ws);
    let known = index.as_ref().and_then(|index| index.before_save(&hash));
    if known.as_ref().is_none_or(|known| known.has_same) {
        let all = store.memories().0;
        let replacing = replacing(&all, hash);
        if let Some(placed) = all.into_iter().find(|placed| placed.memory.hash == hash) {
            drop(index);
            return touch(&write, (&placed.memory, &replacing, &beside), &tags, &timing);
        }
    }
    // An open read would block the writer of the index.
    drop(index);
    let first = known.map_or_else(|| highest(&store), |known| known.highest);
    let created = after_forget(ws, &store, hash)?;
    let source = request.source.as_deref().unwrap_or("user-told");
    let from = &request.provenance;
    let (tags, timing) = (tags.as_slice(), &timing);
    let new = New { created, tags, source, text: &text, from, timing, beside: &beside };
    let Created { memory, recorded } = create(&write, first + 1, &new)?;
    let first_in_project = store.scope == Scope::Project && first == 0;
    let placed = store.place(memory);
    let report = report(ws, &placed, shared(ws, &placed));
    // Release the lock first: other writers must not wait for a hint.
    drop(write);
    let report = report.timed(ws, &store, &placed.memory, timing);
    let mut others = Comparison::of(&store, ws);
    let found = others.resembled(&text, hash);
    let opposed = unsaid(found.may_be_replaced, timing);
    let alike: Vec<&PlacedFact> = found.same.iter().chain(&opposed).collect();
    let mut alike = others.views(ws, &alike).into_iter();
    let similar = found.same.as_ref().and_then(|_| alike.next());
    let may_replace = alike.collect();
    let undoable = recorded == Recorded::Yes;
    let brought = Brought { oddities: Oddities::of("", &text), ..report.brought.clone() };
    Ok(Report { first_in_project, undoable, brought, similar, may_replace, ..report })
}

/// Whether the number of a new fact means another one, too. It is above all others of its store; a
/// project around this one may have it.
fn shared(ws: &Workspace, placed: &PlacedFact) -> Shared {
    let is_only = ws.to_read(Some(placed.scope)).is_ok_and(|stores| stores.len() <= 1);
    if is_only { Shared::No } else { named::shared(ws, placed) }
}

fn highest(store: &Store) -> u64 {
    store.memories().0.iter().filter_map(|placed| placed.memory.id).max().unwrap_or(0)
}

/// Saving again must get a later stamp than the forget, and than what replaced the text meanwhile.
fn after_forget(ws: &Workspace, store: &Store, hash: ContentHash) -> Result<Stamp, Error> {
    let Some(forgotten) = ledger::read(store)?.of_text(hash) else { return Ok(ws.now()) };
    let last = superseding::last_said(ws, store, hash).map_or(forgotten, |at| at.max(forgotten));
    Ok(ws.now().max(last.plus(Stamp::SECOND)))
}

struct New<'a> {
    created: Stamp,
    tags: &'a [String],
    source: &'a str,
    text: &'a str,
    from: &'a Provenance,
    timing: &'a Timing,
    /// Facts that a person said it does not replace.
    beside: &'a [Memory],
}

struct Created {
    memory: Memory,
    recorded: Recorded,
}

/// Uses the first number from `first` on whose file name is free.
fn create(write: &Write<'_>, first: u64, new: &New<'_>) -> Result<Created, Error> {
    let mut id = first;
    loop {
        let path = slug::memory_path(id, new.text);
        let mut document = memory::new(id, new.created, new.tags, new.source, new.text);
        new.from.set_in(&mut document);
        let calendar = write.ws.calendar();
        new.timing.refuse(document.hash(), &document)?;
        new.timing.write_new(&mut document);
        // The clock of another laptop may be ahead.
        let said = new.timing.said_after(calendar).filter(|said| *said > new.created);
        if let Some(said) = said {
            document.set("updated", Value::Text(said.with_offset()));
        }
        timing::refuse_never(Times::read(&document).as_ref(), calendar)?;
        let file = document.write();
        validate::file(file.as_bytes())?;
        if files::exists(&write.store.root.join(path.as_str())) {
            id += 1;
            continue;
        }
        let memory = Memory::of_document(path.clone(), &document)
            .expect("because a new fact has an origin, and was validated");
        let after = Some(file.into_bytes().into());
        let change = FileChange { path, before: None, after };
        let operation = write.operation(OpVerb::Save, memory::summary(new.text));
        let answer = review::both_hold(write.store, &memory, new.beside, write.ws.now());
        let applied = match answer {
            None => operation.apply_adding(&ChangeSet::of(vec![change])),
            Some(answer) => {
                operation.apply(&ChangeSet::of(vec![change, answer])).map(|()| Recorded::Yes)
            }
        };
        match applied {
            Ok(recorded) => return Ok(Created { memory, recorded }),
            // Another program just took the name.
            Err(error) if error.kind() == ErrorKind::Busy => id += 1,
            Err(error) => return Err(error),
        }
    }
}

/// The facts that replace a text.
fn replacing(all: &[PlacedFact], hash: ContentHash) -> Vec<Memory> {
    let memories = all.iter().map(|placed| &placed.memory);
    let replaces = |memory: &&Memory| {
        memory.times.as_deref().is_some_and(|times| times.supersedes.contains(&hash))
    };
    memories.filter(replaces).cloned().collect()
}

/// Combines the tags and sets a later stamp, so that a forget elsewhere does not delete it.
/// What others replace counts again.
fn touch(
    write: &Write<'_>,
    (memory, replacing, beside): (&Memory, &[Memory], &[Memory]),
    tags: &[String],
    timing: &Timing,
) -> Result<Report, Error> {
    let Write { ws, store, .. } = write;
    timing.refuse(memory.hash, &memory.document())?;
    let is_replaced = || show::held(ws, store, memory).standing == Some("replaced");
    let was_replaced = !replacing.is_empty() && is_replaced();
    let again = if replacing.is_empty() {
        memory.clone()
    } else {
        confirm::refuse_unchangeable(memory)?;
        confirm::said_again(memory, replacing, (ws.now(), ws.calendar()))
    };
    let updated = after_forget(ws, store, memory.hash)?
        .max(again.latest().plus(Stamp::SECOND))
        .max(timing.said_after(ws.calendar()).unwrap_or(Stamp::EPOCH));
    let new_tags: Vec<String> =
        tags.iter().filter(|tag| !memory.tags.contains(tag)).cloned().collect();
    if !new_tags.is_empty() {
        validate::changeable(&memory.document(), "tags")?;
    }
    let touched = again.edited(|document| {
        if !new_tags.is_empty() {
            document.set("tags", Value::List([memory.tags.clone(), new_tags.clone()].concat()));
        }
        document.set("updated", Value::Text(updated.with_offset()));
        timing.write_changed(document, updated);
    });
    timing::refuse_never(touched.times.as_deref(), ws.calendar())?;
    let operation = write.operation(OpVerb::SaveAgain, memory.summary());
    let touched = store.place(touched);
    let shared = named::shared(ws, &touched);
    let change = FileChange::replacing(memory, touched.memory.blob.clone());
    let answer = review::both_hold(store, memory, beside, ws.now());
    operation.apply(&ChangeSet::of(answer.into_iter().chain([change]).collect()))?;
    let report = report(ws, &touched, shared).timed(ws, store, &touched.memory, timing);
    let counts_again = was_replaced && report.fact.held.standing.is_none();
    let may_replace = views(ws, &unsaid(standing_beside(ws, store, replacing), timing));
    Ok(Report { known: true, counts_again, new_tags, may_replace, ..report })
}

/// Those of the facts that replaced one which hold now that it was said again.
fn standing_beside(ws: &Workspace, store: &Store, replacing: &[Memory]) -> Vec<PlacedFact> {
    let holds = |other: &&Memory| show::held(ws, store, other).standing.is_none();
    replacing.iter().filter(holds).map(|other| store.place(other.clone())).collect()
}

/// `shared` says whether its number means another fact, too.
fn report(ws: &Workspace, placed: &PlacedFact, shared: Shared) -> Report {
    Report {
        fact: placed.view(shared, ws.calendar()),
        filename: placed.memory.path.name().to_owned(),
        known: false,
        counts_again: false,
        new_tags: Vec::new(),
        first_in_project: false,
        undoable: true,
        brought: Brought::default(),
        similar: None,
        replaces: Vec::new(),
        may_replace: Vec::new(),
        when: Vec::new(),
    }
}
