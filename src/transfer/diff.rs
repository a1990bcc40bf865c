//! `identity diff`: what an import would change, what a sync would bring, or what changed since a
//! commit. Changes nothing.
//!
//! Invariant: for archives and folders, it shows exactly the proposal that `import` applies.

use super::source::{self, Current, Source};
use crate::git::Repo;
use crate::identity::{
    Blob, Memory, RelPath, Snapshot,
    manifest::Manifest,
    validate::{self, Rejected},
};
use crate::index::{
    self,
    store::{Store, StoreError},
};
use crate::machine::folder;
use crate::merge::{
    change::{ChangeSet, FileChange, Meaning},
    import::{ImportMode, ImportPreview, NotTaken, propose},
};
use crate::recall::alike::{self, Similar};
use crate::secrets::Allowed;
use crate::sync::{self, WorkTree};
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, guard, named};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Request {
    /// An archive, folder, commit or remote; `None` is the last commit.
    pub source: Option<String>,
    pub mode: ImportMode,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// What importing the source would change here.
    Import,
    /// What a sync with the source would change here.
    Sync,
    /// What changed here since the source.
    Since,
}

#[derive(Clone, Debug, Serialize)]
pub struct FileLine {
    pub path: String,
    /// The hash of the bytes; `None` when the file is new.
    pub before: Option<String>,
    /// The hash of the bytes; `None` when the file is deleted.
    pub after: Option<String>,
    pub content: Option<Content>,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub source: String,
    /// What a person calls the source.
    pub title: String,
    pub direction: Direction,
    pub manifest: Manifest,
    /// The numbers of memories in the source and here.
    pub memories: (usize, usize),
    pub proposal: ImportPreview,
    /// The proposal as facts and lines.
    pub meaning: Meaning,
    /// New facts that resemble an existing one.
    pub similar: Vec<Similar>,
    pub warnings: Vec<String>,
}

impl Report {
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "source": self.source, "direction": self.direction, "manifest": self.manifest,
            "source_memories": self.memories.0, "memories": self.memories.1,
            "learned": self.meaning.learned, "forgotten": self.meaning.forgotten, "edited": self.meaning.edited, "relabelled": self.meaning.relabelled,
            "deduplicated": self.meaning.deduplicated, "documents": self.meaning.documents,
            "not_taken": self.proposal.not_taken, "same": self.proposal.same, "similar": self.similar,
            "renumbered": self.proposal.renumbered, "decisions": self.proposal.change.decisions, "files": self.files(),
        })
    }

    /// Every file that changes, with its new content: applying these is the import.
    pub fn files(&self) -> Vec<FileLine> {
        self.proposal.change.files.iter().map(FileLine::of).collect()
    }

    /// The files that change, each with where it was if it moved: then it has the text that was
    /// there, and the other path is no file of its own.
    pub fn shown_files(&self) -> Vec<(FileChange, Option<&RelPath>)> {
        let moved = self.meaning.documents.iter();
        let moved = moved.filter_map(|document| Some((&document.path, document.was.as_ref()?)));
        let moved: BTreeMap<&RelPath, &RelPath> = moved.collect();
        let left: BTreeSet<&RelPath> = moved.values().copied().collect();
        let all = &self.proposal.change.files;
        let gone = all.iter().filter(|file| left.contains(&file.path));
        let gone: BTreeMap<&RelPath, &FileChange> = gone.map(|file| (&file.path, file)).collect();
        let shown = |file: &FileChange| match moved.get(&file.path) {
            Some(was) => {
                let before = gone.get(was).and_then(|old| old.before.clone());
                (FileChange { before, ..file.clone() }, Some(*was))
            }
            None => (file.clone(), None),
        };
        all.iter().filter(|file| !left.contains(&file.path)).map(shown).collect()
    }

    pub fn not_taken(&self) -> &[NotTaken] {
        &self.proposal.not_taken
    }

    pub fn is_empty(&self) -> bool {
        self.proposal.change.is_empty()
    }
}

