//! Where another identity is read from: an archive, a folder, a commit.
//!
//! Invariant: reading writes nothing; a single entry that does not belong in an identity makes the
//! whole source refused.

use crate::adopt;
use crate::git::Id;
use crate::identity::{
    RelPath, Role, Snapshot,
    manifest::{self, Manifest},
    portable, shell,
};
use crate::index::store::Store;
use crate::machine::{
    Context,
    archive::{self, Refusal, Unpacked},
    files,
    folder::{self, Prefetched},
};
use crate::sync::WorkTree;
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, layers};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A tar archive; `-` is standard input.
    Archive(PathBuf),
    Folder(PathBuf),
    /// The remote of the current branch.
    Remote,
    /// A commit of the identity's repository.
    Commit(Id),
}

#[derive(Clone, Debug)]
pub struct Incoming {
    pub snapshot: Snapshot,
    pub manifest: Manifest,
    pub warnings: Vec<String>,
}

impl Source {
    /// Tries a file or folder first, then the remote, then a commit.
    pub fn named(ws: &Workspace, text: &str) -> Result<Source, Error> {
        if text.trim().is_empty() {
            return Err(SourceError::Empty.into());
        }
        if text == "-" {
            return Ok(Source::Archive("-".into()));
        }
        let path = ws.typed_path(text);
        layers::refuse_own(ws, &path)?;
        if files::is_dir(&path) {
            return Ok(Source::Folder(path));
        }
        if files::exists(&path) {
            return Ok(Source::Archive(path));
        }
        if let Some(repo) = ws.repo()? {
            if repo
                .branch(&ws.settings.sync)
                .is_ok_and(|branch| branch.remote.as_deref() == Some(text) || text == "remote")
            {
                return Ok(Source::Remote);
            }
            if let Some(id) = repo.revision(text) {
                return Ok(Source::Commit(id));
            }
        }
        Err(SourceError::Unknown { text: text.to_owned() }.into())
    }

    /// As [`Source::named`], but refuses sources that only sync can bring in.
    pub(super) fn importable(ws: &Workspace, text: &str) -> Result<Source, Error> {
        match Source::named(ws, text)? {
            Source::Remote => Err(SourceError::Remote { text: text.to_owned() }.into()),
            Source::Commit(_) => Err(SourceError::Commit { text: text.to_owned() }.into()),
            source => Ok(source),
        }
    }
}

/// Why a source is not compared or imported.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("the source is empty")]
    Empty,
    #[error("`{text}` is not an archive, folder, commit or remote")]
    Unknown { text: String },
    #[error("`{text}` is the remote")]
    Remote { text: String },
    #[error("`{text}` is a commit of this identity")]
    Commit { text: String },
    #[error("a commit cannot be imported")]
    Unimportable,
    #[error("{place} was refused: {why}")]
    Refused { place: String, why: String },
    #[error(
        "{place} was refused: {path} does not match the archive's manifest: it is damaged, or was \
         changed after the export"
    )]
    Contradicted { place: String, path: String },
    #[error("{place} was refused: {path} is a link that points outside it")]
    LeadsOut { place: String, path: String },
    #[error("{place} is this identity")]
    Itself { place: String },
    #[error("{place} contains no identity: no profile.md, personality.md, traits/ or knowledge/")]
    NoIdentity { place: String },
    /// What a person downloads from ChatGPT, Claude or Gemini.
    #[error("{place} is an export from an AI service, not from co")]
    Service {
        place: String,
        /// For a command line.
        typed: String,
    },
    #[error("{place} is JSON, not an archive written by co")]
    Json {
        place: String,
        /// For a command line.
        typed: String,
    },
    #[error("{place} is a zip archive; exports are .tar.gz, not .zip")]
    Zip { place: String },
    #[error("{path} exists but cannot be read")]
    Closed { path: String },
}

impl VerbError for SourceError {
    fn kind(&self) -> ErrorKind {
        match self {
            SourceError::Empty
            | SourceError::Remote { .. }
            | SourceError::Commit { .. }
            | SourceError::Unimportable
            | SourceError::Itself { .. } => ErrorKind::Invalid,
            SourceError::Unknown { .. } | SourceError::NoIdentity { .. } => ErrorKind::NotFound,
            SourceError::Refused { .. }
            | SourceError::Contradicted { .. }
            | SourceError::LeadsOut { .. }
            | SourceError::Service { .. }
            | SourceError::Json { .. }
            | SourceError::Zip { .. }
            | SourceError::Closed { .. } => ErrorKind::Refused,
        }
    }
}

pub fn read(context: &Context, source: &Source) -> Result<Incoming, Error> {
    match source {
        Source::Archive(path) => read_archive(context, path),
        Source::Folder(path) => read_folder(context, path),
        Source::Remote | Source::Commit(_) => Err(SourceError::Unimportable.into()),
    }
}

fn shown(context: &Context, path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { context.shown(path) }
}

fn refused(place: &str, why: &str) -> Error {
    SourceError::Refused { place: place.to_owned(), why: why.to_owned() }.into()
}

fn read_archive(context: &Context, path: &Path) -> Result<Incoming, Error> {
    match unpacked(shown(context, path), archive::open(path)?) {
        Err(refused) => Err(of_service(context, path).unwrap_or(refused)),
        incoming => incoming,
    }
}

/// What is no archive of co, but what an AI service lets a person download.
fn of_service(context: &Context, path: &Path) -> Option<Error> {
    let begins = files::beginning(path, 4096)?;
    let is_zip = adopt::zipped::is_archive(&begins);
    let is_export = if is_zip {
        files::open(path).is_ok_and(adopt::zipped::is_export)
    } else {
        let text = String::from_utf8_lossy(&begins);
        text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
    };
    let place = shown(context, path);
    match (is_zip, is_export) {
        (true, true) => Some(SourceError::Service { place, typed: typed(context, path) }.into()),
        (true, false) => Some(SourceError::Zip { place }.into()),
        (false, true) => Some(SourceError::Json { place, typed: typed(context, path) }.into()),
        (false, false) => None,
    }
}

