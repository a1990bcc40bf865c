//! Reads the identity folder as a snapshot: all readable files, and findings for the others.
//!
//! Invariant: a bad file affects only itself. Symlinks to files are followed (dotfiles managers use
//! them), symlinks to folders are not. `.git` and co's temporary files never belong to an identity.

use super::{
    entries::Entries,
    files::{self, TEMP_PREFIX},
    folding,
    platform::{self, EntryKind},
    stat::Stat,
};
use crate::identity::{
    Blob, Code, Finding, RelPath, Snapshot, Stamp, cloud,
    kind::{Form, MEMORIES, SKILLS},
    path::FolderPath,
    portable,
    recognise::{is_certain, proving_folders},
    skill,
};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub snapshot: Snapshot,
    pub mtimes: BTreeMap<RelPath, Stamp>,
    pub unreadable: Vec<RelPath>,
    /// Folders that could not be listed, or lead elsewhere, with a trailing `/`; their files do not
    /// count as deleted.
    pub closed: Vec<String>,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug)]
pub struct Listed {
    pub path: RelPath,
    pub file: PathBuf,
}

impl Reading {
    /// Whether a file exists but could not be read, or is only with a cloud service.
    pub fn is_closed(&self, path: &RelPath) -> bool {
        let placeholder = cloud::placeholder(path);
        placeholder.is_some_and(|placeholder| self.snapshot.get(&placeholder).is_some())
            || self.unreadable.contains(path)
            || self.closed.iter().any(|folder| path.as_str().starts_with(folder.as_str()))
    }

    pub fn has(&self, path: &RelPath) -> bool {
        self.snapshot.get(path).is_some() || self.is_closed(path)
    }
}

type FileRead = Result<(Blob, Stamp), Finding>;

#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Sorted by path, not yet read.
    pub files: Vec<Listed>,
    /// Paths that exist but are not files; a file committed there is not deleted.
    pub unreadable: Vec<RelPath>,
    pub closed: Vec<String>,
    /// The folders that were listed, with their stat before the listing.
    pub folders: Vec<(String, Stat)>,
    pub findings: Vec<Finding>,
    /// Whether a killed co or a failing disk left staged files.
    pub has_leftovers: bool,
    /// Folders that are not entered.
    pub left_out: &'static [&'static str],
}

pub fn list(root: &Path, below: &str) -> Listing {
    list_without(root, below, &[])
}

/// Leaves out the contents of some folders, given with a trailing `/`.
pub fn list_without(root: &Path, below: &str, left_out: &'static [&'static str]) -> Listing {
    let mut listing = Listing { left_out, ..Listing::default() };
    if files::link_on_the_way(root, below).is_some() {
        listing.close(below, LEADS_ELSEWHERE);
        return listing;
    }
    let top =
        if below.is_empty() { root.to_owned() } else { root.join(below.trim_end_matches('/')) };
    listing.walk(&top, below);
    listing.files.sort_by(|a, b| a.path.cmp(&b.path));
    listing
}

const LEADS_ELSEWHERE: &str =
    "is a link to a folder elsewhere; co neither reads nor writes through it";

impl Listing {
    fn walk(&mut self, folder: &Path, prefix: &str) {
        let before = Stat::of(folder).unwrap_or_default().settled();
        self.folders.push((prefix.to_owned(), before));
        let entries = match Entries::of(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.close(prefix, &format!("cannot be listed: {error}")),
        };
        for name in &entries.not_text {
            self.bad_name(format!("{prefix}{name}"), "the name is not UTF-8; rename the file");
        }
        // Hot: every file of every listing goes through here.
        let mut path = FolderPath::new(prefix);
        for (name, kind) in entries.in_turn() {
            if name == ".git" || name.starts_with(TEMP_PREFIX) {
                self.has_leftovers |= name != ".git";
                continue;
            }
            let Some(kind) = kind else { continue };
            let mut file = PathBuf::with_capacity(folder.as_os_str().len() + 1 + name.len());
            file.push(folder);
            file.push(name);
            let name = folding::precomposed(folder, name);
            match path.entry(&name) {
                Ok(path) => self.enter(file, path, &name, kind),
                Err(whole) => {
                    let whole = whole.to_owned();
                    self.bad_name(whole, "the name contains a backslash; rename the file");
                }
            }
        }
    }

