//! `knowledge write`: creates or replaces a document by its topic.
//!
//! Invariant: fields derived from the text (type, topics, entities) are filled in, and updated only
//! while they equal those of the previous text; a person's edits to them stay. A seed that is
//! rewritten becomes the user's own.

use super::{
    KnowledgeError,
    store_documents::{self, PlacedDocument},
};
use crate::foreign::Foreign;
use crate::identity::{Document, RelPath, Stamp, incoming, validate, value::Value};
use crate::index::store::{Scope, Store};
use crate::knowledge::{
    DocSummary, Namespace, Topic, added,
    labels::{self, Labels},
    placement::{self, Placing},
};
use crate::machine::{Context, files, oplog::OpVerb};
use crate::merge::change::{ChangeSet, FileChange};
use crate::secrets::{self, Allowed};
use crate::workspace::{Error, Oddities, Workspace, guard};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A topic, or a bare name whose folder follows from the type.
    pub topic: String,
    pub content: String,
    pub fields: Fields,
    pub scope: Option<Scope>,
    pub allowed: Allowed,
}

/// The fields of a document; those that are `None` stay as they are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fields {
    pub tags: Option<Vec<String>>,
    pub title: Option<String>,
    pub description: Option<String>,
    /// One of [`placement::PLACES`].
    pub kind: Option<String>,
    pub status: Option<String>,
    pub temporal: Option<String>,
    /// Defaults to `user`.
    pub source: Option<String>,
    /// The project whose folder it belongs in.
    pub project: Option<String>,
    /// The service whose folder it belongs in.
    pub service: Option<String>,
}

/// The source of documents loaded by `knowledge seed`.
pub(super) const SEED: &str = "seed";

/// What happened to the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Written {
    Created,
    Updated,
    /// It had exactly this content already.
    Unchanged,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub topic: Topic,
    pub written: Written,
    pub scope: Scope,
    pub path: PathBuf,
    pub tags: Vec<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub topics: Vec<String>,
    pub entities: Vec<String>,
    /// Labels of the text's own that co does not know.
    #[serde(skip)]
    pub own_labels: Vec<String>,
    #[serde(flatten)]
    pub oddities: Oddities,
    /// Oddities of the topic.
    #[serde(skip)]
    pub unusual: Vec<String>,
}

/// A document that was in an editor: written where it is, unless it changed meanwhile.
pub(super) struct Edited<'a> {
    pub(super) store: &'a Store,
    /// Its text now.
    pub(super) now: &'a str,
    /// The hash of the text that was edited.
    pub(super) based_on: &'a str,
}

/// Where the document of a request goes: its text may name a type, and with it a folder.
pub fn place(ws: &Workspace, request: &Request) -> Result<Topic, Error> {
    let own = arrived(&request.content)?;
    let fields = sound(&with_own(&request.fields, &own))?;
    topic(ws, request, &fields, &text(own.text())?)
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    carried_out(ws, request, None)
}

pub(super) fn carried_out(
    ws: &Workspace,
    request: &Request,
    edited: Option<&Edited<'_>>,
) -> Result<Report, Error> {
    let own = arrived(&request.content)?;
    let content = text(own.text())?;
    let fields = sound(&with_own(&request.fields, &own))?;
    let topic = topic(ws, request, &fields, &content)?;
    let labels = added::values(&own);
    let labels = labels.iter().map(String::as_str);
    let beside: Vec<&str> = words(&fields).chain([request.topic.as_str()]).chain(labels).collect();
    let was = edited.map_or("", |edited| edited.now);
    guard::refuse_text(&content, &beside, was, &request.allowed, "Nothing was written.")?;
    let content = secrets::marked_text(&content, &request.allowed);
    let place = edited.map(|edited| edited.store.clone());
    let store = place.map_or_else(|| ws.to_write(request.scope), Ok)?;
    let write = ws.write(&store)?;
    let (path, before) = store_documents::find(&store, &topic)?;
    edited.map_or(Ok(()), |edited| refuse_outdated(edited, &topic, before.as_ref()))?;
    store.refuse_link(ws, &path)?;
    before.as_ref().map_or(Ok(()), store_documents::refuse_locked)?;
    let known = names(&store);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let topic = before.as_ref().map_or(topic, |placed| placed.entry.topic.clone());
    let mut document = filled(&topic, &content, &fields, before.as_ref(), &known)?;
    let had = before.as_ref().map(PlacedDocument::document);
    added::carry_new(&own, &mut document, had.as_ref());
    if before.is_none() {
        topic.for_new_file()?;
    }
    let written = match &before {
        None => Written::Created,
        Some(placed) if document.write().as_bytes() == &placed.blob[..] => Written::Unchanged,
        Some(_) => Written::Updated,
    };
    if written != Written::Unchanged {
        stamp(&mut document, &topic, ws.now(), before.as_ref());
        let change = change(&path, &document, before.as_ref());
        let transaction = write.operation(OpVerb::Write, topic.to_string());
        transaction.apply(&ChangeSet::of(vec![change]))?;
    }
    let entry = DocSummary::of(topic, &document);
    Ok(Report {
        written,
        scope: store.scope,
        path: path.below(&store.shown),
        unusual: entry.topic.unusual(),
        own_labels: added::unknown_labels(&own, had.as_ref()),
        oddities: Oddities::of(was, &content),
        tags: entry.tags,
        kind: entry.kind,
        topics: entry.topics,
        entities: entry.entities,
        topic: entry.topic,
    })
}

