//! `identity export`: writes the identity to an archive or a folder, and reads it back to verify.
//!
//! Invariant: the same identity gives the same bytes, apart from the manifest. Machine-local state
//! and git's files are never included.

use crate::identity::{Blob, Finding, RelPath, Role, Snapshot, manifest, portable};
use crate::machine::{
    Context,
    archive::{self, MANIFEST},
    files, folder,
    oplog::OpVerb,
};
use crate::secrets::Allowed;
use crate::sync::WorkTree;
use crate::workspace::{
    Error, ErrorKind, Progress, VerbError, Workspace, guard,
    transaction::{self, Unrecorded},
};
use serde::Serialize;
use std::{
    cell::Cell,
    path::{Path, PathBuf},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum Format {
    #[default]
    #[serde(rename = "tar.gz")]
    TarGz,
    #[serde(rename = "dir")]
    Dir,
}

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// By default a name with the date, in the current folder.
    pub path: Option<String>,
    pub format: Format,
    pub allowed: Allowed,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub path: PathBuf,
    pub format: Format,
    pub files: usize,
    pub memories: usize,
    /// The size of the archive, or of all files in the folder.
    pub bytes: usize,
    /// Files that are local to this machine.
    pub left_out: Vec<String>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// Why no export was written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("an export must be written to a file or folder, so that it can be verified")]
    NoPlace,
    #[error("{place} is inside the identity itself")]
    Inside { place: String },
    #[error("{place} was written, but cannot be read back: {why}")]
    NotReadBack { place: String, why: String },
    #[error("{place} is a folder")]
    IsFolder { place: String },
    #[error("the folder for {place} does not exist")]
    NoFolder { place: String },
    #[error("{place}: exports are .tar.gz, not {ending}")]
    OtherFormat { place: String, ending: &'static str },
    #[error("{place} exists and is not an earlier export; nothing was written")]
    OtherFile { place: String },
    #[error(
        "the identity is {} MiB; an archive can hold at most {} MiB",
        bytes >> 20,
        archive::MAX_BYTES >> 20
    )]
    TooLarge { bytes: usize },
    #[error(
        "the identity has {files} files; an archive must have fewer than {}",
        archive::MAX_ENTRIES
    )]
    TooMany { files: usize },
    #[error("{place} is a file")]
    IsFile { place: String },
    #[error("{place} contains files and is not an earlier export; nothing was written")]
    OtherFiles { place: String },
    #[error("{place} is an earlier export, but {file} in it is not part of that export")]
    ForeignFile { place: String, file: String },
}

impl VerbError for ExportError {
    fn kind(&self) -> ErrorKind {
        match self {
            ExportError::NoPlace
            | ExportError::Inside { .. }
            | ExportError::IsFolder { .. }
            | ExportError::OtherFormat { .. }
            | ExportError::IsFile { .. } => ErrorKind::Invalid,
            ExportError::NotReadBack { .. } => ErrorKind::Other,
            ExportError::NoFolder { .. } => ErrorKind::NotFound,
            ExportError::OtherFile { .. }
            | ExportError::TooLarge { .. }
            | ExportError::TooMany { .. }
            | ExportError::OtherFiles { .. }
            | ExportError::ForeignFile { .. } => ErrorKind::Refused,
        }
    }
}

pub fn run(ws: &Workspace, request: &Request, progress: &Progress<'_>) -> Result<Report, Error> {
    let store = ws.identity()?;
    // With the stamps that the next sync would give to manual edits: elsewhere, an edit under its
    // old stamp would be taken for a different text.
    let WorkTree { reading, tidied, .. } = WorkTree::read(ws, store)?;
    let (mut wanted, mut left_out) = (Snapshot::default(), Vec::new());
    for (path, blob) in tidied.iter() {
        if portable::refused(path).is_some() {
            left_out.push(path.to_string());
        } else if path.role() != Role::Git
            && !portable::is_litter(path)
            && path.as_str() != MANIFEST
        {
            wanted.put(path.clone(), blob.clone());
        }
    }
    guard::refuse_snapshot(&wanted, &request.allowed, "Nothing was exported.")?;
    if request.path.as_deref().is_some_and(|path| path == "-" || path.trim().is_empty()) {
        return Err(ExportError::NoPlace.into());
    }
    let target = match (&request.path, request.format) {
        (Some(text), _) => ws.typed_path(text),
        (None, format) => {
            let day = ws.calendar().day(ws.now());
            let ending = if format == Format::TarGz { ".tar.gz" } else { "" };
            ws.cwd.join(format!("co-identity-{day}{ending}"))
        }
    };
    if files::resolve(&target).starts_with(&store.root) {
        return Err(ExportError::Inside { place: ws.shown(&target) }.into());
    }
    let text = manifest::write(&wanted, &ws.host, ws.now(), env!("CARGO_PKG_VERSION"));
    let bytes = match request.format {
        Format::TarGz => write_archive(ws, &target, &wanted, text, progress)?,
        Format::Dir => write_folder(ws, &target, &wanted, text, progress)?,
    };
    let memories = wanted.memories().len();
    // From here on others may have a copy: an undo has to get a later stamp.
    ws.note_operation(store, OpVerb::Export, ws.shown(&target));
    Ok(Report {
        path: target,
        format: request.format,
        files: wanted.len(),
        memories,
        bytes,
        left_out,
        findings: reading.findings,
    })
}