impl FileLine {
    fn of(file: &FileChange) -> FileLine {
        let hash = |blob: &Option<Blob>| {
            blob.as_ref().map(|blob| crate::identity::ContentHash::of_bytes(blob).to_string())
        };
        FileLine {
            path: file.path.to_string(),
            before: hash(&file.before),
            after: hash(&file.after),
            content: file.after.as_ref().map(Content::of),
        }
    }
}

/// There is nothing to compare with, unless an export is named.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DiffError(pub Box<Error>);

impl VerbError for DiffError {
    fn kind(&self) -> ErrorKind {
        self.0.kind()
    }
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let Some(text) = &request.source else { return since_commit(ws, ws.identity()?) };
    let source = Source::named(ws, text);
    let store = match (ws.identity(), &source) {
        // On a new laptop the import creates the identity.
        (Err(error), Ok(Source::Archive(_) | Source::Folder(_))) if is_none_yet(&error) => {
            ws.identity_place()
        }
        (store, _) => store?,
    };
    match source? {
        Source::Remote => with_remote(ws, store, text),
        Source::Commit(id) => {
            let repo = repository(ws)?;
            let tree = work_tree(ws, store, &repo)?;
            let before = repo.snapshot(Some(id))?;
            Ok(since(ws, text.clone(), &before, &tree.reading.snapshot))
        }
        source => {
            let (mut report, _) = of_import(ws, store, text, &source, request.mode)?;
            report.warnings.extend(guard::warnings(&report.proposal.change, &Allowed::default()));
            Ok(report)
        }
    }
}

fn is_none_yet(error: &Error) -> bool {
    let error = error.of_verb().and_then(|error| error.downcast_ref::<StoreError>());
    matches!(error, Some(StoreError::NoIdentity { .. }))
}

/// What importing an archive would change, which is not a file here.
pub fn of_archive(ws: &Workspace, name: &str, bytes: &[u8]) -> Result<Report, Error> {
    let store = ws.identity()?;
    let incoming = source::of_archive(name, bytes)?;
    let (mut report, _) = of_incoming(ws, store, name, incoming, ImportMode::Merge)?;
    report.warnings.extend(guard::warnings(&report.proposal.change, &Allowed::default()));
    Ok(report)
}

/// The comparison that an import shows and applies, and the identity it is based on.
pub(super) fn of_import(
    ws: &Workspace,
    store: &Store,
    name: &str,
    source: &Source,
    mode: ImportMode,
) -> Result<(Report, Current), Error> {
    of_incoming(ws, store, name, source::read(ws, source)?, mode)
}

/// As [`of_import`], for a source that was read already.
pub(super) fn of_incoming(
    ws: &Workspace,
    store: &Store,
    name: &str,
    mut incoming: source::Incoming,
    mode: ImportMode,
) -> Result<(Report, Current), Error> {
    let current = Current::read(ws, store)?;
    incoming.snapshot.share(&current.tidied);
    // Parses all of them, on all cores.
    let memories = (incoming.snapshot.memories().len(), current.tidied.memories().len());
    let mut proposal =
        propose(&current.tidied, &incoming.snapshot, mode, (ws.now(), ws.calendar()));
    let mut meaning = proposal.change.meaning_from(&proposal.before);
    named::name_fields(ws, meaning.fields_mut());
    proposal.same = proposal.same.saturating_sub(meaning.relabelled.len());
    let mut warnings = incoming.warnings;
    warnings.extend(unfit(&proposal.change));
    let name = std::path::Path::new(name)
        .file_name()
        .map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned());
    let source = if name == "-" { "standard input".to_owned() } else { name };
    let report = Report {
        title: source.clone(),
        source,
        direction: Direction::Import,
        manifest: incoming.manifest,
        memories,
        similar: similar_to(ws, &proposal, &meaning),
        meaning,
        proposal,
        warnings,
    };
    Ok((report, current))
}

/// Facts that a save would refuse. An import takes them, because the export may be their only copy,
/// but a person is told before agreeing.
fn unfit(change: &ChangeSet) -> impl Iterator<Item = String> {
    change.files.iter().filter(|file| file.path.is_memory()).filter_map(|file| {
        let why = match validate::memory(&file.path, file.after.as_ref()?).err()? {
            Rejected::Unreadable(unusable) => unusable.finding(&file.path).message,
            unfit => unfit.to_string(),
        };
        Some(format!("{}: {why}", file.path))
    })
}

