//! `knowledge related`: what is connected with a person, a project or a document: which documents
//! link to it or name it, to which it links, and which facts name it; at most one step further.
//!
//! Invariant: complete, whoever wrote the files; a list, not a ranking. Links stay within a store,
//! names do not. A document is listed once, for the first reason there is.

use super::{
    KnowledgeError,
    list::Among,
    store_documents::{PlacedDocument, StoreDocuments, of_layer},
};
use crate::identity::{FactView, Finding, Memory, RelPath};
use crate::index::{
    self,
    search::Confined,
    store::{PlacedFact, Scope, Store},
};
use crate::knowledge::{
    Topic, links,
    mentions::{self, Called, Spelling},
    names::Names,
};
use crate::workspace::{Error, Workspace, named};
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// How far to go from what was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Steps {
    #[default]
    One,
    /// Also documents linked with one of those.
    Two,
}

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A topic (`people/sarah`) or a name (`Sarah`).
    pub what: String,
    /// Which of the related documents and facts; facts have only tags, a source and a scope.
    pub among: Among,
    pub steps: Steps,
    /// How many to report; all if `None`.
    pub limit: Option<usize>,
}

/// How a document is connected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// It links to what was asked for.
    LinksToIt,
    /// Its labels, path or text name it.
    NamesIt,
    /// What was asked for links to it.
    LinkedFromIt,
    /// A link connects it with a related document.
    Linked,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RelatedDocument {
    pub topic: Topic,
    pub name: String,
    pub description: String,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub relation: Relation,
    /// The related document through which it is connected.
    pub via: Option<Topic>,
    pub updated: Option<String>,
    pub scope: Scope,
    pub path: PathBuf,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The document that was meant, or the name that none has.
    pub about: String,
    /// How many there are, whatever the limit.
    pub count: usize,
    pub documents: Vec<RelatedDocument>,
    pub facts: Vec<FactView>,
    /// How many are beyond the limit.
    pub left_out: usize,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// The documents of a store, and the files that each links to.
struct Linked {
    stored: StoreDocuments,
    files: Names,
    targets: Vec<Vec<RelPath>>,
}

impl Linked {
    fn of(stored: StoreDocuments) -> Linked {
        let files = stored.names();
        let linked = |placed: &PlacedDocument| links::linked(text(placed), &placed.path, &files);
        let targets = stored.documents.par_iter().map(linked).collect();
        Linked { stored, files, targets }
    }

    fn each(&self) -> impl Iterator<Item = (&PlacedDocument, &[RelPath])> {
        self.stored.documents.iter().zip(self.targets.iter().map(Vec::as_slice))
    }

    fn document(&self, path: &RelPath) -> Option<(&PlacedDocument, &[RelPath])> {
        let documents = &self.stored.documents;
        let at = documents.binary_search_by(|placed| placed.path.cmp(path)).ok()?;
        Some((&documents[at], &self.targets[at]))
    }

    /// Whether the document at a path links to a file.
    fn leads(&self, from: &RelPath, to: &RelPath) -> bool {
        self.document(from).is_some_and(|(_, targets)| targets.contains(to))
    }
}

fn text(placed: &PlacedDocument) -> &str {
    std::str::from_utf8(&placed.blob).unwrap_or_default()
}

/// Whom or what the question is about.
struct Subject {
    called: Called,
    /// Its document, and the store with it, by position.
    document: Option<(usize, RelPath)>,
}

/// A related document.
struct Found<'a> {
    store: usize,
    placed: &'a PlacedDocument,
    relation: Relation,
    via: Option<Topic>,
}

impl Subject {
    /// `typed` is a name that a person asked for.
    fn of(linked: &[Linked], at: usize, path: &RelPath, typed: Option<&str>) -> Option<Subject> {
        let topics: BTreeSet<&str> = all(linked).map(|placed| placed.entry.topic.below()).collect();
        let is_about_one = |placed: &PlacedDocument| {
            mentions::is_about_one(&placed.entry.topic, |topic| topics.contains(topic))
        };
        let (own, _) = linked.get(at)?.document(path)?;
        let mut called = Called::of(&own.entry, is_about_one(own), typed);
        for other in all(linked).filter(|other| other.file != own.file && is_about_one(other)) {
            called.beside(&other.entry);
        }
        Some(Subject { called, document: Some((at, path.clone())) })
    }

    fn is(&self, at: usize, path: &RelPath) -> bool {
        self.document.as_ref().is_some_and(|(store, own)| *store == at && own == path)
    }

    /// How a document of a store is connected; `None` if it is not.
    fn relation(
        &self,
        linked: &[Linked],
        at: usize,
        (placed, targets): (&PlacedDocument, &[RelPath]),
    ) -> Option<Relation> {
        let own = self.document.as_ref().filter(|(store, _)| *store == at).map(|(_, path)| path);
        if own.is_some_and(|own| targets.contains(own)) {
            return Some(Relation::LinksToIt);
        }
        if self.called.is_named_by(&placed.entry, text(placed)) {
            return Some(Relation::NamesIt);
        }
        let leads_there = |own: &RelPath| linked[at].leads(own, &placed.path);
        own.is_some_and(leads_there).then_some(Relation::LinkedFromIt)
    }

