//! `knowledge move` and `knowledge migrate`: moves documents to other topics, and updates links.
//!
//! Invariant: one change set, shown before it is made and undone as one. An existing topic is never
//! overwritten, and links to a moved document are updated.

use super::{
    KnowledgeError, common_folder, listed, not_found,
    store_documents::{self, PlacedDocument, StoreDocuments},
};
use crate::identity::{Blob, Document, RelPath, Stamp, value::Value};
use crate::index::store::{Scope, Store};
use crate::knowledge::{
    DocSummary, Topic, added,
    links::{Following, Moves},
    migrate,
};
use crate::machine::{Context, files, folder, oplog::OpVerb};
use crate::merge::change::{ChangeSet, FileChange};
use crate::workspace::{Error, Workspace, transaction::TransactionError};
use serde::Serialize;
use std::collections::BTreeMap;

/// What to move.
#[derive(Clone, Debug)]
pub enum Request {
    /// A document, or a folder of them, to another topic or folder.
    Move { from: String, to: String, scope: Option<Scope> },
    /// All documents at the top level, to the folders where they belong.
    Migrate { scope: Option<Scope> },
}

/// A document to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Moved {
    pub from: Topic,
    pub to: Topic,
    /// In a migration, what decided its new place.
    pub why: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Plan {
    store: Store,
    verb: OpVerb,
    moved: Vec<Moved>,
    /// Documents without any hint of where they belong.
    stay: Vec<Topic>,
    change: ChangeSet,
    /// Files in which links are updated, besides the moved documents.
    followed: Vec<RelPath>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub moved: Vec<Moved>,
    pub stay: Vec<Topic>,
    /// Files in which links to these documents were changed.
    pub links: Vec<RelPath>,
}

impl Plan {
    pub fn report(&self) -> Report {
        let (moved, stay) = (self.moved.clone(), self.stay.clone());
        Report { moved, stay, links: self.followed.clone() }
    }
}

pub fn plan(ws: &Workspace, request: &Request) -> Result<Plan, Error> {
    let (verb, scope) = match request {
        Request::Move { scope, .. } => (OpVerb::Move, scope),
        Request::Migrate { scope } => (OpVerb::Migrate, scope),
    };
    let store = match request {
        Request::Move { from, .. } => store_of(ws, from, *scope)?,
        Request::Migrate { .. } => ws.to_write(*scope)?,
    };
    let stored = StoreDocuments::read(store.clone());
    let (moved, stay) = match request {
        Request::Move { from, to, .. } => (named(&stored, from, to)?, Vec::new()),
        Request::Migrate { .. } => {
            let entries: Vec<DocSummary> =
                stored.documents.iter().map(|placed| placed.entry.clone()).collect();
            let (moves, stay) = migrate::plan(&entries, ws.calendar());
            let moved =
                |made: migrate::Move| Moved { from: made.from, to: made.to, why: Some(made.why) };
            (moves.into_iter().map(moved).collect(), stay)
        }
    };
    let (change, followed) = changes(ws, &stored, &moved)?;
    Ok(Plan { store, verb, moved, stay, change, followed })
}

/// Fails if a file changed since the plan was made.
pub fn apply(ws: &Workspace, plan: &Plan) -> Result<Report, Error> {
    if plan.moved.is_empty() {
        return Ok(plan.report());
    }
    let write = ws.write(&plan.store)?;
    for file in &plan.change.files {
        let there = folder::read_file(&file.path, &plan.store.root.join(file.path.as_str()));
        if there.ok().map(|(blob, _)| blob) != file.before {
            return Err(TransactionError::Changed { what: file.path.to_string() }.into());
        }
    }
    let what = described(&plan.moved);
    write.operation(plan.verb.clone(), what).apply(&plan.change)?;
    Ok(plan.report())
}

/// A short description of the moves.
fn described(moved: &[Moved]) -> String {
    const MAX: usize = 5;
    if moved.len() > MAX {
        let (from, to): (Vec<Topic>, Vec<Topic>) =
            moved.iter().map(|one| (one.from.clone(), one.to.clone())).unzip();
        return format!("{} → {}", listed(&from), common_folder(&to));
    }
    let what = |moved: &Moved| format!("{} → {}", moved.from, moved.to);
    moved.iter().map(what).collect::<Vec<_>>().join(" · ")
}

/// The store that contains the document or folder.
fn store_of(ws: &Workspace, from: &str, scope: Option<Scope>) -> Result<Store, Error> {
    let topic = Topic::parse(from)?;
    if topic.file().is_none() {
        return Err(store_documents::own_manual(&topic));
    }
    let mut all_stored = StoreDocuments::all(ws, scope)?;
    all_stored.sort_by_key(|stored| stored.store.scope.distance());
    let has = |stored: &&StoreDocuments| !at_or_below(stored, &topic).is_empty();
    if let Some(stored) = all_stored.iter().find(has) {
        return Ok(stored.store.clone());
    }
    let known: Vec<PlacedDocument> =
        all_stored.into_iter().flat_map(|stored| stored.documents).collect();
    Err(not_found(&topic, &known))
}

