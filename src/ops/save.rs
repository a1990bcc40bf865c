//! `memory save`: one fact, one file.
//!
//! Invariant: its cost does not grow with the number of memories; a known text is touched, not doubled; nothing is overwritten.

use super::{
    Exit, Failure, guard,
    store::{Scope, Store},
};
use crate::identity::{
    ContentHash, Memory, RelPath, Stamp,
    document::MAX_MEMORY_BYTES,
    hash,
    ledger::Ledger,
    memory,
    path::LEDGER,
    secrets::{self, Allowed},
    slug,
    value::Value,
};
use crate::merge::change::{ChangeSet, FileChange};
use crate::system::{Machine, files, known::Known};
use serde::Serialize;
use std::path::PathBuf;

/// A fact to save.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The text.
    pub text: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Where it belongs; by default the project when inside one.
    pub scope: Option<Scope>,
    /// Who said it.
    pub source: Option<String>,
    /// Rules of the secret scanner that a person overrides.
    pub allowed: Allowed,
}

/// What was saved.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Its number.
    pub id: u64,
    /// Its content hash.
    pub hash: String,
    /// Its scope.
    pub scope: Scope,
    /// Its file's name.
    pub filename: String,
    /// Its file.
    pub path: PathBuf,
    /// Whether the text was known already and only touched.
    pub known: bool,
    /// Whether this is the first fact in a project, whose repository others may read.
    pub first_in_project: bool,
}

/// Saves a fact.
///
/// # Errors
/// [`Exit::Usage`] for a text that is empty or too long, [`Exit::NotSetUp`] without an identity, [`Exit::Refused`] for a secret in it.
pub fn run(machine: &Machine, request: &Request) -> Result<Report, Failure> {
    let text = hash::canonical_trim(&request.text).replace("\r\n", "\n");
    refuse_unfit(&text)?;
    let beside: Vec<&str> = request.tags.iter().chain(&request.source).map(String::as_str).collect();
    guard::refuse_text(&text, &beside, "", &request.allowed, "Nothing was saved.")?;
    // What was allowed once is allowed at every door from now on.
    let text = secrets::marked_text(&text, &request.allowed);
    let store = Store::to_write(machine, request.scope)?;
    super::sync::recover(machine);
    let _lock = store.lock()?;
    let hash = ContentHash::of_body(&text);
    let mut known = Known::open(&machine.state_dir(&store.root).join("known"), &store.root).ok();
    if known.as_ref().is_none_or(|known| known.has(&hash)) {
        let same = store.memories().0.into_iter().find(|placed| placed.memory.hash == hash);
        if let Some(placed) = same {
            return touch(machine, &store, &placed.memory, &request.tags);
        }
    }
    let first = known.as_ref().map_or_else(|| highest(&store), |known| known.next_id() - 1);
    let created = after_forget(machine.now(), &store, hash)?;
    let source = request.source.as_deref().unwrap_or("user-told");
    let (id, path, blob) = create(&store, first + 1, created, request, source, &text)?;
    if let Some(known) = &mut known {
        let _ = known.add(id, &hash);
    }
    let change = FileChange { path: path.clone(), before: None, after: Some(blob) };
    store.note(machine, "save", first_line(&text), &ChangeSet { files: vec![change], decisions: Vec::new() });
    let first_in_project = store.scope == Scope::Project && first == 0;
    Ok(report(&store, id, hash, &path, false, first_in_project))
}

fn refuse_unfit(text: &str) -> Result<(), Failure> {
    if text.is_empty() {
        return Err(Failure::new(Exit::Usage, "there is no text to save").hint("write it behind the command, or pipe it in with `co memory save -`"));
    }
    if text.len() > MAX_MEMORY_BYTES {
        let message = format!("the text has {} bytes; a memory holds one fact of at most 1 MiB", text.len());
        return Err(Failure::new(Exit::Usage, message).hint("long texts belong into a document under knowledge/articles/"));
    }
    if crate::identity::check::marker_line(text.as_bytes()).is_some() {
        return Err(
            Failure::new(Exit::Usage, "git's conflict markers stand in the text, and sync would hold it back").hint("indent them, or leave them out")
        );
    }
    if text.contains('\0') {
        return Err(Failure::new(Exit::Usage, "the text holds a NUL character"));
    }
    Ok(())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(80).collect()
}

fn highest(store: &Store) -> u64 {
    store.memories().0.iter().filter_map(|placed| placed.memory.id).max().unwrap_or(0)
}

/// Learning again is later than the forgetting.
fn after_forget(now: Stamp, store: &Store, hash: ContentHash) -> Result<Stamp, Failure> {
    let ledger = files::read(&store.root.join(LEDGER))?.map(|bytes| Ledger::read(&bytes)).unwrap_or_default();
    Ok(ledger.of_text(hash).map_or(now, |stamp| now.max(stamp.plus(Stamp::SECOND))))
}

type Created = (u64, RelPath, crate::identity::Blob);

fn create(store: &Store, first: u64, created: Stamp, request: &Request, source: &str, text: &str) -> Result<Created, Failure> {
    let mut id = first;
    loop {
        let path = slug::memory_path(id, text);
        let file = memory::new_file(id, created, &clean_tags(&request.tags), source, text);
        if let Err(unusable) = Memory::read(&path, &file.as_bytes().into()) {
            return Err(Failure::new(Exit::Usage, format!("the memory could not be read back: {}", unusable.finding(&path).message))
                .hint("shorten the text or the tags"));
        }
        if files::write_new(&store.root.join(path.as_str()), file.as_bytes())? {
            return Ok((id, path, file.into_bytes().into()));
        }
        id += 1;
    }
}

fn clean_tags(tags: &[String]) -> Vec<String> {
    let mut clean: Vec<String> = Vec::new();
    for tag in tags.iter().flat_map(|tags| tags.split(',')).map(str::trim).filter(|tag| !tag.is_empty()) {
        if !clean.iter().any(|known| known == tag) {
            clean.push(tag.to_owned());
        }
    }
    clean
}

/// A text that is known: the tags are united and the memory gets a later stamp, so that a forget elsewhere does not take it.
fn touch(machine: &Machine, store: &Store, memory: &Memory, tags: &[String]) -> Result<Report, Failure> {
    let updated = after_forget(machine.now(), store, memory.hash)?.max(memory.latest().plus(Stamp::SECOND));
    let mut all = memory.tags.clone();
    all.extend(clean_tags(tags).into_iter().filter(|tag| !memory.tags.contains(tag)));
    let touched = memory.edited(|document| {
        if all.len() > memory.tags.len() {
            document.set("tags", Value::List(all));
        }
        document.set("updated", Value::Text(updated.with_offset()));
    });
    files::write(&store.root.join(memory.path.as_str()), &touched.blob)?;
    let change = FileChange { path: memory.path.clone(), before: Some(memory.blob.clone()), after: Some(touched.blob) };
    store.note(machine, "save", memory.summary(), &ChangeSet { files: vec![change], decisions: Vec::new() });
    Ok(report(store, memory.id.unwrap_or(0), memory.hash, &memory.path, true, false))
}

fn report(store: &Store, id: u64, hash: ContentHash, path: &RelPath, known: bool, first_in_project: bool) -> Report {
    Report {
        id,
        hash: hash.to_string(),
        scope: store.scope,
        filename: path.name().to_owned(),
        path: store.shown.join(path.as_str()),
        known,
        first_in_project,
    }
}
