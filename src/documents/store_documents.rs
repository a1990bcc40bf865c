//! The documents of a store.
//!
//! Invariant: a bad file affects only itself. A topic means the file with exactly its name, or else
//! the one with the same name on a case-insensitive file system.

use super::KnowledgeError;
use crate::identity::{Blob, Document, Finding, RelPath, document::Broken};
use crate::index::store::{Scope, Store};
use crate::knowledge::{DocSummary, Topic, names::Names};
use crate::machine::{files, folder};
use crate::workspace::{Error, Workspace};
use rayon::prelude::*;
use std::path::PathBuf;

/// A document with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedDocument {
    pub entry: DocSummary,
    pub scope: Scope,
    pub path: RelPath,
    pub blob: Blob,
    /// The path for messages.
    pub file: PathBuf,
}

impl PlacedDocument {
    pub(super) fn document(&self) -> Document {
        Document::read(&self.blob).expect("because this document was read from the same bytes")
    }
}

/// A document, parsed if its frontmatter can be read.
type Read = (RelPath, Blob, Result<DocSummary, Broken>);

pub(super) struct StoreDocuments {
    pub(super) store: Store,
    /// Sorted by path.
    pub(super) documents: Vec<PlacedDocument>,
    /// Documents with broken frontmatter: they have text, but no fields.
    broken: Vec<(RelPath, Blob)>,
    pub(super) findings: Vec<Finding>,
}

impl StoreDocuments {
    pub(super) fn read(store: Store) -> StoreDocuments {
        let listing = store.document_listing();
        let mut findings = listing.findings;
        let read = |listed: &folder::Listed| {
            let (blob, _) = folder::read_file(&listed.path, &listed.file)?;
            let entry =
                DocSummary::read(&listed.path, &blob).expect("because only documents are listed");
            Ok((listed.path.clone(), blob, entry))
        };
        let all: Vec<Result<Read, Finding>> = listing.files.par_iter().map(read).collect();
        let (mut documents, mut broken) = (Vec::with_capacity(all.len()), Vec::new());
        for one in all {
            match one {
                Ok((path, blob, Ok(entry))) => {
                    let file = path.below(&store.shown);
                    documents.push(PlacedDocument { entry, scope: store.scope, path, blob, file });
                }
                Ok((path, blob, Err(why))) => {
                    findings.push(why.finding(&path));
                    broken.push((path, blob));
                }
                Err(finding) => findings.push(finding),
            }
        }
        StoreDocuments { store, documents, broken, findings }
    }

    /// The bytes of every document, including broken ones.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&RelPath, &Blob)> {
        let read = self.documents.iter().map(|placed| (&placed.path, &placed.blob));
        read.chain(self.broken.iter().map(|(path, blob)| (path, blob)))
    }

    /// The names that links use for the store's files.
    pub(super) fn names(&self) -> Names {
        let aliases = |path: &RelPath| {
            let placed = self.documents.binary_search_by(|placed| placed.path.cmp(path));
            placed.map_or_else(|_| Vec::new(), |at| self.documents[at].entry.aliases.clone())
        };
        let files = folder::list(&self.store.root, "").files.into_iter();
        let files = files.filter(|file| !file.path.is_hidden());
        Names::from_files(files.map(|file| (file.path.clone(), aliases(&file.path))))
    }

    /// From the given scope, or from all: the identity first, then the projects.
    pub(super) fn all(ws: &Workspace, scope: Option<Scope>) -> Result<Vec<StoreDocuments>, Error> {
        let stores = ws.to_read(scope)?;
        Ok(stores.into_iter().map(StoreDocuments::read).collect())
    }
}

/// The document of a topic behind the name of a layer, and which of the stores has it.
pub(super) fn of_layer<'a>(
    stores: impl Iterator<Item = &'a StoreDocuments>,
    topic: &Topic,
) -> Option<(usize, &'a PlacedDocument)> {
    stores.enumerate().find_map(|(at, stored)| {
        let layer = stored.store.scope.layer()?;
        let wanted = topic.behind(layer.as_str())?.file()?.folded();
        let mut documents = stored.documents.iter();
        Some((at, documents.find(|placed| placed.path.folded() == wanted)?))
    })
}

/// The document of a topic, without reading the others; its path where there is none yet.
pub(super) fn find(
    store: &Store,
    topic: &Topic,
) -> Result<(RelPath, Option<PlacedDocument>), Error> {
    let Some(path) = topic.file() else { return Err(read_only(topic)) };
    let path = if files::exists(&store.root.join(path.as_str())) {
        path
    } else {
        folded(store, &path).unwrap_or(path)
    };
    let file = store.root.join(path.as_str());
    if !files::exists(&file) {
        return Ok((path, None));
    }
    let unreadable =
        |finding: Finding| KnowledgeError::Unreadable { path: finding.path, why: finding.message };
    let (blob, _) = folder::read_file(&path, &file).map_err(unreadable)?;
    let document = Document::read(&blob).map_err(|broken| unreadable(broken.finding(&path)))?;
    let topic = Topic::of(&path).unwrap_or_else(|| topic.clone());
    let entry = DocSummary::of(topic, &document);
    let shown = path.below(&store.shown);
    Ok((path.clone(), Some(PlacedDocument { entry, scope: store.scope, path, blob, file: shown })))
}

/// The file with the same name, ignoring case.
fn folded(store: &Store, path: &RelPath) -> Option<RelPath> {
    let names = files::names(&store.root.join(path.folder()));
    let wanted = path.folded();
    let sound = |name: &str| RelPath::new(name).is_some();
    let same = |name: &String| path.with_name(name).folded() == wanted;
    names.into_iter().find(|name| sound(name) && same(name)).map(|name| path.with_name(&name))
}

/// Refuses to change a document that says `editable: false`.
pub(super) fn refuse_locked(placed: &PlacedDocument) -> Result<(), Error> {
    if placed.entry.is_editable() {
        return Ok(());
    }
    Err(KnowledgeError::Locked { topic: placed.entry.topic.clone() }.into())
}

/// For a topic that is to be moved or deleted.
pub(super) fn own_manual(topic: &Topic) -> Error {
    KnowledgeError::OwnManual { topic: topic.full() }.into()
}

/// For a topic that is to be written.
pub(super) fn read_only(topic: &Topic) -> Error {
    KnowledgeError::ReadOnly { topic: topic.full() }.into()
}
