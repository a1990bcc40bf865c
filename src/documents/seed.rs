//! `knowledge seed`: loads documents from the seed folder of this laptop.
//!
//! Invariant: a file is loaded once; an existing topic is never overwritten, and a deleted one does
//! not come back unasked. A missing folder is not an error.

use super::{
    KnowledgeError, store_documents,
    write::{self, Fields},
};
use crate::identity::{validate, value::Value};
use crate::index::store::Store;
use crate::knowledge::{Topic, added, topic::BadTopic};
use crate::machine::{Context, context::IdentitySource, files, folder, oplog::OpVerb};
use crate::merge::change::{ChangeSet, FileChange};
use crate::secrets::{self, Allowed};
use crate::workspace::{Error, Workspace, guard};
use serde::Serialize;
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Whether to treat files that were loaded before as new.
    pub again: Again,
    pub allowed: Allowed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Again {
    #[default]
    No,
    Yes,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Report {
    pub folder: PathBuf,
    pub loaded: Vec<Topic>,
    /// Topics that exist already.
    pub kept: Vec<Topic>,
    /// Files whose documents were loaded before and deleted since.
    pub deleted: Vec<Topic>,
    /// Files that could not be loaded, and why.
    #[serde(skip)]
    pub refused: Vec<String>,
}

/// A file of the seed folder.
struct Seed {
    name: String,
    topic: Result<Topic, BadTopic>,
    file: PathBuf,
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let mut report = Report { folder: folder_of(ws), ..Report::default() };
    let seeds = seeds(ws);
    if seeds.is_empty() {
        return Ok(report);
    }
    let store = ws.identity()?;
    let write = ws.write(store)?;
    let mut loaded = loaded_before(ws);
    let mut changes = Vec::new();
    for seed in seeds {
        let is_old = loaded.contains(&seed.name) && request.again == Again::No;
        match load(ws, store, &seed, is_old, &request.allowed) {
            Ok((topic, Outcome::New(change))) => {
                changes.push(change);
                report.loaded.push(topic);
                loaded.insert(seed.name);
            }
            Ok((topic, Outcome::Kept)) => {
                report.kept.push(topic);
                loaded.insert(seed.name);
            }
            Ok((topic, Outcome::Deleted)) => report.deleted.push(topic),
            Err(error) => report.refused.push(format!("{}: {error}", seed.name)),
        }
    }
    if !changes.is_empty() {
        let what: Vec<String> = report.loaded.iter().map(Topic::to_string).collect();
        let transaction = write.operation(OpVerb::Seed, what.join(" · "));
        transaction.apply(&ChangeSet::of(changes))?;
    }
    // If the list is lost, every file is considered again, but existing topics are kept.
    let list: String = loaded.iter().map(|name| format!("{name}\n")).collect();
    let _ = files::write_private(&list_of(ws), list.as_bytes());
    Ok(report)
}

enum Outcome {
    New(FileChange),
    Kept,
    Deleted,
}

fn load(
    context: &Context,
    store: &Store,
    seed: &Seed,
    is_old: bool,
    allowed: &Allowed,
) -> Result<(Topic, Outcome), Error> {
    let topic = seed.topic.clone()?;
    let (path, there) = store_documents::find(store, &topic)?;
    if there.is_some() {
        return Ok((topic, Outcome::Kept));
    }
    if is_old {
        return Ok((topic, Outcome::Deleted));
    }
    topic.for_new_file()?;
    store.refuse_link(context, &path)?;
    let (blob, _) = folder::read_file(&path, &seed.file)
        .map_err(|finding| KnowledgeError::UnreadableSeed(finding.message))?;
    let text = std::str::from_utf8(&blob).map_err(|_| KnowledgeError::NotUtf8)?;
    let own = write::arrived(text)?;
    let tags = validate::tags(&own.get("tags").and_then(Value::list).unwrap_or_default())?;
    let content = write::text(own.text())?;
    let labels = added::values(&own);
    let beside: Vec<&str> = labels.iter().map(String::as_str).chain([seed.name.as_str()]).collect();
    guard::refuse_text(&content, &beside, "", allowed, "It was not loaded.")?;
    let content = secrets::marked_text(&content, allowed);
    let title = own.get("title").and_then(Value::text);
    let source = Some(write::SEED.to_owned());
    let fields = Fields { title, tags: Some(tags), source, ..Fields::default() };
    let known = write::names(store);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut document = write::filled(&topic, &content, &fields, None, &known)?;
    added::carry_new(&own, &mut document, None);
    document.set("created", Value::Text(context.now().with_offset()));
    let after = Some(document.write().into());
    Ok((topic, Outcome::New(FileChange { path, before: None, after })))
}

/// Number of files in the seed folder that were never loaded.
pub(super) fn waiting(ws: &Workspace) -> usize {
    let seeds = seeds(ws);
    if seeds.is_empty() {
        return 0;
    }
    let loaded = loaded_before(ws);
    seeds.iter().filter(|seed| seed.topic.is_ok() && !loaded.contains(&seed.name)).count()
}

fn folder_of(context: &Context) -> PathBuf {
    context.config_dir.join("seed-knowledge")
}

fn seeds(context: &Context) -> Vec<Seed> {
    // What lies beside the settings is the person's own, and none of a layer's.
    if context.identity.source == IdentitySource::Layer {
        return Vec::new();
    }
    let folder = folder_of(context);
    let seed = |name: String| {
        let stem = name.strip_suffix(".md").filter(|stem| !stem.starts_with('.'))?;
        let topic = Topic::parse(stem);
        Some(Seed { topic, file: folder.join(&name), name })
    };
    files::names(&folder).into_iter().filter_map(seed).collect()
}

/// The list of files that were loaded on this laptop.
fn list_of(ws: &Workspace) -> PathBuf {
    ws.identity_place().state.join("seeded")
}

fn loaded_before(ws: &Workspace) -> BTreeSet<String> {
    let list = files::read_text(&list_of(ws)).ok().flatten().unwrap_or_default();
    list.lines().map(str::to_owned).collect()
}