    /// `name` is the last part of the path; the folders before it were entered by their own names.
    fn enter(&mut self, file: PathBuf, path: RelPath, name: &str, kind: EntryKind) {
        if let Err(why) = super::names::sound_name(name) {
            return self.bad_name(path.to_string(), &format!("{why}; rename the file"));
        }
        if self.left_out.iter().any(|folder| folder.strip_suffix('/') == Some(path.as_str())) {
            return;
        }
        if kind == EntryKind::File {
            return self.files.push(Listed { path, file });
        }
        let folder = format!("{path}/");
        // A symlink to a folder leads out of the identity; symlinks to files are how stow and rcm
        // lay out dotfiles.
        match kind {
            EntryKind::Link if file.is_dir() => self.close(&folder, LEADS_ELSEWHERE),
            // An editor's lock on an open file.
            EntryKind::Link if !file.exists() && portable::is_litter(&path) => {}
            EntryKind::Link => self.files.push(Listed { path, file }),
            EntryKind::Folder if path.form() != Form::Opaque => {
                self.not_a_file(path, "a folder where a file should be; move it away");
            }
            EntryKind::Folder if super::repositories::is_repository(&file) => {
                self.close(&folder, "is a separate repository; co does not touch it");
            }
            EntryKind::Folder => self.walk(&file, &folder),
            EntryKind::File | EntryKind::Other => {
                self.not_a_file(path, "not a regular file; move it away");
            }
        }
    }

    fn not_a_file(&mut self, path: RelPath, message: &str) {
        self.findings.push(Finding::new(Code::Unreadable, &path, message));
        self.unreadable.push(path);
    }

    fn bad_name(&mut self, shown: String, message: &str) {
        let finding = Finding::new(Code::BadName, &RelPath::known("unnamed"), message);
        self.findings.push(Finding { path: shown, ..finding });
    }

    fn close(&mut self, path: &str, message: &str) {
        let finding = Finding::new(Code::Unreadable, &RelPath::known("folder"), message);
        self.findings.push(Finding { path: path.to_owned(), ..finding });
        self.closed.push(path.to_owned());
    }
}

/// Calls `each` with each name in a folder, unordered; with none if the folder cannot be read.
pub fn each_name(path: &Path, mut each: impl FnMut(&str)) {
    // Hot: a folder may have very many.
    let _ = platform::each_entry(path, |name, _| {
        if let Some(name) = name.to_str() {
            each(name);
        }
    });
}

/// Paths that show what a folder is for: its top level, markdown in identity folders, one memory.
pub fn at_the_top(root: &Path) -> Vec<RelPath> {
    let mut paths = Vec::new();
    for name in files::names(root) {
        if name == ".git" || name.starts_with(TEMP_PREFIX) {
            continue;
        }
        // A folder is represented by a placeholder file. Empty folders, which an interrupted run
        // may leave behind, are skipped.
        let path = root.join(&name);
        let is_folder = files::is_dir(&path);
        if is_folder && !holds_a_file(&path, 3) {
            continue;
        }
        let below = if !is_folder {
            ""
        } else if holds_skills(&path, &name) {
            "/_/SKILL.md"
        } else {
            "/_"
        };
        paths.extend(RelPath::new(&format!("{name}{below}")));
    }
    for folder in proving_folders() {
        // The folder of facts is the largest by far.
        if folder == MEMORIES && is_certain(&paths) {
            break;
        }
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let limit = if folder == MEMORIES { 1 } else { usize::MAX };
        let files = names.filter(|name| name.ends_with(".md")).take(limit);
        paths.extend(files.filter_map(|name| RelPath::new(&format!("{folder}{name}"))));
    }
    paths
}

/// Whether it is the folder of an identity's skills: other programs have one of this name, too.
fn holds_skills(folder: &Path, name: &str) -> bool {
    let is_skill = |name: &String| folder.join(name).join(skill::FILE).is_file();
    name == SKILLS.trim_end_matches('/') && files::names(folder).iter().any(is_skill)
}