    fn first_step<'a>(&self, linked: &'a [Linked]) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        for (store, one) in linked.iter().enumerate() {
            for (placed, targets) in one.each() {
                if self.is(store, &placed.path) {
                    continue;
                }
                if let Some(relation) = self.relation(linked, store, (placed, targets)) {
                    found.push(Found { store, placed, relation, via: None });
                }
            }
        }
        found
    }

    /// The documents that a link connects with one of the first step.
    fn second_step<'a>(&self, linked: &'a [Linked], first: &[Found<'_>]) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        for (store, one) in linked.iter().enumerate() {
            let near: Vec<&Found<'_>> = first.iter().filter(|near| near.store == store).collect();
            // Where each of them is, and the first that links to a file.
            let (mut places, mut leading) = (BTreeMap::new(), BTreeMap::new());
            for (place, near) in near.iter().enumerate() {
                places.insert(&near.placed.path, place);
                let targets = one.document(&near.placed.path).map(|(_, targets)| targets);
                for target in targets.unwrap_or_default() {
                    leading.entry(target).or_insert(place);
                }
            }
            for (placed, targets) in one.each() {
                if places.contains_key(&placed.path) || self.is(store, &placed.path) {
                    continue;
                }
                let led_to = targets.iter().filter_map(|target| places.get(target));
                if let Some(place) = led_to.chain(leading.get(&placed.path)).min() {
                    let via = Some(near[*place].placed.entry.topic.clone());
                    found.push(Found { store, placed, relation: Relation::Linked, via });
                }
            }
        }
        found
    }

    /// The facts that name it or link to it, in the order of their files.
    fn facts(&self, ws: &Workspace, linked: &[Linked], among: &Among) -> Vec<PlacedFact> {
        let mut found = Vec::new();
        for (at, one) in linked.iter().enumerate() {
            let store = &one.stored.store;
            let (mut memories, _) = index::memories(store, ws);
            memories.retain(|memory| fits(memory, among) && self.is_in(memory, at, one));
            memories.sort_by(|a, b| (a.id, &a.path).cmp(&(b.id, &b.path)));
            found.extend(memories.into_iter().map(|memory| store.place(memory)));
        }
        found
    }

    fn is_in(&self, memory: &Memory, at: usize, one: &Linked) -> bool {
        let is_own = |path: RelPath| self.is(at, &path);
        self.called.is_among(memory.tags.iter().map(String::as_str))
            || self.called.is_said_in(memory.text())
            || links::linked(memory.text(), &memory.path, &one.files).into_iter().any(is_own)
    }
}

/// Whether a fact is meant: of what a filter may ask, it has tags and a source.
fn fits(memory: &Memory, among: &Among) -> bool {
    let Among { scope: _, labels, source, namespace, below, only: _ } = among;
    let has =
        |label: &String| memory.tags.iter().any(|tag| tag.to_lowercase() == label.to_lowercase());
    namespace.is_none()
        && below.is_none()
        && labels.iter().all(has)
        && source.as_ref().is_none_or(|source| memory.source.as_ref() == Some(source))
}

fn all(linked: &[Linked]) -> impl Iterator<Item = &PlacedDocument> {
    linked.iter().flat_map(|one| &one.stored.documents)
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let stored = StoreDocuments::all(ws, request.among.scope)?;
    let linked: Vec<Linked> = stored.into_iter().map(Linked::of).collect();
    let subject = meant(request, &linked)?;
    let first = subject.first_step(&linked);
    let second = match request.steps {
        Steps::One => Vec::new(),
        Steps::Two => subject.second_step(&linked, &first),
    };
    let mut found: Vec<Found<'_>> = first.into_iter().chain(second).collect();
    found.retain(|found| request.among.has(&found.placed.entry));
    found.sort_by_cached_key(|found| (found.relation, found.placed.entry.topic.full()));
    let facts = subject.facts(ws, &linked, &request.among);
    let about = about(&subject, &linked, &request.what);
    if found.is_empty() && facts.is_empty() && subject.document.is_none() {
        return Err(super::unnamed(request.what.trim(), all(&linked)));
    }
    let count = found.len() + facts.len();
    let limit = request.limit.unwrap_or(count);
    let documents: Vec<RelatedDocument> = found.iter().take(limit).map(row).collect();
    let facts: Vec<&PlacedFact> = facts.iter().take(limit - documents.len()).collect();
    let left_out = count - documents.len() - facts.len();
    let facts = named::views(ws, &facts);
    let findings =
        linked.iter().flat_map(|one| one.stored.store.named(one.stored.findings.clone())).collect();
    Ok(Report { about, count, documents, facts, left_out, findings })
}