/// Facts here that say nearly the same as one that is learned.
fn similar_to(ws: &Workspace, proposal: &ImportPreview, meaning: &Meaning) -> Vec<Similar> {
    if meaning.learned.is_empty() {
        return Vec::new();
    }
    let learned: BTreeSet<&RelPath> = meaning.learned.iter().map(|fact| &fact.path).collect();
    let after = proposal.after.memories();
    let (new, old): (Vec<&Memory>, Vec<&Memory>) =
        after.iter().partition(|memory| learned.contains(&memory.path));
    let vectors = index::vectors(ws.identity_place(), ws);
    alike::nearest(&new, &old, &vectors)
}

fn repository(ws: &Workspace) -> Result<Rc<Repo>, Error> {
    Ok(sync::repository(ws).map_err(|error| DiffError(Box::new(error)))?)
}

/// The files here, which are not read again for the commits that have them.
fn work_tree(ws: &Workspace, store: &Store, repo: &Repo) -> Result<WorkTree, Error> {
    let tree = WorkTree::read(ws, store)?;
    if let Some(difference) = &tree.difference {
        repo.hold_unchanged(&tree.reading, difference);
    }
    Ok(tree)
}

fn since_commit(ws: &Workspace, store: &Store) -> Result<Report, Error> {
    let repo = repository(ws)?;
    let tree = WorkTree::read(ws, store)?;
    let difference = match tree.difference {
        Some(difference) => difference,
        None => repo.compare(&folder::list(&store.root, "").files)?,
    };
    let mut here = tree.there;
    for path in &difference.ignored {
        here.remove(path);
    }
    let warnings = sync::some_that_stay(&sync::of_difference(ws, &difference));
    Ok(Report { warnings, ..since(ws, "the last commit".into(), &tree.committed, &here) })
}

fn since(ws: &Workspace, source: String, before: &Snapshot, after: &Snapshot) -> Report {
    let memories = (before.memories().len(), after.memories().len());
    let proposal = ImportPreview::between(before, after);
    let meaning = proposal.change.meaning_from(&proposal.before);
    compared(ws, source, Direction::Since, memories, proposal, meaning)
}

fn with_remote(ws: &Workspace, store: &Store, text: &str) -> Result<Report, Error> {
    let repo = repository(ws)?;
    let current = work_tree(ws, store, &repo)?;
    let (theirs, merged, decisions) = sync::preview(ws, &current.tidied)?;
    let memories = (theirs.memories().len(), current.tidied.memories().len());
    let mut proposal = ImportPreview::between(&current.tidied, &merged);
    proposal.change.decisions = decisions;
    let meaning = proposal.change.meaning_from(&proposal.before).without_numbers();
    proposal.same = memories.0.saturating_sub(meaning.learned.len());
    // No sync pushes these.
    let warnings = sync::some_that_stay(&sync::all_that_stay(ws, &repo)?);
    let name = text.to_owned();
    let report = compared(ws, name, Direction::Sync, memories, proposal, meaning);
    Ok(Report { warnings, ..report })
}

fn compared(
    ws: &Workspace,
    source: String,
    direction: Direction,
    memories: (usize, usize),
    proposal: ImportPreview,
    mut meaning: Meaning,
) -> Report {
    named::name_fields(ws, meaning.fields_mut());
    Report {
        title: source.clone(),
        source,
        direction,
        manifest: Manifest::default(),
        memories,
        similar: similar_to(ws, &proposal, &meaning),
        proposal,
        meaning,
        warnings: Vec::new(),
    }
}

/// The bytes of a file: text if they are UTF-8, else numbers.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Content {
    Text(String),
    Raw(Vec<u8>),
}

impl Content {
    fn of(blob: &Blob) -> Content {
        match std::str::from_utf8(blob) {
            Ok(text) => Content::Text(text.to_owned()),
            Err(_) => Content::Raw(blob.to_vec()),
        }
    }
}