/// Fails if the document changed, or went, while an editor was open.
fn refuse_outdated(
    edited: &Edited<'_>,
    topic: &Topic,
    before: Option<&PlacedDocument>,
) -> Result<(), Error> {
    let now = before.map(|placed| placed.document().hash().to_string());
    if now.as_deref() == Some(edited.based_on) {
        return Ok(());
    }
    Err(KnowledgeError::Outdated { topic: topic.clone() }.into())
}

/// The text of others, apart from the labels that it brings along.
pub(super) fn arrived(typed: &str) -> Result<Document, Error> {
    incoming::document(typed).map_err(|incoming::Unread { line, message }| {
        KnowledgeError::Front { line, message }.into()
    })
}

/// What was given, else what the text says of itself, as far as co knows such a value.
pub(super) fn with_own(given: &Fields, own: &Document) -> Fields {
    let text = |key: &str| own.get(key).and_then(Value::text).filter(|text| !text.is_empty());
    let one_of =
        |key: &str, known: &[&str]| text(key).filter(|text| known.contains(&text.as_str()));
    let given = given.clone();
    Fields {
        title: given.title.or_else(|| text("title")),
        description: given.description.or_else(|| text("description")),
        tags: given.tags.or_else(|| own.get("tags").and_then(Value::list)),
        kind: given.kind.or_else(|| one_of("type", placement::KINDS)),
        status: given.status.or_else(|| one_of("status", placement::STATUSES)),
        temporal: given.temporal.or_else(|| one_of("temporal", placement::TIMES)),
        ..given
    }
}

/// A bare name with a type goes to the folder for that type.
fn topic(
    context: &Context,
    request: &Request,
    fields: &Fields,
    content: &str,
) -> Result<Topic, Error> {
    let Fields { kind, project, service, .. } = fields;
    // Every context includes the profile: the text alone does not put a document there.
    let is_said = request.fields.kind.is_some();
    let kind = kind.as_ref().filter(|kind| is_said || kind.as_str() != "preference");
    let name = request.topic.as_str();
    let today = context.calendar().day(context.now()).to_string();
    let date = labels::day(content).unwrap_or(&today);
    let placing = Placing {
        kind: kind.map(String::as_str),
        project: project.as_deref(),
        service: service.as_deref(),
        date,
    };
    let is_name = !name.contains('/');
    let placed = is_name.then(|| placement::topic(name, &placing)).flatten();
    Ok(placed.map_or_else(|| Topic::parse(name), Ok)?)
}

/// Normalises a text for saving.
pub(super) fn text(typed: &str) -> Result<String, Error> {
    let limit = RelPath::known("knowledge/any.md").row().limit;
    if typed.len() as u64 > limit {
        return Err(KnowledgeError::TooLong { bytes: typed.len(), limit }.into());
    }
    Ok(validate::body(typed)?)
}

/// Refuses invalid values for `type`, `status` and `temporal`.
pub(super) fn sound(fields: &Fields) -> Result<Fields, Error> {
    let one_of = |key, value: &Option<String>, known: &'static [&'static str]| match value {
        Some(value) if !known.contains(&value.as_str()) => {
            Err(KnowledgeError::NoValue { key, value: value.clone(), known })
        }
        _ => Ok(()),
    };
    one_of("type", &fields.kind, placement::PLACES)?;
    one_of("status", &fields.status, placement::STATUSES)?;
    one_of("time", &fields.temporal, placement::TIMES)?;
    let tags = fields.tags.as_ref().map(|tags| validate::tags(tags)).transpose()?;
    let Fields { title, description, source, project, service, .. } = fields;
    for text in [title, description, source, project, service].into_iter().flatten() {
        if !Foreign(text).is_seen_whole() {
            return Err(KnowledgeError::Field.into());
        }
    }
    let kind = fields.kind.as_deref().map(|kind| placement::label(kind).to_owned());
    Ok(Fields { tags, kind, ..fields.clone() })
}

pub(super) fn words(fields: &Fields) -> impl Iterator<Item = &str> {
    let Fields { title, description, source, project, service, .. } = fields;
    let single = [title, description, source, project, service].into_iter().flatten();
    fields.tags.iter().flatten().chain(single).map(String::as_str)
}