/// What a search among the related is confined to: they, and the document itself.
pub fn confined(ws: &Workspace, what: &str, scope: Option<Scope>) -> Result<Confined, Error> {
    let among = Among { scope, ..Among::default() };
    let report = run(ws, &Request { what: what.to_owned(), among, ..Request::default() })?;
    let own = Topic::parse(&report.about).ok();
    let topics = report.documents.into_iter().map(|one| one.topic).chain(own).collect();
    Ok(Confined { facts: report.facts.iter().map(|fact| fact.hash).collect(), topics })
}

fn row(found: &Found<'_>) -> RelatedDocument {
    let entry = &found.placed.entry;
    RelatedDocument {
        topic: entry.topic.clone(),
        name: entry.name.clone(),
        description: entry.description.clone(),
        kind: entry.kind.clone(),
        relation: found.relation,
        via: found.via.clone(),
        updated: entry.latest().map(|stamp| stamp.to_string()),
        scope: found.placed.scope,
        path: found.placed.file.clone(),
    }
}

fn about(subject: &Subject, linked: &[Linked], typed: &str) -> String {
    let document = subject.document.as_ref().and_then(|(at, path)| linked[*at].document(path));
    document.map_or_else(|| typed.trim().to_owned(), |(placed, _)| placed.entry.topic.to_string())
}

/// What a person means: the document of a topic, the one of a name, or a name that none has.
fn meant(request: &Request, linked: &[Linked]) -> Result<Subject, Error> {
    let what = request.what.trim();
    let topic = Topic::parse(what)?;
    let is_path = what.contains('/');
    let subject = |(at, placed): (usize, &PlacedDocument)| {
        let typed = (!is_path).then_some(what);
        Subject::of(linked, at, &placed.path, typed).ok_or_else(|| missing(&topic, linked))
    };
    let behind = || of_layer(linked.iter().map(|one| &one.stored), &topic);
    if let Some(found) = exact(linked, &topic).or_else(behind) {
        return subject(found);
    }
    if is_path {
        return Err(missing(&topic, linked));
    }
    let all_called = |how: Spelling| {
        let each = linked.iter().enumerate();
        let each = each.flat_map(|(at, one)| one.stored.documents.iter().map(move |own| (at, own)));
        let is_called = |own: &PlacedDocument| mentions::called(&own.entry, what) == Some(how);
        each.filter(|(_, own)| is_called(own)).collect::<Vec<(usize, &PlacedDocument)>>()
    };
    let mut called = all_called(Spelling::Same);
    if called.is_empty() {
        called = all_called(Spelling::WithoutAccents);
    }
    let is_of_one = |placed: &PlacedDocument| placed.entry.topic.subject().is_some();
    if called.iter().any(|(_, placed)| is_of_one(placed)) {
        called.retain(|(_, placed)| is_of_one(placed));
    }
    match called.as_slice() {
        [] => Ok(Subject { called: Called::by_name(what), document: None }),
        [one] => subject(*one),
        several => {
            let topics = several.iter().map(|(_, placed)| placed.entry.topic.to_string());
            let (name, topics) = (what.to_owned(), topics.collect());
            Err(KnowledgeError::Several { name, topics }.into())
        }
    }
}

/// The document of a topic, in any capitals: of the nearest project, or else of the identity.
fn exact<'a>(linked: &'a [Linked], topic: &Topic) -> Option<(usize, &'a PlacedDocument)> {
    let file = topic.file()?;
    let folded = file.folded();
    let mut fitting = Vec::new();
    for (at, one) in linked.iter().enumerate() {
        let documents = one.stored.documents.iter();
        let fits = documents.filter(|placed| placed.path.folded() == folded);
        fitting.extend(fits.map(|placed| (at, placed)));
    }
    fitting.into_iter().min_by_key(|(_, placed)| (placed.scope.distance(), placed.path != file))
}

fn missing(topic: &Topic, linked: &[Linked]) -> Error {
    let known: Vec<PlacedDocument> = all(linked).cloned().collect();
    super::not_found(topic, &known)
}

/// What `knowledge show` says of other documents.
#[derive(Default)]
pub(super) struct Backlinks {
    pub(super) linked_from: Vec<Topic>,
    pub(super) named_in: Vec<Topic>,
}

pub(super) fn backlinks(store: &Store, placed: &PlacedDocument) -> Backlinks {
    let linked = [Linked::of(StoreDocuments::read(store.clone()))];
    let mut backlinks = Backlinks::default();
    let Some(subject) = Subject::of(&linked, 0, &placed.path, None) else { return backlinks };
    for found in subject.first_step(&linked) {
        let topic = found.placed.entry.topic.clone();
        match found.relation {
            Relation::LinksToIt => backlinks.linked_from.push(topic),
            Relation::NamesIt => backlinks.named_in.push(topic),
            Relation::LinkedFromIt | Relation::Linked => {}
        }
    }
    backlinks
}
