//! `memory edit`: changes the text or tags of a memory, which keeps its identity.

use super::{
    brought::Brought,
    show, superseding,
    timing::{self, Timing, TypedTimes},
};
use crate::identity::{
    ContentHash, FactView, Memory, Stamp, handle::Shared, incoming, validate, value::Value,
};
use crate::index::store::{PlacedFact, Scope, Store};
use crate::machine::oplog::OpVerb;
use crate::merge::change::{self, ChangeSet, FieldChange, FileChange};
use crate::secrets::{self, Allowed};
use crate::workspace::{Error, ErrorKind, Oddities, VerbError, Workspace, guard, named};
use serde::Serialize;

/// `None` leaves a field as it is.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub handle: String,
    pub scope: Option<Scope>,
    pub text: Option<String>,
    /// The content hash of the text that was edited, to detect a concurrent change.
    pub based_on: Option<String>,
    /// All tags that it shall have.
    pub tags: Option<Vec<String>>,
    /// Tags that come to those that it has.
    pub add_tags: Vec<String>,
    /// Tags that it loses.
    pub remove_tags: Vec<String>,
    /// Who said it.
    pub source: Option<String>,
    /// When it holds, and what it replaces.
    pub times: TypedTimes,
    pub allowed: Allowed,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub fact: FactView,
    /// The summary before the edit.
    pub was: String,
    /// The handle before the edit, which may no longer be one.
    pub was_handle: String,
    pub changed: bool,
    /// What changed besides the text: `tags: oncall → oncall, berlin`.
    pub fields: Vec<FieldChange>,
    /// Tags to remove that it did not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_tags: Vec<String>,
    /// The facts that it replaces from now on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<FactView>,
    /// What the text brought along.
    #[serde(flatten)]
    pub brought: Brought,
}

/// Why a memory was not edited.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("fact {handle} changed while you were editing it; nothing was written")]
    Outdated { handle: String },
    #[error("fact {handle} already says this")]
    Same {
        handle: String,
        /// Whether that one holds, so that readers are shown it.
        holds: bool,
    },
    #[error("the tag `{tag}` would be both added and removed; nothing was changed")]
    AddedAndRemoved { tag: String },
}

impl VerbError for EditError {
    fn kind(&self) -> ErrorKind {
        match self {
            EditError::Outdated { .. } => ErrorKind::Busy,
            EditError::Same { .. } => ErrorKind::Refused,
            EditError::AddedAndRemoved { .. } => ErrorKind::Invalid,
        }
    }
}

/// The text to open in an editor, and its content hash.
pub fn text(ws: &Workspace, handle: &str, scope: Option<Scope>) -> Result<(String, String), Error> {
    let (_, placed) = show::find(ws, handle, scope)?;
    Ok((placed.memory.text().to_owned(), placed.memory.hash.to_string()))
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    // A person had the text in an editor: it is long since the other facts were looked at.
    if request.based_on.is_some() {
        ws.forget_compared();
    }
    let (store, _) = show::find(ws, &request.handle, request.scope)?;
    let write = ws.write_found(&store)?;
    let (_, found) = show::find(ws, &request.handle, request.scope)?;
    refuse_outdated(request, &found)?;
    let memory = &found.memory;
    let arrived = Arrived::read(request, memory)?;
    let timing = Timing::read(ws, &request.times, &store)?;
    refuse(request, memory, &arrived, &timing)?;
    let Arrived { text, tags, own_tags, left_out } = arrived;
    let known = memory.text().to_owned();
    let text = text.map(|text| secrets::marked_text(&text, &request.allowed));
    refuse_double(ws, &store, &found, text.as_deref())?;
    let updated = ws.now().max(memory.latest().plus(Stamp::SECOND));
    let updated = updated.max(timing.said_after(ws.calendar()).unwrap_or(updated));
    let edited = memory.edited(|document| {
        if let Some(text) = text.filter(|text| text != document.text()) {
            document.set_body(format!("\n{text}\n"));
        }
        if let Some(tags) = &tags {
            document.set("tags", Value::List(tags.clone()));
        }
        if let Some(source) = &request.source {
            document.set("source", Value::Text(source.clone()));
        }
        timing.write_changed(document, updated);
    });
    timing::refuse_never(edited.times.as_deref(), ws.calendar())?;
    let mut fields = change::changed(memory, &edited);
    named::name_fields(ws, fields.iter_mut());
    let is_edited = edited.hash != memory.hash || edited.tags != memory.tags;
    // What replaces others is said again, even if it replaced them before.
    let changed = is_edited || !fields.is_empty() || !timing.replaced().is_empty();
    let edited = if changed { stamped(&edited, updated) } else { memory.clone() };
    let shared = named::shared(ws, &found);
    if changed {
        validate::file(&edited.blob)?;
        let own = FileChange::replacing(memory, edited.blob.clone());
        let others = superseding::following(ws, &store, (memory, &edited), &timing.hashes());
        let change = ChangeSet::of([own].into_iter().chain(others).collect());
        write.operation(OpVerb::Edit, edited.summary()).apply(&change)?;
    }
    let oddities = Oddities::of(&known, edited.text());
    let missing_tags = missing(request, memory);
    let replaced: Vec<&PlacedFact> = timing.replaced().iter().collect();
    let replaces = if replaced.is_empty() { Vec::new() } else { named::views(ws, &replaced) };
    let report = report(ws, &found, &store.place(edited), shared);
    let check_passed = timing.check_passed(ws);
    let brought = Brought { own_tags, left_out, oddities, check_passed };
    Ok(Report { changed, fields, missing_tags, replaces, brought, ..report })
}