/// The document with this topic, or else those below it, including any with broken frontmatter.
fn at_or_below(stored: &StoreDocuments, topic: &Topic) -> Vec<Topic> {
    let all: Vec<Topic> = stored.texts().filter_map(|(path, _)| Topic::of(path)).collect();
    if all.contains(topic) {
        return vec![topic.clone()];
    }
    let folder = format!("{}/", topic.full());
    all.into_iter().filter(|topic| topic.full().starts_with(&folder)).collect()
}

fn named(stored: &StoreDocuments, from: &str, to: &str) -> Result<Vec<Moved>, Error> {
    let topic = Topic::parse(from)?;
    let topics = at_or_below(stored, &topic);
    // `people/` is a folder: the document keeps its name.
    let target = if to.ends_with('/') {
        Topic::parse(&format!("{to}{}", topic.name()))?
    } else {
        Topic::parse(to)?
    };
    if target.file().is_none() {
        return Err(store_documents::read_only(&target));
    }
    let moved = |from: Topic| {
        let rest = from.full()[topic.full().len()..].to_owned();
        let to = Topic::parse(&format!("{}{rest}", target.full()))?;
        to.for_new_file()?;
        Ok(Moved { from, to, why: None })
    };
    topics.into_iter().map(moved).collect()
}

/// The changed files: documents at their new paths, and files with updated links.
fn changes(
    context: &Context,
    stored: &StoreDocuments,
    moved: &[Moved],
) -> Result<(ChangeSet, Vec<RelPath>), Error> {
    let mut moves = Moves::new();
    for one in moved {
        let (Some(from), Some(to)) = (one.from.file(), one.to.file()) else { continue };
        if from != to {
            refuse_taken(context, stored, &one.to, &to, &moves)?;
            moves.insert(from, to);
        }
    }
    let following = Following::new(moves, stored.names());
    let moves = following.moves();
    let (mut files, mut followed) = (BTreeMap::new(), Vec::new());
    for (path, blob) in linking(stored) {
        let to = moves.get(&path).unwrap_or(&path);
        let text = std::str::from_utf8(&blob).ok();
        let after = text.and_then(|text| following.text(text, &path, to));
        let has_moved = to != &path;
        let is_document = Topic::of(to).is_some();
        let after = match (after, has_moved) {
            (None, false) => continue,
            (None, true) => blob.clone(),
            (Some(text), _) if is_document => {
                restamped(&blob, &text, context.now()).unwrap_or(text).into()
            }
            (Some(text), _) => text.into(),
        };
        if has_moved {
            let gone = FileChange { path: path.clone(), before: Some(blob.clone()), after: None };
            files.insert((1, path.clone()), gone);
        } else {
            followed.push(path.clone());
        }
        let before = (!has_moved).then(|| blob.clone());
        files.insert((0, to.clone()), FileChange { path: to.clone(), before, after: Some(after) });
    }
    // New files are written before old ones are removed.
    let files = files.into_values().collect();
    Ok((ChangeSet { files, ..ChangeSet::default() }, followed))
}

/// Sets a later stamp, so that the updated links win over the old ones on other laptops.
fn restamped(was: &Blob, text: &str, now: Stamp) -> Option<String> {
    let mut document = added::with_links(&Document::read(was).ok()?, text)?;
    if document.get("updated").is_some() {
        document.set("updated", Value::Text(now.with_offset()));
    }
    Some(document.write())
}

fn refuse_taken(
    context: &Context,
    stored: &StoreDocuments,
    topic: &Topic,
    to: &RelPath,
    moves: &Moves,
) -> Result<(), Error> {
    stored.store.refuse_link(context, to)?;
    let is_taken = files::exists(&stored.store.root.join(to.as_str()))
        || moves.values().any(|other| other.folded() == to.folded());
    if !is_taken { Ok(()) } else { Err(KnowledgeError::Taken { topic: topic.clone() }.into()) }
}

/// Every text of the store that may contain links: documents, and the files that are always loaded.
fn linking(stored: &StoreDocuments) -> Vec<(RelPath, Blob)> {
    let documents = stored.texts().map(|(path, blob)| (path.clone(), blob.clone()));
    let others = ["profile.md", "personality.md", crate::identity::kind::CONTEXT];
    let read = |path: &str| {
        let path = RelPath::known(path);
        let (blob, _) = folder::read_file(&path, &stored.store.root.join(path.as_str())).ok()?;
        Some((path, blob))
    };
    documents.chain(others.into_iter().filter_map(read)).collect()
}
