//! `knowledge delete`: deletes documents by topic, or all that match a filter; without a topic,
//! what others wrote is left alone unless `--layer` names it.
//!
//! Invariant: a plan first; logged before anything is deleted. The original of a document, the file
//! that it was made from, goes with it, unless another document refers to it or a document of the
//! store cannot be read.

use super::{
    KnowledgeError,
    list::Among,
    show,
    store_documents::{self, PlacedDocument, StoreDocuments},
};
use crate::identity::{Blob, Document, RelPath, Stamp, memory::stamp_of};
use crate::index::store::{Scope, Store};
use crate::knowledge::{Topic, links, original};
use crate::machine::{Context, SystemError, folder, oplog::OpVerb};
use crate::merge::change::{ChangeSet, FileChange};
use crate::workspace::{Error, Workspace, each_once, ledger, transaction::TransactionError};
use serde::Serialize;
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub topics: Vec<String>,
    /// Without a topic: all documents that match.
    pub among: Among,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Deleted {
    pub topic: Topic,
    pub name: String,
    pub scope: Scope,
    pub path: PathBuf,
}

#[derive(Clone, Debug)]
pub struct Plan {
    found: Vec<(Store, PlacedDocument)>,
}

impl Plan {
    pub fn deletes(&self) -> Vec<Deleted> {
        let deleted = |(_, placed): &(Store, PlacedDocument)| Deleted {
            topic: placed.entry.topic.clone(),
            name: placed.entry.name.clone(),
            scope: placed.scope,
            path: placed.file.clone(),
        };
        self.found.iter().map(deleted).collect()
    }
}

pub fn plan(ws: &Workspace, request: &Request) -> Result<Plan, Error> {
    let Among { scope, .. } = request.among;
    let mut found = Vec::new();
    for typed in &request.topics {
        let topic = Topic::parse(typed)?;
        if topic.file().is_none() {
            return Err(store_documents::own_manual(&topic));
        }
        let one = show::find(ws, &topic, scope)?;
        store_documents::refuse_locked(&one.1)?;
        found.push(one);
    }
    if request.topics.is_empty() {
        // What others wrote is deleted by its topic only.
        let is_own = |stored: &StoreDocuments| {
            !stored.store.is_of_others() || ws.only == Some(stored.store.scope)
        };
        for stored in StoreDocuments::all(ws, scope)?.into_iter().filter(is_own) {
            let is_meant = |placed: &PlacedDocument| request.among.has(&placed.entry);
            let wanted: Vec<PlacedDocument> =
                stored.documents.into_iter().filter(is_meant).collect();
            wanted.iter().try_for_each(store_documents::refuse_locked)?;
            found.extend(wanted.into_iter().map(|placed| (stored.store.clone(), placed)));
        }
    }
    if found.is_empty() {
        return Err(KnowledgeError::NothingMeant.into());
    }
    let mut seen = BTreeSet::new();
    found.retain(|(_, placed)| seen.insert(placed.file.clone()));
    Ok(Plan { found })
}

pub fn apply(ws: &Workspace, plan: &Plan) -> Result<Vec<Deleted>, Error> {
    for store in each_once(plan.found.iter().map(|(store, _)| store)) {
        let of_store = plan.found.iter().filter(|(of, _)| of.root == store.root);
        let documents: Vec<&PlacedDocument> = of_store.map(|(_, placed)| placed).collect();
        let write = ws.write(store)?;
        for placed in &documents {
            store.refuse_link(ws, &placed.path)?;
        }
        let mut files: Vec<FileChange> = Vec::new();
        for placed in &documents {
            // Read again, under the lock.
            let (_, now) = store_documents::find(store, &placed.entry.topic)?;
            match now {
                Some(now) if now.blob == placed.blob => files.push(gone(now.path, now.blob)),
                _ => {
                    let topic = &placed.entry.topic;
                    return Err(TransactionError::Changed { what: topic.to_string() }.into());
                }
            }
        }
        files.extend(originals(store, &documents));
        if store.scope != Scope::Project {
            files.extend(ledger_lines(ws, store, &documents)?);
        }
        let what: Vec<String> =
            documents.iter().map(|placed| placed.entry.topic.to_string()).collect();
        write.operation(OpVerb::Delete, what.join(" · ")).apply(&ChangeSet::of(files))?;
    }
    Ok(plan.deletes())
}

/// Prevents an old export from bringing them back.
fn ledger_lines(
    context: &Context,
    store: &Store,
    deleted: &[&PlacedDocument],
) -> Result<Option<FileChange>, SystemError> {
    ledger::with(store, |ledger| {
        for placed in deleted {
            let Ok(document) = Document::read(&placed.blob) else { continue };
            let last = stamp_of(&document, "updated").map(|last| last.plus(Stamp::SECOND));
            let stamp = last.map_or(context.now(), |last| last.max(context.now()));
            ledger.add_document(placed.path.clone(), document.hash(), stamp);
        }
    })
}

fn gone(path: RelPath, blob: Blob) -> FileChange {
    FileChange { path, before: Some(blob), after: None }
}

/// The originals that no other document refers to.
fn originals(store: &Store, deleted: &[&PlacedDocument]) -> Vec<FileChange> {
    let named = |placed: &PlacedDocument| original(placed.entry.attachment.as_deref()?);
    let mut wanted: BTreeSet<RelPath> = deleted.iter().filter_map(|placed| named(placed)).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let stored = StoreDocuments::read(store.clone());
    // An unreadable document may refer to any of them.
    if !stored.findings.is_empty() {
        return Vec::new();
    }
    let names = stored.names();
    let is_deleted = |placed: &PlacedDocument| deleted.iter().any(|gone| gone.path == placed.path);
    for other in stored.documents.iter().filter(|placed| !is_deleted(placed)) {
        let text = String::from_utf8_lossy(&other.blob);
        let linked = links::linked(&text, &other.path, &names);
        for path in named(other).into_iter().chain(linked) {
            wanted.remove(&path);
        }
    }
    let read = |path: RelPath| {
        let (blob, _) = folder::read_file(&path, &store.root.join(path.as_str())).ok()?;
        Some(gone(path, blob))
    };
    wanted.into_iter().filter_map(read).collect()
}