/// The names of people and projects that the store has documents about.
pub(super) fn names(store: &Store) -> Vec<String> {
    let below = |folder: &str| files::names(&store.root.join("knowledge").join(folder));
    let stem =
        |name: String| name.strip_suffix(".md").map_or(name.clone(), str::to_owned).to_lowercase();
    ["people", "projects"].into_iter().flat_map(below).map(stem).collect()
}

/// The document with this text and these fields, without stamps.
pub(super) fn filled(
    topic: &Topic,
    content: &str,
    fields: &Fields,
    before: Option<&PlacedDocument>,
    known: &[&str],
) -> Result<Document, Error> {
    let mut document = match before {
        Some(placed) => placed.document(),
        None => Document::new(""),
    };
    let is_seed = before.is_some_and(|placed| placed.entry.source.as_deref() == Some(SEED));
    // The set of known names may have changed since then.
    let said = before.map_or_else(Vec::new, |placed| {
        let read = |known| labels::read(topic, &placed.entry.text, known);
        let had: Vec<&str> = placed.entry.entities.iter().map(String::as_str).collect();
        let mut said = vec![read(known), read(&[]), read(&had)];
        said.extend(is_seed.then(|| Labels::of(&placed.entry)));
        said
    });
    let says = labels::read(topic, content, known);
    document.set_body(format!("\n{content}\n"));
    let mut set = |key: &str, value: Option<Value>| -> Result<(), Error> {
        let Some(value) = value else { return Ok(()) };
        validate::changeable(&document, key)?;
        if document.get(key) != Some(&value) {
            document.set(key, value);
        }
        Ok(())
    };
    let text = |value: &Option<String>| value.clone().map(Value::Text);
    set("title", text(&fields.title))?;
    set("description", text(&fields.description))?;
    set("tags", fields.tags.clone().map(Value::List))?;
    let source = fields.source.clone().or_else(|| fields.service.clone());
    let usual = (before.is_none() || is_seed).then(|| "user".to_owned());
    set("source", source.or(usual).map(Value::Text))?;
    set("status", text(&fields.status))?;
    set("temporal", text(&fields.temporal))?;
    let entry = before.map(|placed| &placed.entry);
    for (key, value) in read_off(fields, entry, &said, &says) {
        set(key, Some(value))?;
    }
    let is_stale = is_seed && fields.kind.is_none() && says.kind.is_none();
    if is_stale && validate::changeable(&document, "type").is_ok() {
        document.front_mut().remove("type");
    }
    if let (Some(_), Some(_)) = (document.get("checksum"), before) {
        document.set_checksum();
    }
    Ok(document)
}

/// Type, topics and entities: as given, or else from the text unless somebody wrote other values.
fn read_off(
    fields: &Fields,
    before: Option<&DocSummary>,
    said: &[Labels],
    says: &Labels,
) -> Vec<(&'static str, Value)> {
    let mut values = Vec::new();
    let is_own = before.is_some_and(|entry| {
        entry.kind.is_some() && !said.iter().any(|said| entry.kind.as_deref() == said.kind)
    });
    let kind = says.kind.filter(|_| !is_own).map(str::to_owned);
    values.extend(fields.kind.clone().or(kind).map(|kind| ("type", Value::Text(kind))));
    type List = fn(&Labels) -> &Vec<String>;
    let lists: [(&str, Option<&Vec<String>>, List); 2] = [
        ("topics", before.map(|entry| &entry.topics), |labels| &labels.topics),
        ("entities", before.map(|entry| &entry.entities), |labels| &labels.entities),
    ];
    for (key, before, list) in lists {
        let had = before.filter(|before| !before.is_empty());
        let is_own = had.is_some_and(|before| !said.iter().any(|said| list(said) == before));
        if !is_own && (had.is_some() || !list(says).is_empty()) {
            values.push((key, Value::List(list(says).clone())));
        }
    }
    values
}

pub(super) fn stamp(
    document: &mut Document,
    topic: &Topic,
    now: Stamp,
    before: Option<&PlacedDocument>,
) {
    let latest = before.and_then(|placed| placed.entry.latest());
    let now = latest.map_or(now, |latest| now.max(latest.plus(Stamp::SECOND)));
    let is_versioned = topic.namespace() == Namespace::Profile;
    if is_versioned && document.get("version").is_none() {
        document.set("version", Value::Int(1));
    }
    if before.is_none() && !is_versioned {
        document.set("created", Value::Text(now.with_offset()));
    }
    document.set("updated", Value::Text(now.with_offset()));
}

pub(super) fn change(
    path: &RelPath,
    document: &Document,
    before: Option<&PlacedDocument>,
) -> FileChange {
    let before = before.map(|placed| placed.blob.clone());
    FileChange { path: path.clone(), before, after: Some(document.write().into()) }
}