/// Fails if something of it must not be in a fact, or cannot be written into its file.
fn refuse(
    request: &Request,
    memory: &Memory,
    arrived: &Arrived,
    timing: &Timing,
) -> Result<(), Error> {
    let document = memory.document();
    if arrived.tags.is_some() {
        validate::changeable(&document, "tags")?;
    }
    if request.source.is_some() {
        validate::changeable(&document, "source")?;
    }
    timing.refuse(memory.hash, &document)?;
    let new = arrived.tags.iter().flatten().filter(|tag| !memory.tags.contains(tag));
    let new = new.chain(&request.source);
    let beside: Vec<&str> = new.map(String::as_str).collect();
    guard::refuse_text(
        arrived.text.as_deref().unwrap_or_default(),
        &beside,
        memory.text(),
        &request.allowed,
        "Nothing was changed.",
    )
}

/// `shared` says whether the number means another fact, too.
fn report(ws: &Workspace, found: &PlacedFact, edited: &PlacedFact, shared: Shared) -> Report {
    Report {
        fact: edited.view(shared, ws.calendar()),
        was: found.memory.summary(),
        was_handle: found.memory.handle(found.scope, shared),
        changed: false,
        fields: Vec::new(),
        missing_tags: Vec::new(),
        replaces: Vec::new(),
        brought: Brought::default(),
    }
}

/// What the fact gets, apart from the frontmatter that the text brought along.
struct Arrived {
    text: Option<String>,
    tags: Option<Vec<String>>,
    /// Those of the tags that the text added.
    own_tags: Vec<String>,
    left_out: Vec<String>,
}

impl Arrived {
    /// The text's own tags come in addition to those that the fact has, or is given.
    fn read(request: &Request, memory: &Memory) -> Result<Arrived, Error> {
        // What the fact has already is text, even if it begins with dashes.
        let typed = request.text.as_deref().filter(|typed| *typed != memory.text());
        let own = typed.map(incoming::fact).unwrap_or_default();
        let text = typed.map(|_| own.text.as_str()).or(request.text.as_deref());
        let mut tags = wanted_tags(request, memory)?;
        let mut own_tags = validate::tags(&own.tags)?;
        if !own_tags.is_empty() {
            let all = tags.get_or_insert_with(|| memory.tags.clone());
            own_tags.retain(|tag| !all.contains(tag));
            all.extend(own_tags.iter().cloned());
        }
        let text = text.map(validate::text).transpose()?;
        Ok(Arrived { text, tags, own_tags, left_out: own.left_out })
    }
}

/// All tags that the fact shall have; `None` if they stay as they are.
fn wanted_tags(request: &Request, memory: &Memory) -> Result<Option<Vec<String>>, Error> {
    let given = request.tags.as_deref().map(validate::tags).transpose()?;
    let added = validate::tags(&request.add_tags)?;
    let removed = validate::tags(&request.remove_tags)?;
    if let Some(tag) = added.iter().find(|tag| removed.contains(tag)) {
        return Err(EditError::AddedAndRemoved { tag: tag.clone() }.into());
    }
    if added.is_empty() && removed.is_empty() {
        return Ok(given);
    }
    let mut tags = given.unwrap_or_else(|| memory.tags.clone());
    // Whoever writes the file by hand can put a comma into a tag.
    tags.retain(|tag| !removed.contains(tag) && !request.remove_tags.contains(tag));
    let new: Vec<String> = added.into_iter().filter(|tag| !tags.contains(tag)).collect();
    tags.extend(new);
    Ok(Some(tags))
}

/// The tags to remove that the fact does not have.
fn missing(request: &Request, memory: &Memory) -> Vec<String> {
    let typed = request.remove_tags.iter().filter(|typed| !memory.tags.contains(typed));
    let typed: Vec<String> = typed.cloned().collect();
    let removed = validate::tags(&typed).unwrap_or_default();
    removed.into_iter().filter(|tag| !memory.tags.contains(tag)).collect()
}

/// Fails if the memory changed while an editor was open.
fn refuse_outdated(request: &Request, found: &PlacedFact) -> Result<(), Error> {
    let hash = found.memory.hash.to_string();
    if request.based_on.as_ref().is_none_or(|based_on| *based_on == hash) {
        return Ok(());
    }
    Err(EditError::Outdated { handle: request.handle.clone() }.into())
}

fn stamped(memory: &Memory, updated: Stamp) -> Memory {
    memory.edited(|document| {
        let hash = document.hash();
        document.set("checksum", Value::Text(hash.to_string()));
        document.set("updated", Value::Text(updated.with_offset()));
    })
}

fn refuse_double(
    ws: &Workspace,
    store: &Store,
    found: &PlacedFact,
    text: Option<&str>,
) -> Result<(), Error> {
    let Some(text) = text else { return Ok(()) };
    let hash = ContentHash::of_body(text);
    let mut known = named::facts_with(hash, store, ws).into_iter();
    match known.find(|other| other.memory.path != found.memory.path) {
        Some(other) => {
            let handle = other.memory.handle(other.scope, named::shared(ws, &other));
            let holds = show::held(ws, store, &other.memory).standing.is_none();
            Err(EditError::Same { handle, holds }.into())
        }
        None => Ok(()),
    }
}