/// Symlinks count as files. Ends at the first file, and looks at a folder's own files before the
/// folders in it: even to begin to list a folder of many facts takes longer than all the rest.
fn holds_a_file(folder: &Path, deep: usize) -> bool {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with(TEMP_PREFIX) {
            continue;
        }
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder || deep == 0 {
            return true;
        }
        folders.push(entry.path());
    }
    folders.iter().any(|below| holds_a_file(below, deep - 1))
}

pub fn read(root: &Path) -> Reading {
    read_below(root, "")
}

/// `below` is a folder with a trailing `/`, such as `knowledge/memories/`.
pub fn read_below(root: &Path, below: &str) -> Reading {
    read_listed(list(root, below), &HashMap::new())
}

/// Files that need not be read again, with their bytes and modification times.
pub type Prefetched = HashMap<RelPath, (Blob, Stamp)>;

pub fn read_listed(listing: Listing, prefetched: &Prefetched) -> Reading {
    let Listing { files, unreadable, closed, findings, .. } = listing;
    let mut reading = Reading { findings, closed, unreadable, ..Reading::default() };
    let read = |listed: Listed| match prefetched.get(&listed.path) {
        Some(known) => (listed, Ok(known.clone())),
        None => read_one(listed),
    };
    let files: Vec<(Listed, FileRead)> = if files.len() < 64 {
        files.into_iter().map(read).collect()
    } else {
        files.into_par_iter().map(read).collect()
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

/// Checks the size before reading. The time of the last change is taken after reading: if the file
/// still has its earlier time, the bytes are those that it had then.
pub fn read_file(path: &RelPath, file: &Path) -> Result<(Blob, Stamp), Finding> {
    let meta = readable(path, file)?;
    let read = || -> io::Result<(Blob, Stamp)> {
        let (bytes, open) = read_open(file, meta.len())?;
        Ok((bytes.into(), files::stamp_of(&open.metadata()?).unwrap_or_default()))
    };
    read().map_err(|error| unreadable(path, &error))
}

/// The bytes of a file, and its stat for storing, which is taken before: a change in between is
/// noticed next time.
pub fn read_and_stat(path: &RelPath, file: &Path) -> Result<(Blob, Stat), Finding> {
    let meta = readable(path, file)?;
    // Settled before as well: until then, a later change may have the same time.
    let stat = Stat::from(platform::stat(&meta)).settled();
    let (bytes, _) = read_open(file, meta.len()).map_err(|error| unreadable(path, &error))?;
    Ok((bytes.into(), stat))
}

/// Of a file that may be read.
fn readable(path: &RelPath, file: &Path) -> Result<fs::Metadata, Finding> {
    let meta = fs::metadata(file).map_err(|error| unreadable(path, &error))?;
    if !meta.is_file() {
        return Err(Finding::new(Code::Unreadable, path, "not a regular file"));
    }
    if meta.len() > path.row().limit {
        let message = format!(
            "{} bytes; the limit for this kind of file is {} MiB",
            meta.len(),
            path.row().limit / 1024 / 1024
        );
        return Err(Finding::new(Code::TooLarge, path, message));
    }
    Ok(meta)
}

fn unreadable(path: &RelPath, error: &io::Error) -> Finding {
    Finding::new(Code::Unreadable, path, format!("cannot be read: {error}"))
}

/// All bytes of a file that had this size a moment ago, and the file.
fn read_open(file: &Path, size: u64) -> io::Result<(Vec<u8>, fs::File)> {
    let open = fs::File::open(file)?;
    // With room for one more byte, its end is found without asking again how large it is.
    let mut bytes = Vec::with_capacity(usize::try_from(size).map_or(0, |size| size + 1));
    (&open).take(u64::MAX).read_to_end(&mut bytes)?;
    Ok((bytes, open))
}

/// Removes temporary files of a killed co.
pub fn remove_leftovers(root: &Path) {
    let mut todo = vec![root.to_owned()];
    while let Some(folder) = todo.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && name != ".git" {
                todo.push(entry.path());
            }
        }
        files::remove_staged(&folder);
    }
}