/// The path for a command line in this folder.
fn typed(context: &Context, path: &Path) -> String {
    let path = path.strip_prefix(&context.cwd).unwrap_or(path).display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-".contains(letter);
    if path.chars().all(is_plain) { path } else { shell::quoted(&path) }
}

/// An archive that is not a file here.
pub fn of_archive(name: &str, bytes: &[u8]) -> Result<Incoming, Error> {
    unpacked(name.to_owned(), archive::read(bytes))
}

fn unpacked(place: String, read: Result<Unpacked, Refusal>) -> Result<Incoming, Error> {
    let unpacked = read.map_err(|refusal| refused(&place, &refusal.to_string()))?;
    let manifest = unpacked.manifest.as_deref().map(manifest::read).unwrap_or_default();
    if let Some(path) = manifest.contradicted_by(&unpacked.snapshot) {
        return Err(SourceError::Contradicted { place, path: path.to_string() }.into());
    }
    Ok(fitting(Incoming { snapshot: unpacked.snapshot, manifest, warnings: Vec::new() }))
}

/// Leaves out files under names that would mislead a reader, or that some system cannot have.
fn fitting(mut incoming: Incoming) -> Incoming {
    let unfit = |path: &RelPath| portable::unfit_name(path).map(|why| (path.clone(), why));
    let unfit: Vec<(RelPath, &str)> = incoming.snapshot.paths().filter_map(unfit).collect();
    for (path, why) in unfit {
        incoming.snapshot.remove(&path);
        incoming.warnings.push(format!("{path}: {why}; left out"));
    }
    incoming
}

fn read_folder(context: &Context, path: &Path) -> Result<Incoming, Error> {
    let place = context.shown(path);
    let root = files::resolve(path);
    if root == context.identity.resolved {
        return Err(SourceError::Itself { place }.into());
    }
    let listing = folder::list(&root, "");
    for file in listing.files.iter().filter(|file| files::is_link(&file.file)) {
        if !files::resolve(&file.file).starts_with(&root) {
            return Err(SourceError::LeadsOut { place, path: file.path.to_string() }.into());
        }
    }
    let reading = folder::read_listed(listing, &Prefetched::default());
    let mut incoming = Incoming {
        snapshot: Snapshot::default(),
        manifest: Manifest::default(),
        warnings: Vec::new(),
    };
    let mut files = Vec::with_capacity(reading.snapshot.len());
    for (path, blob) in reading.snapshot.iter() {
        if path.as_str() == archive::MANIFEST {
            incoming.manifest = manifest::read(&String::from_utf8_lossy(blob));
            continue;
        }
        if portable::is_litter(path) || path.role() == Role::Git {
            continue;
        }
        if let Some(why) = portable::refused(path) {
            return Err(refused(&place, &format!("it contains {path}: {why}")));
        }
        files.push((path.clone(), blob.clone()));
    }
    incoming.snapshot.put_each(files.into_iter());
    if let Some((path, why)) = portable::git_metadata(incoming.snapshot.paths()).first() {
        return Err(refused(&place, &format!("it contains {path}: {why}")));
    }
    let line = |finding: &crate::identity::Finding| {
        format!("{}: {}; left out", finding.path, finding.message)
    };
    incoming.warnings.extend(reading.findings.iter().map(line));
    if let Some(path) = incoming.manifest.contradicted_by(&incoming.snapshot) {
        incoming
            .warnings
            .push(format!("{path} does not match the manifest: it was changed after the export"));
    }
    if !is_identity(&incoming.snapshot) {
        return Err(SourceError::NoIdentity { place }.into());
    }
    Ok(fitting(incoming))
}

/// Whether a folder has a name that only identities have, or none that identities do not have.
fn is_identity(folder: &Snapshot) -> bool {
    let tops = folder.paths().map(|path| path.as_str().split('/').next().unwrap_or_default());
    let tops: BTreeSet<&str> = tops.collect();
    tops.iter().any(|top| portable::TOP.contains(top))
        || (!tops.is_empty() && tops.iter().all(|top| portable::is_of_layout(top)))
}

/// The identity here, with changes made outside co.
pub struct Current {
    pub read: Snapshot,
    /// With the last commit's version of existing files that cannot be read: they are not gone.
    pub there: Snapshot,
    /// As the next sync would commit it: edits stamped, deletions in the ledger.
    pub tidied: Snapshot,
    /// Existing files and folders (with a `/`) that cannot be read: nothing may be written there.
    pub closed: Vec<String>,
}

impl Current {
    pub fn read(ws: &Workspace, store: &Store) -> Result<Current, Error> {
        let WorkTree { reading, there, tidied, .. } = WorkTree::read(ws, store)?;
        let unreadable = reading.unreadable.iter().map(ToString::to_string);
        Ok(Current {
            tidied,
            there,
            closed: reading.closed.iter().cloned().chain(unreadable).collect(),
            read: reading.snapshot,
        })
    }

    pub(super) fn refuse_closed<'a>(
        &self,
        paths: impl Iterator<Item = &'a RelPath>,
    ) -> Result<(), Error> {
        let closed = |path: &&RelPath| {
            self.closed.iter().any(|closed| {
                closed == path.as_str()
                    || (closed.ends_with('/') && path.as_str().starts_with(closed.as_str()))
            })
        };
        match paths.into_iter().find(closed) {
            Some(path) => Err(SourceError::Closed { path: path.to_string() }.into()),
            None => Ok(()),
        }
    }
}
