//! The identity folder as a snapshot: everything that can be read, and findings for what cannot.
//!
//! Invariant: one bad file costs that file. Links to files are followed (dotfiles managers make
//! them), links to folders are not. The repository itself (`.git`) and co's temporary files are
//! never part of an identity.

use super::files::{self, TEMP_PREFIX};
use crate::identity::{Blob, Code, Finding, RelPath, Snapshot, Stamp};
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// An identity folder as it was read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Every file that could be read.
    pub snapshot: Snapshot,
    /// When each was last written.
    pub mtimes: BTreeMap<RelPath, Stamp>,
    /// Files that are there and could not be read.
    pub unreadable: Vec<RelPath>,
    /// Folders that are there and could not be listed, or lead elsewhere; with a trailing `/`. What
    /// lay below them has not left.
    pub closed: Vec<String>,
    /// What is wrong with those.
    pub findings: Vec<Finding>,
}

/// One file on disk, not yet read.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its path in the identity.
    pub path: RelPath,
    /// Where it lies.
    pub file: PathBuf,
}

/// A file's bytes and time, or why there are none.
type FileRead = Result<(Blob, Stamp), Finding>;

/// Lists the files below a folder, in path order, with findings for names that cannot travel.
pub fn list(root: &Path, below: &str) -> (Vec<Listed>, Vec<Finding>) {
    let mut listed = Vec::new();
    let mut findings = Vec::new();
    let top =
        if below.is_empty() { root.to_owned() } else { root.join(below.trim_end_matches('/')) };
    walk(&top, below, &mut listed, &mut findings);
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    (listed, findings)
}

fn walk(folder: &Path, prefix: &str, listed: &mut Vec<Listed>, findings: &mut Vec<Finding>) {
    let entries: std::io::Result<Vec<fs::DirEntry>> =
        fs::read_dir(folder).and_then(Iterator::collect);
    let entries = match entries {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => {
            findings.push(closed_folder(prefix, &format!("cannot be listed: {error}")));
            return;
        }
    };
    for entry in entries {
        let file = entry.path();
        let Ok(name) = entry.file_name().into_string() else {
            let shown = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let path = RelPath::known("unnamed");
            findings.push(Finding {
                path: shown,
                ..Finding::new(Code::BadName, &path, "the name is not UTF-8; rename the file")
            });
            continue;
        };
        if name == ".git" || name.starts_with(TEMP_PREFIX) {
            continue;
        }
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            walk(&file, &format!("{prefix}{name}/"), listed, findings);
            continue;
        }
        let Some(path) = RelPath::new(&format!("{prefix}{name}")) else {
            let path = RelPath::known("unnamed");
            findings.push(Finding {
                path: format!("{prefix}{name}"),
                ..Finding::new(Code::BadName, &path, "the name holds a backslash; rename the file")
            });
            continue;
        };
        // A link to a folder would lead out of the identity; a link to a file is how stow and rcm
        // lay out dotfiles.
        if kind.is_symlink() && file.is_dir() {
            findings.push(closed_folder(
                &format!("{prefix}{name}/"),
                "is a link to a folder elsewhere; co neither reads nor writes through it",
            ));
            continue;
        }
        if kind.is_file() || kind.is_symlink() {
            listed.push(Listed { path, file });
        }
    }
}

fn closed_folder(path: &str, message: &str) -> Finding {
    Finding {
        path: path.to_owned(),
        ..Finding::new(Code::Unreadable, &RelPath::known("folder"), message)
    }
}

/// Reads a whole identity.
pub fn read(root: &Path) -> Reading {
    read_below(root, "")
}

/// Reads the files below a folder of the identity (`knowledge/memories/`).
pub fn read_below(root: &Path, below: &str) -> Reading {
    let (listed, findings) = list(root, below);
    let closed = findings
        .iter()
        .filter(|finding| finding.path.ends_with('/'))
        .map(|finding| finding.path.clone())
        .collect();
    let mut reading = Reading { findings, closed, ..Reading::default() };
    let files: Vec<(Listed, FileRead)> = if listed.len() < 64 {
        listed.into_iter().map(read_one).collect()
    } else {
        listed.into_par_iter().map(read_one).collect()
    };
    let mut blobs = Vec::with_capacity(files.len());
    for (listed, read) in files {
        match read {
            Ok((blob, mtime)) => {
                reading.mtimes.insert(listed.path.clone(), mtime);
                blobs.push((listed.path, blob));
            }
            Err(finding) => {
                reading.findings.push(finding);
                reading.unreadable.push(listed.path);
            }
        }
    }
    reading.snapshot = blobs.into_iter().collect();
    reading
}

fn read_one(listed: Listed) -> (Listed, FileRead) {
    let read = read_file(&listed.path, &listed.file);
    (listed, read)
}

/// Reads one file after looking at its size.
///
/// # Errors
/// The finding that says why it cannot be read.
pub fn read_file(path: &RelPath, file: &Path) -> Result<(Blob, Stamp), Finding> {
    let unreadable = |error: &std::io::Error| {
        Finding::new(Code::Unreadable, path, format!("cannot be read: {error}"))
    };
    let meta = fs::metadata(file).map_err(|error| unreadable(&error))?;
    if !meta.is_file() {
        return Err(Finding::new(Code::Unreadable, path, "no regular file"));
    }
    if meta.len() > path.row().limit {
        let message = format!(
            "{} bytes; the limit for this kind of file is {} MiB",
            meta.len(),
            path.row().limit / 1024 / 1024
        );
        return Err(Finding::new(Code::TooLarge, path, message));
    }
    let bytes = fs::read(file).map_err(|error| unreadable(&error))?;
    Ok((bytes.into(), files::stamp_of(&meta).unwrap_or_default()))
}

/// Removes temporary files that a co left behind when it died.
pub fn remove_leftovers(root: &Path) {
    let mut todo = vec![root.to_owned()];
    while let Some(folder) = todo.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && name != ".git" {
                todo.push(entry.path());
            } else if name.to_string_lossy().starts_with(TEMP_PREFIX) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}
