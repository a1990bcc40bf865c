//! `identity restore` and `identity show REV:PATH`: files as of a commit.
//!
//! Invariant: changes only the given files, each as a whole; can be undone.

use super::source::Current;
use crate::identity::{Blob, ContentHash, Ledger, Memory, RelPath, Snapshot, Stamp};
use crate::index::store::Store;
use crate::machine::{files, folder, oplog::OpVerb};
use crate::merge::change::ChangeSet;
use crate::secrets::Allowed;
use crate::sync;
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, guard};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct Request {
    /// Files or folders of the identity.
    pub paths: Vec<String>,
    pub scope: RestoreScope,
    /// The commit, as a git revision.
    pub from: String,
    pub allowed: Allowed,
}

/// Which of the given files to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestoreScope {
    All,
    /// Only missing files; files that a person changed stay.
    Missing,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub restored: Vec<String>,
}

/// Why nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("there is no commit `{rev}`")]
    NoCommit { rev: String },
    #[error("the identity has no file {path}")]
    NoFile { path: String },
    #[error("{path}: {why}")]
    Unreadable { path: String, why: String },
    #[error("{rev} has no {path}")]
    NotInCommit { rev: String, path: String },
}

impl VerbError for RestoreError {
    fn kind(&self) -> ErrorKind {
        match self {
            RestoreError::NoCommit { .. }
            | RestoreError::NoFile { .. }
            | RestoreError::NotInCommit { .. } => ErrorKind::NotFound,
            RestoreError::Unreadable { .. } => ErrorKind::Other,
        }
    }
}

/// A path in canonical form: `./traits/` is `traits`.
fn cleaned(text: &str) -> &str {
    text.trim_start_matches("./").trim_end_matches('/')
}

fn commit(ws: &Workspace, rev: &str) -> Result<Snapshot, Error> {
    let repo = sync::repository(ws)?;
    let unknown = || RestoreError::NoCommit { rev: rev.to_owned() };
    let id = repo.revision(rev).ok_or_else(unknown)?;
    Ok(repo.snapshot(Some(id))?)
}

/// The bytes of `PATH` on disk, or of `REV:PATH` in a commit.
pub fn read_file(ws: &Workspace, store: &Store, text: &str) -> Result<Blob, Error> {
    let missing = || RestoreError::NoFile { path: text.to_owned() }.into();
    if let Some(path) = RelPath::new(cleaned(text)) {
        let file = store.root.join(path.as_str());
        if files::exists(&file) {
            return folder::read_file(&path, &file).map(|(blob, _)| blob).map_err(|finding| {
                RestoreError::Unreadable { path: text.to_owned(), why: finding.message }.into()
            });
        }
    }
    let (rev, path) = text.split_once(':').ok_or_else(missing)?;
    let path = RelPath::new(cleaned(path)).ok_or_else(missing)?;
    let rev = if rev.is_empty() { "HEAD" } else { rev };
    commit(ws, rev)?.get(&path).cloned().ok_or_else(missing)
}

/// Decides which files are missing.
struct Missing<'a> {
    current: &'a Current,
    origins: BTreeSet<Stamp>,
    texts: BTreeSet<ContentHash>,
    /// As it is now, and as it was in the commit.
    ledgers: [Ledger; 2],
}

impl<'a> Missing<'a> {
    fn new(current: &'a Current, commit: &Snapshot) -> Missing<'a> {
        let here = current.there.memories();
        Missing {
            current,
            origins: here.iter().map(|memory| memory.created).collect(),
            texts: here.iter().map(|memory| memory.hash).collect(),
            ledgers: [current.there.ledger(), commit.ledger()],
        }
    }

    /// A fact that is now in another file, or that was forgotten since, is not missing.
    fn is_missing(&self, path: &RelPath, blob: &Blob) -> bool {
        if self.current.there.get(path).is_some() {
            return false;
        }
        let Some(Ok(memory)) = path.is_memory().then(|| Memory::read(path, blob)) else {
            return true;
        };
        let [now, then] = &self.ledgers;
        !self.origins.contains(&memory.created)
            && !self.texts.contains(&memory.hash)
            && !now.forgets_since(then, &memory)
    }
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let store = ws.identity()?;
    let there = commit(ws, &request.from)?;
    let write = ws.write(store)?;
    let current = Current::read(ws, store)?;
    let missing = (request.scope == RestoreScope::Missing).then(|| Missing::new(&current, &there));
    let mut wanted = current.read.clone();
    for text in &request.paths {
        let path = cleaned(text);
        let below = format!("{path}/");
        let named: Vec<(RelPath, Blob)> = there
            .iter()
            .filter(|(at, _)| at.as_str() == path || at.as_str().starts_with(&below) || path == ".")
            .map(|(at, blob)| (at.clone(), blob.clone()))
            .collect();
        if named.is_empty() {
            return Err(RestoreError::NotInCommit {
                rev: request.from.clone(),
                path: text.to_owned(),
            }
            .into());
        }
        let is_wanted = |at: &RelPath, blob: &Blob| {
            missing.as_ref().is_none_or(|missing| missing.is_missing(at, blob))
        };
        for (at, blob) in named.into_iter().filter(|(at, blob)| is_wanted(at, blob)) {
            wanted.put(at, blob);
        }
    }
    let change = ChangeSet::between(&current.read, &wanted);
    guard::refuse_change(&change, &request.allowed, "Nothing was restored.")?;
    current.refuse_closed(change.files.iter().map(|file| &file.path))?;
    sync::refuse_clashes(&store.root, &current.read, &wanted)?;
    let restored: Vec<String> = change.files.iter().map(|file| file.path.to_string()).collect();
    if !restored.is_empty() {
        let what = format!("{} from {}", request.paths.join(" "), request.from);
        write.operation(OpVerb::Restore, what).apply_between(&current.read, &wanted, &|_, _| {})?;
    }
    Ok(Report { restored })
}