/// Extensions of other archive formats, which would misrepresent the file.
const OTHER_ARCHIVES: &[&str] = &[".tar", ".zip", ".7z", ".rar", ".bz2", ".xz", ".zst"];

fn not_read_back(place: &str, why: &str) -> Error {
    ExportError::NotReadBack { place: place.to_owned(), why: why.to_owned() }.into()
}

fn write_archive(
    context: &Context,
    target: &Path,
    wanted: &Snapshot,
    manifest: String,
    progress: &Progress<'_>,
) -> Result<usize, Error> {
    let place = context.shown(target);
    if files::is_dir(target) {
        return Err(ExportError::IsFolder { place }.into());
    }
    if target.parent().is_some_and(|folder| !files::is_dir(folder)) {
        return Err(ExportError::NoFolder { place }.into());
    }
    let name = target.to_string_lossy().to_lowercase();
    if let Some(other) = OTHER_ARCHIVES.iter().find(|ending| name.ends_with(*ending)) {
        return Err(ExportError::OtherFormat { place, ending: other }.into());
    }
    if files::exists(target) && !is_export(target) {
        return Err(ExportError::OtherFile { place }.into());
    }
    let size: usize = wanted.iter().map(|(_, blob)| blob.len()).sum();
    if size as u64 > archive::MAX_BYTES * 9 / 10 {
        return Err(ExportError::TooLarge { bytes: size }.into());
    }
    if wanted.len() >= archive::MAX_ENTRIES {
        return Err(ExportError::TooMany { files: wanted.len() }.into());
    }
    let head: Blob = manifest.into_bytes().into();
    let named: Vec<(String, Blob)> = std::iter::once((MANIFEST.to_owned(), head))
        .chain(wanted.iter().map(|(path, blob)| (path.to_string(), blob.clone())))
        .collect();
    let done = Cell::new(0);
    archive::write(target, &named, &mut || {
        done.set(done.get() + 1);
        progress(done.get(), named.len());
    })?;
    match archive::open(target)? {
        Ok(unpacked) if unpacked.snapshot == *wanted => Ok(files::size(target)),
        Ok(_) => Err(not_read_back(&place, "its files differ")),
        Err(refusal) => Err(not_read_back(&place, &refusal.to_string())),
    }
}

/// An archive with a manifest in it is an earlier export.
fn is_export(file: &Path) -> bool {
    files::is_file(file)
        && matches!(archive::open(file), Ok(Ok(unpacked)) if unpacked.manifest.is_some())
}

/// A file in an earlier export's folder that the export did not write.
fn foreign_in(old: &folder::Reading) -> Option<String> {
    let path = RelPath::known(MANIFEST);
    let manifest = old.snapshot.get(&path)?;
    let known = manifest::read(&String::from_utf8_lossy(manifest));
    let listed = |other: &&RelPath| **other == path || known.lists(other);
    let files = old.snapshot.paths().chain(&old.unreadable);
    files.into_iter().find(|other| !listed(other)).map(ToString::to_string)
}

fn write_folder(
    context: &Context,
    target: &Path,
    wanted: &Snapshot,
    manifest: String,
    progress: &Progress<'_>,
) -> Result<usize, Error> {
    let place = context.shown(target);
    let old = folder::read(target);
    let an_export = old.snapshot.get(&RelPath::known(MANIFEST)).is_some();
    if files::exists(target) && !files::is_dir(target) {
        return Err(ExportError::IsFile { place }.into());
    }
    let empty = old.snapshot.is_empty() && old.unreadable.is_empty();
    if !an_export && !empty {
        return Err(ExportError::OtherFiles { place }.into());
    }
    let linked = |path: &&RelPath| files::is_link(&target.join(path.as_str()));
    let linked = wanted.paths().find(linked).map(ToString::to_string);
    if let Some(foreign) = foreign_in(&old).or(linked) {
        return Err(ExportError::ForeignFile { place, file: foreign }.into());
    }
    files::make_dir(target)?;
    let mut new = wanted.clone();
    new.put(RelPath::known(MANIFEST), manifest.into_bytes());
    transaction::write_unrecorded(Unrecorded::Copy, target, &old.snapshot, &new, progress)?;
    if folder::read(target).snapshot != new {
        return Err(not_read_back(&place, "its files differ"));
    }
    Ok(new.iter().map(|(_, blob)| blob.len()).sum())
}
